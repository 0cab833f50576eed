// SPDX-License-Identifier: MIT
// joints.cpp — joints of a World.

#include "world/joints.h"

#include "rigid/kernels.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/removal.h"
#include "world/slots.h"
#include "world/waking.h"

#include <algorithm>
#include <utility>

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

} // namespace

void remove_joint(World::State& world, std::uint32_t joint) {
    const JointRecord& record = world.joints.record[joint];
    wake_both(world, record);
    world.simulation->joint_removed(joint);
    for (const int side : {0, 1}) unlink_joint(world, joint, side);
    free_slot(world.joints.record, world.joints.free, joint);
    --world.joints.count;
}

JointId add_joint(World::State& world, const JointDef& joint, const JointFill& fill) {
    using namespace kernels;
    const std::uint32_t bodies[2] = {body_index(world, joint.first, "first"),
                                     joint.second == BodyId{} ? 0
                                                              : body_index(world, joint.second, "second")};
    if (bodies[0] == bodies[1])
        throw Error("body " + std::to_string(bodies[1]) + " is the first body too; expected another",
                    "second");
    // what was placed since the last step is where the world says; the world itself does not move
    for (const std::uint32_t body : bodies)
        if (body && world.bodies.record[body].origin_at != world.steps) world.simulation->fetch_body(body);
    for (const std::uint32_t body : bodies) update_mass(world, body);

    const auto pose = [&](std::uint32_t b) {
        return DPose{origin_of(world, b), wide(rotation_of(world.bodies, b))};
    };
    const DPose poses[2] = {pose(bodies[0]), pose(bodies[1])};
    const JointRows rows = fill(joint, poses[0], poses[1]);
    JointRecord filled;
    put_rows(rows, filled); // throws before anything changes
    for (const std::uint32_t body : bodies) wake_body(world, body);
    world.simulation->before_change();
    const std::uint32_t j = take_slot(world.joints.record, world.joints.free, world.tag, "joints");
    JointRecord& record = world.joints.record[j];
    record.type = joint.type;
    record.collide = joint.collide;
    record.user_data = joint.user_data;
    record.rows = filled.rows;
    record.bounded = std::move(filled.bounded);
    for (const int side : {0, 1}) {
        const std::uint32_t b = bodies[side];
        const Quat back = conjugate(rotation_of(world.bodies, b));
        record.body[side] = b;
        record.place[side] = apply_inverse(poses[side], rows.anchor[side]);
        record.anchor[side] = record.place[side] - wide(world.bodies.record[b].mass.centre);
        record.frame[side] = scree::quat(quat_product(lane(back), lane(rows.frame)));
        link_joint(world, j, side);
    }
    ++world.joints.count;
    world.simulation->joint_added(j);
    return {j, world.joints.record[j].generation};
}

JointId World::create_joint(const JointDef& joint) {
    check_not_called(*state_);
    check(joint);
    return add_joint(*state_, joint, kind_of(joint.type).fill);
}

void World::destroy(JointId joint) {
    check_not_called(*state_);
    remove_joint(*state_, index_of(*state_, joint));
}

std::uint64_t World::user_data(JointId joint) const {
    return state_->joints.record[index_of(*state_, joint)].user_data;
}

JointDef World::definition(JointId joint) const {
    using namespace kernels;
    const JointRecord& record = state_->joints.record[index_of(*state_, joint)];
    state_->simulation->fetch();
    update_mass(*state_, record.body[0]);
    const auto id = [&](std::uint32_t b) { return BodyId{b, state_->bodies.record[b].generation}; };
    JointDef def{.type = record.type, .first = id(record.body[0])};
    if (record.body[1]) def.second = id(record.body[1]);
    def.anchor = anchor_of(*state_, record, 0);
    const kernels::quat turn = lane(rotation_of(state_->bodies, record.body[0]));
    if (kind_of(record.type).has_axis)
        def.axis =
            vec3(mat3_times(quat_matrix(quat_product(turn, lane(record.frame[0]))), make_real3(0, 0, 1)));
    def.collide = record.collide;
    def.user_data = record.user_data;
    return def;
}

bool World::alive(JointId joint) const { return names_living(joint, state_->joints.record); }

World::JointError World::error(JointId joint) const {
    const JointRecord& record = state_->joints.record[index_of(*state_, joint)];
    state_->simulation->fetch();
    for (const std::uint32_t body : {record.body[0], record.body[1]}) update_mass(*state_, body);
    return joint_error(*state_, record);
}

DVec3 anchor_of(const World::State& world, const JointRecord& joint, int side) {
    const std::uint32_t b = joint.body[side];
    return exact_centre_of(world.bodies, b) + rotate(exact_rotation_of(world.bodies, b), joint.anchor[side]);
}

World::JointError joint_error(const World::State& world, const JointRecord& joint) {
    using namespace rigid;
    const auto frame = [&](int side) {
        const Quat turn = rotation_of(world.bodies, joint.body[side]), &own = joint.frame[side];
        return quat_product(make_quat(turn.s, turn.x, turn.y, turn.z), make_quat(own.s, own.x, own.y, own.z));
    };
    const Vec3 gap = narrow(anchor_of(world, joint, 1) - anchor_of(world, joint, 0));
    const real3 apart = make_real3(gap.x, gap.y, gap.z);
    const auto word = static_cast<whole>(joint.rows);
    World::JointError error;
    if (!(joint.rows & ROWS_SPECIAL)) {
        error.distance = length3(apart);
        if (!(joint.rows & ROWS_TURNS)) return error;
        const rigid::quat fa = frame(0), fb = frame(1);
        if (joint.rows & ROWS_TILT) {
            const real3 up = make_real3(0, 0, 1);
            const real3 za = mat3_times(quat_matrix(fa), up), zb = mat3_times(quat_matrix(fb), up);
            error.angle = arctangent2(length3(cross3(za, zb)), dot3(za, zb));
        } else {
            const rigid::quat turn = quat_product(make_quat(fa.s, -fa.x, -fa.y, -fa.z), fb);
            error.angle = 2 * arctangent2(length3(make_real3(turn.x, turn.y, turn.z)), magnitude(turn.s));
        }
        return error;
    }
    JointReach reach;
    joint_reach(&reach, word, frame(0), frame(1), apart);
    const float at[ROWS_OF_JOINT] = {reach.apart.x, reach.apart.y,
                                     reach.apart.z, reach.angle.x,
                                     reach.angle.y, reach.angle.z / greatest(reach.stretch, 1e-6f)};
    float beyond[ROWS_OF_JOINT] = {};
    for (std::uint32_t k = 0, next = 0; k < ROWS_OF_JOINT; ++k) {
        if (row_held(word, k)) beyond[k] = at[k];
        if (!row_bounded(word, k)) continue;
        const JointRow& row = joint.bounded[next++];
        beyond[k] = at[k] - std::clamp(at[k], row.low, row.high);
    }
    error.distance = length3(make_real3(beyond[0], beyond[1], beyond[2]));
    error.angle = length3(make_real3(beyond[3], beyond[4], beyond[5]));
    return error;
}

} // namespace scree
