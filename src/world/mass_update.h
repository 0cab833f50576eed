// SPDX-License-Identifier: MIT
// mass_update.h — a body's mass, centre of mass and inertia, from its shapes or as given by the user.
//
// Adding or removing a shape only marks its body; the shapes are summed once, at the next step or query. The body's origin
// stays when its centre of mass moves. Queries in between change no bit of the result.
#pragma once

#include "rigid/inverse_mass.h"
#include "world/state.h"

#include <cstdint>

namespace scree {

/// Call when its shapes changed.
void mark_mass(World::State& world, std::uint32_t body);
/// Updates the mass if it is marked. Throws Error when the sum of the shapes is too heavy or too light for single precision.
void update_mass(World::State& world, std::uint32_t body);
void update_masses(World::State& world);

/// Mass properties from the shapes, the type and the given mass. Throws Error like update_mass.
MassProperties total_mass(const World::State& world, std::uint32_t body);
/// Sets mass properties: inverse inertia, centre of mass, offsets of shapes, anchors of joints, radius, quads.
void put_mass(World::State& world, std::uint32_t body, const MassProperties& mass);

/// The body's origin in world coordinates (positions hold centres of mass). Needs fetched arrays (rigid/simulation.h).
DVec3 origin_of(const World::State& world, std::uint32_t body);
void put_pose(World::State& world, std::uint32_t body, const DVec3& origin, const Quat& rotation);
/// Updates Shapes.pose of the body's shapes.
void place_shapes(World::State& world, std::uint32_t body);
void place_shape(World::State& world, std::uint32_t shape);

} // namespace scree
