// SPDX-License-Identifier: MIT
// records.cpp — see records.h.

#include "rigid/records.h"

#include "rigid/inverse_mass.h"
#include "rigid/quads.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace scree {

namespace {

// the kernels' numbers equal those of the host's types; see also collision/convex.cpp
template <class Enum>
constexpr bool is(Enum value, std::uint32_t number) {
    return static_cast<std::uint32_t>(value) == number;
}
static_assert(is(Combine::geometric_mean, RULE_GEOMETRIC_MEAN) && is(Combine::average, RULE_AVERAGE) &&
              is(Combine::least, RULE_LEAST) && is(Combine::product, RULE_PRODUCT) &&
              is(Combine::greatest, RULE_GREATEST));
static_assert(none == NOTHING);
// quads of a contact
constexpr bool begins(std::size_t offset, std::uint32_t quad) { return offset == 16 * quad; }
static_assert(sizeof(Contact) == 16 * RECORD_QUADS && begins(offsetof(Contact, shape_a), RECORD_PAIR) &&
              begins(offsetof(Contact, between) - 4, RECORD_STATE) &&
              begins(offsetof(Contact, normal), RECORD_NORMAL) &&
              begins(offsetof(Contact, friction_impulse), RECORD_FRICTION_IMPULSE) &&
              begins(offsetof(Contact, rotation_a), RECORD_ROTATION_A) &&
              begins(offsetof(Contact, rotation_b), RECORD_ROTATION_B) &&
              begins(offsetof(Contact, rolling_impulse), RECORD_ROLLING) &&
              begins(offsetof(Contact, surface_velocity), RECORD_SURFACE) &&
              begins(offsetof(Contact, point), RECORD_POINT));
// packets lie one behind the other in the device's words
static_assert(sizeof(rigid::StagedBody) == 320 && sizeof(rigid::StagedShape) == 144 &&
              sizeof(rigid::StagedJoint) == 4 * (2 + JOINT_INFO + 4 * JOINT_RECORD));

} // namespace

std::uint32_t shape_traits(const ShapeDef& shape) {
    const auto rule = [](Combine c) { return static_cast<std::uint32_t>(c); };
    return rule(shape.material.friction_rule) | rule(shape.material.restitution_rule) << 8 |
           (shape.sensor ? SHAPE_SENSOR : 0u) |
           // a sensor collides with nothing
           (shape.contact_events && !shape.sensor ? SHAPE_TELLS_CONTACTS : 0u) |
           (shape.hit_events && !shape.sensor ? SHAPE_TELLS_HITS : 0u) |
           (!(shape.one_way == Vec3{}) && !shape.sensor ? SHAPE_ONE_WAY : 0u);
}

PairKind kind_of(const ShapeRecord& a, const ShapeRecord& b) {
    return static_cast<PairKind>(
        rigid::touch_kind(static_cast<std::uint32_t>(a.type), shape_traits(a.definition),
                          static_cast<std::uint32_t>(b.type), shape_traits(b.definition)));
}

bool wanted_pair(const RigidStorage& world, std::uint32_t a, std::uint32_t b) {
    const auto side = [&](std::uint32_t s) {
        const ShapeRecord& shape = world.shapes.record[s];
        const BodyRecord& body = world.bodies.record[shape.body];
        const Filter& filter = shape.definition.filter;
        return rigid::PairSide{shape.body,
                               filter.category,
                               filter.mask,
                               static_cast<std::uint32_t>(filter.group),
                               body.type == BodyType::dynamic && !body.frozen,
                               shape.definition.sensor,
                               body.type != BodyType::fixed};
    };
    const rigid::PairSide first = side(a), second = side(b);
    if (!rigid::pair_allowed(first, second)) return false;
    if (first.sensor || second.sensor) return true;
    for (std::uint32_t j = world.bodies.record[first.body].first_joint; j != none;) {
        const JointRecord& joint = world.joints.record[j];
        if (rigid::joint_parts(joint.collide, joint.body[0], joint.body[1], second.body)) return false;
        j = joint.next[side_of(joint, first.body)];
    }
    return true;
}

void body_constants(const BodyRecord& body, float out[4 * BODY_CONSTANTS]) {
    const MassProperties& mass = body.mass;
    const bool moves = body.type == BodyType::dynamic && !body.frozen;
    const float* i = body.inverse_inertia;
    // bodies that are not dynamic keep their velocity: no locks, damping or limits
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
                                             body.radius,
                                             moves ? body.unswept : -1.0f,
                                             body.bullet ? 1.0f : 0.0f,
                                             0.0f,
                                             0.0f};
    std::copy_n(quads, 4 * BODY_CONSTANTS, out);
}

namespace {
void put_position(const DVec3& at, float* quad) {
    const Vec3 near = narrow(at);
    quad[0] = near.x, quad[1] = near.y, quad[2] = near.z;
    quad[3] = fine_word(low_part(at));
}
} // namespace

void joint_quads(const JointRecord& joint, std::uint32_t world_side, float* quads) {
    const auto bits = [](std::uint32_t word) { return std::bit_cast<float>(word); };
    quads[0] = bits(joint.body[0]), quads[1] = bits(joint.body[1]);
    quads[2] = bits(joint.rows), quads[3] = bits(world_side);
    for (int side = 0; side < 2; ++side) {
        put_position(joint.anchor[side], quads + 4 * (JOINT_RECORD_ANCHOR_A + side));
        float* frame = quads + 4 * (JOINT_RECORD_FRAME_A + side);
        frame[0] = joint.frame[side].x, frame[1] = joint.frame[side].y, frame[2] = joint.frame[side].z;
        frame[3] = joint.frame[side].s;
    }
}

void joint_limit_quads(const JointRecord& joint, float* quads) {
    auto row = joint.bounded.begin();
    std::fill_n(quads, 4 * JOINT_LIMITS, 0.0f);
    quads[JOINT_BREAK_FORCE] = joint.break_force, quads[JOINT_BREAK_TORQUE] = joint.break_torque;
    if (joint.rows & ROWS_COUPLED) {
        const JointDef def = joint.definition ? *joint.definition : JointDef{};
        quads[4 * COUPLING_RATIO] = def.ratio;
        for (const std::size_t side : {0u, 1u})
            put_position(def.ground[side], quads + 4 * (COUPLING_GROUND + side));
    }
    for (std::uint32_t k = 0; k < ROWS_OF_JOINT; ++k, quads += 8) {
        if (!(joint.rows >> (ROWS_BOUNDED + k) & 1)) continue;
        quads[0] = row->low, quads[1] = row->high, quads[2] = row->hertz, quads[3] = row->damping;
        quads[4] = row->target, quads[5] = row->speed, quads[6] = row->max_force;
        ++row;
    }
}

} // namespace scree
