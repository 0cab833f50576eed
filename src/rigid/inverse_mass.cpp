// SPDX-License-Identifier: MIT
// inverse_mass.cpp — see inverse_mass.h.

#include "rigid/inverse_mass.h"

#include "geometry/mass.h"
#include "rigid/kernels.h"
#include "rigid/quads.h"

#include <algorithm>
#include <bit>

namespace scree {

void refresh_inverse_inertia(BodyRecord& body) {
    std::fill_n(body.inverse_inertia, 6, 0.0f);
    if (body.type == BodyType::dynamic) invert_inertia(body.mass, body.inverse_inertia);
}

InverseMass inverse_mass_of(const RigidStorage& world, std::uint32_t body) {
    const BodyRecord& record = world.bodies.record[body];
    if (record.type != BodyType::dynamic || record.frozen) return {};
    const float* s = record.inverse_inertia;
    const Quat turn = rotation_of(world.bodies, body);
    const rigid::sym3 now = rigid::inverse_inertia_at({s[0], s[1], s[2], s[3], s[4], s[5]},
                                                      rigid::make_quat(turn.s, turn.x, turn.y, turn.z),
                                                      static_cast<std::int32_t>(lock_bits(record)));
    return {{{now.xx, now.xy, now.xz}, {now.xy, now.yy, now.yz}, {now.xz, now.yz, now.zz}},
            1 / record.mass.mass};
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
