// SPDX-License-Identifier: MIT
// inverse_mass.h — how a body resists: the inverse of its mass and inertia, from its record.
#pragma once

#include "kernels/host_params.h"
#include "rigid/storage.h"

#include <cstdint>

namespace scree {

struct InverseMass {
    kernels::mat3 inertia; ///< world frame
    float mass;
};
/// BodyRecord::inverse_inertia from its mass and type.
void refresh_inverse_inertia(BodyRecord& body);
/// Zero for what is not dynamic or is frozen; turns that are locked have no row and no column.
InverseMass inverse_mass_of(const RigidStorage& world, std::uint32_t body);
/// As the kernels read them (kernels/rigid_locks.h); none of what is not dynamic or is frozen.
std::uint32_t lock_bits(const BodyRecord& body);
/// The body's quads in Bodies::inverse_mass, at its present rotation; zero while it sleeps.
void refresh_inverse_mass(RigidStorage& world, std::uint32_t body);

} // namespace scree
