// SPDX-License-Identifier: MIT
// inverse_mass.h — inverse mass and inertia of a body, from its record.
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
/// Zero for frozen bodies and those that are not dynamic; locked rotations have zero rows and columns.
InverseMass inverse_mass_of(const RigidStorage& world, std::uint32_t body);
/// As the kernels read them (kernels/rigid_locks.h); none for frozen bodies and those that are not dynamic.
std::uint32_t lock_bits(const BodyRecord& body);
/// The body's quads in Bodies::inverse_mass, at its present rotation; zero while it sleeps.
void refresh_inverse_mass(RigidStorage& world, std::uint32_t body);

} // namespace scree
