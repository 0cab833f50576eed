// SPDX-License-Identifier: MIT
// joints.cpp — joints of a World.

#include "world/joints.h"

#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/removal.h"
#include "world/slots.h"
#include "world/waking.h"

namespace scree {

namespace {

std::uint32_t index_of(const World::State& world, JointId id) {
    return checked_index(id, world.joints.record, world.tag, "joint");
}

std::uint32_t body_index(const World::State& world, BodyId id, const char* kind) {
    if (id.index == 0) throw Error("body 0 is the world itself, which no id names", kind);
    return checked_index(id, world.bodies.record, world.tag, kind);
}

void wake_both(World::State& world, const JointRecord& joint) {
    for (const std::uint32_t body : {joint.body[0], joint.body[1]}) wake_body(world, body);
}

/// The rotation that takes z to the axis by the shortest way.
Quat frame_along(const Vec3& axis) {
    using namespace kernels;
    // by its largest part first: the square of a long or a short axis may not fit a float
    const float largest = greatest(magnitude(axis.x), greatest(magnitude(axis.y), magnitude(axis.z)));
    const real3 z = unit3(lane(axis) * (1 / largest), make_real3(0, 0, 1));
    if (z.z < -0.9999f) { // nearly opposite: half a turn about x, then the small rest
        const float s = 1 - z.z;
        const float scale = 1 / root(s * s + z.x * z.x + z.y * z.y);
        // (0, 1, 0, 0) after the rest that takes -z to the axis
        return scree::quat(
            quat_product(make_quat(s * scale, z.y * scale, -z.x * scale, 0), make_quat(0, 1, 0, 0)));
    }
    const float s = 1 + z.z;
    const float scale = 1 / root(s * s + z.x * z.x + z.y * z.y);
    return {.x = -z.y * scale, .y = z.x * scale, .z = 0, .s = s * scale};
}

} // namespace

void remove_joint(World::State& world, std::uint32_t joint) {
    const JointRecord& record = world.joints.record[joint];
    wake_both(world, record);
    world.simulation->joint_removed(joint);
    for (const int side : {0, 1}) unlink_joint(world, joint, side);
    free_slot(world.joints.record, world.joints.free, joint);
    --world.joints.count;
}

JointId World::create_joint(const JointDef& joint) {
    using namespace kernels;
    check(joint);
    State& world = *state_;
    const std::uint32_t bodies[2] = {body_index(world, joint.first, "first"),
                                     joint.second == BodyId{} ? 0
                                                              : body_index(world, joint.second, "second")};
    if (bodies[0] == bodies[1])
        throw Error("body " + std::to_string(bodies[1]) + " is the first body too; another was expected",
                    "second");
    // what was placed since the last step is where the world says; the world itself does not move
    for (const std::uint32_t body : bodies)
        if (body && world.bodies.record[body].origin_at != world.steps) world.simulation->fetch_body(body);
    for (const std::uint32_t body : bodies) update_mass(world, body);

    const std::uint32_t j = take_slot(world.joints.record, world.joints.free, world.tag, "joints");
    JointRecord& record = world.joints.record[j];
    record.type = joint.type;
    record.collide = joint.collide;
    record.user_data = joint.user_data;
    const Quat frame = joint.type == JointType::hinge ? frame_along(joint.axis) : Quat{};
    for (const int side : {0, 1}) {
        const std::uint32_t b = bodies[side];
        const Quat back = conjugate(rotation_of(world.bodies, b));
        record.body[side] = b;
        record.place[side] =
            vec3(mat3_times(quat_matrix(lane(back)), lane(joint.anchor) - lane(origin_of(world, b))));
        record.anchor[side] = vec3(lane(record.place[side]) - lane(world.bodies.record[b].mass.centre));
        record.frame[side] = scree::quat(quat_product(lane(back), lane(frame)));
        link_joint(world, j, side);
    }
    ++world.joints.count;
    wake_both(world, record);
    world.simulation->joint_added(j);
    return {j, world.joints.record[j].generation};
}

void World::destroy(JointId joint) { remove_joint(*state_, index_of(*state_, joint)); }

bool World::alive(JointId joint) const { return names_living(joint, state_->joints.record); }

World::JointError World::error(JointId joint) const {
    const JointRecord& record = state_->joints.record[index_of(*state_, joint)];
    state_->simulation->fetch();
    for (const std::uint32_t body : {record.body[0], record.body[1]}) update_mass(*state_, body);
    return joint_error(*state_, record);
}

Vec3 anchor_of(const World::State& world, const JointRecord& joint, int side) {
    using namespace kernels;
    const std::uint32_t b = joint.body[side];
    return vec3(lane(centre_of(world.bodies, b)) +
                mat3_times(quat_matrix(lane(rotation_of(world.bodies, b))), lane(joint.anchor[side])));
}

World::JointError joint_error(const World::State& world, const JointRecord& joint) {
    using namespace kernels;
    World::JointError error;
    error.distance = length3(lane(anchor_of(world, joint, 1)) - lane(anchor_of(world, joint, 0)));
    if (joint.type == JointType::ball) return error;
    const auto frame = [&](int side) {
        return quat_product(lane(rotation_of(world.bodies, joint.body[side])), lane(joint.frame[side]));
    };
    const kernels::quat a = frame(0), b = frame(1);
    if (joint.type == JointType::hinge) {
        const real3 up = make_real3(0, 0, 1);
        const real3 za = mat3_times(quat_matrix(a), up), zb = mat3_times(quat_matrix(b), up);
        error.angle = arctangent2(length3(cross3(za, zb)), dot3(za, zb));
    } else {
        const kernels::quat turn = quat_product(make_quat(a.s, -a.x, -a.y, -a.z), b);
        error.angle = 2 * arctangent2(length3(make_real3(turn.x, turn.y, turn.z)), magnitude(turn.s));
    }
    return error;
}

} // namespace scree
