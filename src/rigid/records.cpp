// SPDX-License-Identifier: MIT
// records.cpp — see records.h.

#include "rigid/records.h"

#include "world/mass_update.h"

#include <algorithm>
#include <bit>

namespace scree {

PairKind kind_of(ShapeType a, ShapeType b) {
    const auto round = [](ShapeType t) { return t == ShapeType::sphere || t == ShapeType::capsule; };
    if (a == ShapeType::box && b == ShapeType::box) return PairKind::boxes;
    if (round(a) && round(b)) return PairKind::rounds;
    if (a == ShapeType::sphere && b == ShapeType::box) return PairKind::ball_box;
    if (a == ShapeType::box && b == ShapeType::sphere) return PairKind::box_ball;
    return PairKind::convex;
}

bool wanted_pair(const World::State& world, std::uint32_t a, std::uint32_t b) {
    const ShapeRecord &first = world.shapes.record[a], &second = world.shapes.record[b];
    if (first.body == second.body) return false;
    const BodyRecord &body_a = world.bodies.record[first.body], &body_b = world.bodies.record[second.body];
    const auto dynamic = [](const BodyRecord& body) {
        return body.type == BodyType::dynamic && !body.frozen;
    };
    if (!dynamic(body_a) && !dynamic(body_b)) return false;
    const Filter &fa = first.definition.filter, &fb = second.definition.filter;
    if (fa.group == fb.group && fa.group != 0) {
        if (fa.group < 0) return false;
    } else if (!(fa.category & fb.mask) || !(fb.category & fa.mask)) {
        return false;
    }
    for (std::uint32_t j = body_a.first_joint; j != none;) {
        const JointRecord& joint = world.joints.record[j];
        if (!joint.collide && (joint.body[0] == second.body || joint.body[1] == second.body)) return false;
        j = joint.next[joint.body[0] == first.body ? 0 : 1];
    }
    return true;
}

void body_constants(const BodyRecord& body, float out[4 * BODY_CONSTANTS]) {
    const MassProperties& mass = body.mass;
    const bool moves = body.type == BodyType::dynamic && !body.frozen;
    const float* i = body.inverse_inertia;
    // what is not dynamic keeps its velocity: no locks, damping or limits
    const float quads[4 * BODY_CONSTANTS] = {mass.inertia.x,
                                             mass.inertia.y,
                                             mass.inertia.z,
                                             mass.products.x,
                                             mass.products.y,
                                             mass.products.z,
                                             moves ? body.gravity_scale : 0.0f,
                                             std::bit_cast<float>(lock_bits(body)),
                                             moves ? body.linear_damping : 0.0f,
                                             moves ? body.angular_damping : 0.0f,
                                             moves ? body.max_speed : 1e18f,
                                             moves ? body.max_angular_speed : 1e18f,
                                             moves ? i[0] : 0.0f,
                                             moves ? i[1] : 0.0f,
                                             moves ? i[2] : 0.0f,
                                             moves ? i[3] : 0.0f,
                                             moves ? i[4] : 0.0f,
                                             moves ? i[5] : 0.0f,
                                             moves ? 1 / mass.mass : 0.0f,
                                             body.radius};
    std::copy_n(quads, 4 * BODY_CONSTANTS, out);
}

void joint_quads(const JointRecord& joint, float* quads) {
    const auto bits = [](std::uint32_t word) { return std::bit_cast<float>(word); };
    quads[0] = bits(joint.body[0]), quads[1] = bits(joint.body[1]);
    quads[2] = bits(joint.rows), quads[3] = 0;
    for (int side = 0; side < 2; ++side) {
        float* anchor = quads + 4 * (JOINT_RECORD_ANCHOR_A + side);
        anchor[0] = joint.anchor[side].x, anchor[1] = joint.anchor[side].y, anchor[2] = joint.anchor[side].z;
        anchor[3] = 0;
        float* frame = quads + 4 * (JOINT_RECORD_FRAME_A + side);
        frame[0] = joint.frame[side].x, frame[1] = joint.frame[side].y, frame[2] = joint.frame[side].z;
        frame[3] = joint.frame[side].s;
    }
}

void joint_limit_quads(const JointRecord& joint, float* quads) {
    auto row = joint.bounded.begin();
    std::fill_n(quads, 4 * JOINT_LIMITS, 0.0f);
    for (std::uint32_t k = 0; k < ROWS_OF_JOINT; ++k, quads += 8) {
        if (!(joint.rows >> (ROWS_BOUNDED + k) & 1)) continue;
        quads[0] = row->low, quads[1] = row->high, quads[2] = row->hertz, quads[3] = row->damping;
        quads[4] = row->target, quads[5] = row->speed, quads[6] = row->max_force;
        ++row;
    }
}

} // namespace scree
