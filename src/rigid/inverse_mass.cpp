// SPDX-License-Identifier: MIT
// inverse_mass.cpp — see inverse_mass.h.

#include "rigid/inverse_mass.h"

#include "collision/mass.h"
#include "rigid/quads.h"

#include <algorithm>
#include <bit>

namespace scree {

void refresh_inverse_inertia(BodyRecord& body) {
    std::fill_n(body.inverse_inertia, 6, 0.0f);
    if (body.type == BodyType::dynamic) invert_inertia(body.mass, body.inverse_inertia);
}

InverseMass inverse_mass_of(const RigidStorage& world, std::uint32_t body) {
    using namespace kernels;
    const BodyRecord& record = world.bodies.record[body];
    if (record.type != BodyType::dynamic || record.frozen) return {};
    // R S R^T
    const float* s = record.inverse_inertia;
    const mat3 own = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
    const mat3 turn = quat_matrix(lane(rotation_of(world.bodies, body)));
    const real3 x = mat3_times(turn, mat3_times(own, turn.x));
    const real3 y = mat3_times(turn, mat3_times(own, turn.y));
    const real3 z = mat3_times(turn, mat3_times(own, turn.z));
    // by its upper half: it stays symmetric whatever was rounded
    const float free_x = record.locks.turn_x ? 0.0f : 1.0f, free_y = record.locks.turn_y ? 0.0f : 1.0f,
                free_z = record.locks.turn_z ? 0.0f : 1.0f;
    const float xy = x.y * free_x * free_y, xz = x.z * free_x * free_z, yz = y.z * free_y * free_z;
    return {{{x.x * free_x, xy, xz}, {xy, y.y * free_y, yz}, {xz, yz, z.z * free_z}}, 1 / record.mass.mass};
}

std::uint32_t lock_bits(const BodyRecord& body) {
    if (body.type != BodyType::dynamic || body.frozen) return 0;
    const Locks& l = body.locks;
    return (l.x ? 1u : 0u) | (l.y ? 2u : 0u) | (l.z ? 4u : 0u) | (l.turn_x ? 8u : 0u) |
           (l.turn_y ? 16u : 0u) | (l.turn_z ? 32u : 0u);
}

void refresh_inverse_mass(RigidStorage& world, std::uint32_t body) {
    const BodyRecord& record = world.bodies.record[body];
    const InverseMass inverse = record.asleep ? InverseMass{} : inverse_mass_of(world, body);
    const std::uint32_t locks = record.asleep ? 0 : lock_bits(record);
    float* quads = &world.bodies.inverse_mass[8 * std::size_t{body}];
    const float values[8] = {inverse.inertia.x.x, inverse.inertia.y.y,        inverse.inertia.z.z,
                             inverse.inertia.x.y, inverse.inertia.x.z,        inverse.inertia.y.z,
                             inverse.mass,        std::bit_cast<float>(locks)};
    std::copy_n(values, 8, quads);
}

} // namespace scree
