// SPDX-License-Identifier: MIT
// mass_update.h — where a body's centre of mass is and how it resists, from its shapes or as given.
//
// Shapes that come and go only mark their body: a million of them on one body are summed once, at the next step or the
// next look. The body's origin stays where it is when its centre of mass moves; whether somebody looks in between changes
// no bit.
#pragma once

#include "rigid/inverse_mass.h"
#include "world/state.h"

#include <cstdint>

namespace scree {

/// Its shapes changed.
void mark_mass(World::State& world, std::uint32_t body);
/// Computes what was marked. Throws Error when the shapes together are too heavy or too light to compute with.
void update_mass(World::State& world, std::uint32_t body);
void update_masses(World::State& world);

/// What the body weighs by its shapes, its type and what was given. Throws Error as update_mass does.
MassProperties total_mass(const World::State& world, std::uint32_t body);
/// Makes it so: inverse inertia, centre of mass, offsets of shapes, anchors of joints, radius, quads.
void put_mass(World::State& world, std::uint32_t body, const MassProperties& mass);

/// The body's origin in the world; positions hold its centre of mass. They are fetched (rigid/simulation.h).
Vec3 origin_of(const World::State& world, std::uint32_t body);
void put_pose(World::State& world, std::uint32_t body, const Vec3& origin, const Quat& rotation);
/// Shapes.pose of the body's shapes, from where the body is.
void place_shapes(World::State& world, std::uint32_t body);
void place_shape(World::State& world, std::uint32_t shape);

} // namespace scree
