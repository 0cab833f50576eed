// SPDX-License-Identifier: MIT
// slots.h — data of a slot besides its record: its quads (groups of four floats), and its links in the lists of its body.
#pragma once

#include "world/state.h"

#include <cstdint>
#include <string>

namespace scree {

/// Slot 0: fixed, at the origin.
void add_world_body(Bodies& bodies);
/// Grows the quads to all records; sets those of `body` to rest at the origin.
void clear_body_quads(Bodies& bodies, std::uint32_t body);
/// Grows the quads to all records; sets size, radius, thickness and material of `shape` from its record.
void write_shape_quads(Shapes& shapes, std::uint32_t shape);
void write_material(Shapes& shapes, std::uint32_t shape);
void put_geometry(ShapeRecord& shape, const Geometry& geometry);
Geometry geometry_of(const ShapeRecord& shape);

/// An empty name takes the old one away.
void put_name(RigidStorage& world, std::uint32_t body, const std::string& name);

// link at the front of the lists of the bodies in the record
void link_shape(World::State& world, std::uint32_t shape);
void unlink_shape(World::State& world, std::uint32_t shape);
void link_joint(World::State& world, std::uint32_t joint, int side);
void unlink_joint(World::State& world, std::uint32_t joint, int side);

} // namespace scree
