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
#include "world/stepping.h"
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
    return checked_index(id, world.bodies.record.all(), world.tag, kind);
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

namespace {

/// What the rows do not say, and only the user knows.
std::shared_ptr<const JointDef> kept_definition(const JointDef& joint) {
    JointDef kept = joint;
    kept.type = {}, kept.first = {}, kept.second = {}, kept.anchor = {}, kept.axis = JointDef{}.axis;
    kept.collide = {}, kept.user_data = {}, kept.second_anchor = {}, kept.second_axis = {};
    kept.frames = {}, kept.up = JointDef{}.up;
    if (same_motion(kept, JointDef{})) return nullptr;
    return std::make_shared<const JointDef>(kept);
}

/// 0: it does not break.
float break_limit(float limit) { return limit < row_unlimited ? limit : 0; }

/// The side of the record that is the definition's first body.
int first_side(const JointRecord& joint) { return joint.reversed ? 1 : 0; }

void put_frames(const World::State& world, const JointRows& rows, const DPose (&poses)[2],
                JointRecord& record) {
    using namespace kernels;
    for (const int user : {0, 1}) { // the first body, the second
        const int side = record.reversed ? 1 - user : user;
        const std::uint32_t b = record.body[side];
        if (rows.local) {
            const JointFrame& local = (*rows.local)[static_cast<std::size_t>(user)];
            record.place[side] = local.position;
            record.frame[side] = normalized(local.rotation);
        } else {
            const Quat back = conjugate(rotation_of(world.bodies, b));
            record.place[side] = apply_inverse(poses[user], rows.anchor[user]);
            const Quat& frame = user == 1 && rows.second_frame ? *rows.second_frame : rows.frame;
            record.frame[side] = scree::quat(quat_product(lane(back), lane(frame)));
        }
        if (rows.turned != Quat{}) record.frame[side] = record.frame[side] * rows.turned;
        record.anchor[side] = record.place[side] - wide(world.bodies.record[b].mass.centre);
    }
}

} // namespace

bool same_motion(const JointDef& a, const JointDef& b) {
    return a.limit == b.limit && a.drive == b.drive && a.swing == b.swing && a.length == b.length &&
           a.suspension == b.suspension && a.steer == b.steer && a.axes == b.axes && a.pose == b.pose &&
           a.ratio == b.ratio && a.ground == b.ground && a.break_force == b.break_force &&
           a.break_torque == b.break_torque;
}

JointId add_joint(World::State& world, const JointDef& joint, const JointFill& fill) {
    refuse_with_impacts(world.settings, "joints");
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
    JointDef kept = joint;
    const JointRows rows = fill(kept, poses[0], poses[1]);
    JointRecord filled;
    filled.break_force = break_limit(joint.break_force);
    filled.break_torque = break_limit(joint.break_torque);
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
    record.break_force = filled.break_force, record.break_torque = filled.break_torque;
    record.reversed = rows.reversed;
    record.definition = kept_definition(kept);
    for (const int side : {0, 1}) record.body[side] = bodies[record.reversed ? 1 - side : side];
    put_frames(world, rows, poses, record);
    for (const int side : {0, 1}) link_joint(world, j, side);
    ++world.joints.count;
    world.simulation->joint_added(j);
    return {j, world.joints.record[j].generation};
}

JointId World::create_joint(const JointDef& joint) {
    check_not_called(*state_);
    check(joint);
    return add_joint(*state_, joint, [](JointDef& def, const DPose& first, const DPose& second) {
        const JointKind& kind = kind_of(def.type);
        if (kind.complete) kind.complete(def, first, second);
        return kind.fill(def);
    });
}

void World::set_joint(JointId joint, const JointDef& definition) {
    State& world = *state_;
    const std::uint32_t j = index_of(world, joint);
    JointRecord& record = world.joints.record[j];
    JointDef def = definition;
    def.type = record.type;
    def.anchor = {}, def.axis = JointDef{}.axis, def.up = JointDef{}.up, def.second_anchor = {},
    def.second_axis = {}, def.frames = {};
    if (def.type == JointType::wheel) def.axis = {1, 0, 0}; // any but `up`
    const JointDef old = record.definition ? *record.definition : JointDef{};
    def.ground = old.ground;
    if (!def.length) def.length = old.length; // only distances and pulleys have one
    check(def);

    const JointKind& kind = kind_of(def.type);
    JointRecord filled;
    filled.break_force = break_limit(def.break_force), filled.break_torque = break_limit(def.break_torque);
    const JointRows rows = kind.fill(def);
    put_rows(rows, filled);
    const bool collides = definition.collide != record.collide;
    // turns are counted by the ratio
    const bool anew =
        ((filled.rows ^ record.rows) & ~(ROWS_BREAKS | ROWS_SPECIAL)) != 0 || def.ratio != old.ratio;
    // frames move with a pose that is driven to, and turn with the order in which six axes are taken
    JointDef before = def;
    before.axes = old.axes;
    const Quat turned = conjugate(kind.fill(before).turned) * rows.turned;
    const bool moved = def.type == JointType::pose && !(def.pose == old.pose);
    const bool pulls = anew || moved || turned != Quat{} || filled.bounded != record.bounded;
    record.user_data = definition.user_data;
    if (!collides && same_motion(def, old)) return;
    if (pulls || collides) wake_both(world, record);
    world.simulation->before_change();
    record.break_force = filled.break_force, record.break_torque = filled.break_torque;
    record.rows = filled.rows;
    record.bounded = std::move(filled.bounded);
    if (moved) put_frames(world, rows, {}, record);
    if (turned != Quat{})
        for (Quat& frame : record.frame) frame = frame * turned;
    def.axis = JointDef{}.axis;
    record.definition = kept_definition(def);
    world.simulation->joint_changed(j, anew || turned != Quat{});
    if (!collides) return;
    record.collide = definition.collide;
    world.simulation->joint_collides(j);
}

void World::destroy(JointId joint) {
    check_not_called(*state_);
    remove_joint(*state_, index_of(*state_, joint));
}

void remove_broken(World::State& world) {
    world.broken.clear();
    const std::span<const std::uint32_t> broken = world.simulation->broken();
    for (const std::uint32_t j : broken) world.broken.push_back({j, world.joints.record[j].generation});
    for (const JointId id : world.broken) remove_joint(world, id.index);
}

std::span<const JointId> World::broken_joints() const { return state_->broken; }

std::uint64_t World::user_data(JointId joint) const {
    return state_->joints.record[index_of(*state_, joint)].user_data;
}

JointDef World::definition(JointId joint) const {
    using namespace kernels;
    const JointRecord& record = state_->joints.record[index_of(*state_, joint)];
    state_->simulation->fetch();
    const int first = first_side(record), second = 1 - first;
    for (const std::uint32_t body : record.body) update_mass(*state_, body);
    const auto id = [&](std::uint32_t b) { return BodyId{b, state_->bodies.record[b].generation}; };
    JointDef def = record.definition ? *record.definition : JointDef{};
    def.type = record.type;
    def.first = id(record.body[first]);
    if (record.body[second]) def.second = id(record.body[second]);
    def.anchor = anchor_of(*state_, record, first);
    const auto axis = [&](int side, real3 own) {
        const kernels::quat turn = lane(rotation_of(state_->bodies, record.body[side]));
        return vec3(mat3_times(quat_matrix(quat_product(turn, lane(record.frame[side]))), own));
    };
    const JointKind& kind = kind_of(record.type);
    if (kind.has_axis() || (record.type == JointType::ball && (record.rows & ROWS_CONE)))
        def.axis = axis(first, make_real3(0, 0, 1));
    if (record.type == JointType::wheel) def.up = axis(second, make_real3(1, 0, 0));
    if (kind.uses & uses_second_anchor) def.second_anchor = anchor_of(*state_, record, second);
    if (kind.uses & uses_second_axis) def.second_axis = axis(second, make_real3(0, 0, 1));
    if (record.type == JointType::six_axes) {
        const Quat back = conjugate(kind.fill(def).turned);
        def.frames = {JointFrame{record.place[first], record.frame[first] * back},
                      JointFrame{record.place[second], record.frame[second] * back}};
    }
    def.collide = record.collide;
    def.user_data = record.user_data;
    return def;
}

bool World::alive(JointId joint) const { return names_living(joint, state_->joints.record); }

World::JointError World::error(JointId joint) const {
    const std::uint32_t j = index_of(*state_, joint);
    const JointRecord& record = state_->joints.record[j];
    state_->simulation->fetch();
    for (const std::uint32_t body : {record.body[0], record.body[1]}) update_mass(*state_, body);
    return joint_error(*state_, j);
}

DVec3 anchor_of(const World::State& world, const JointRecord& joint, int side) {
    const std::uint32_t b = joint.body[side];
    return exact_centre_of(world.bodies, b) + rotate(exact_rotation_of(world.bodies, b), joint.anchor[side]);
}

namespace {

/// The frame of a side in the world.
rigid::quat frame_of(const World::State& world, const JointRecord& joint, int side) {
    using namespace rigid;
    const Quat turn = rotation_of(world.bodies, joint.body[side]), &own = joint.frame[side];
    return quat_product(make_quat(turn.s, turn.x, turn.y, turn.z), make_quat(own.s, own.x, own.y, own.z));
}

} // namespace

namespace {

/// Where a coupling is, and its gradient at the anchors.
struct CouplingNow {
    rigid::Coupling gradient;
    float at = 0;
    float length[2] = {}; ///< of a pulley's rope
};

CouplingNow coupling_of(const World::State& world, const JointRecord& joint, const JointImpulse& impulse) {
    using namespace rigid;
    const auto lane3 = [](const DVec3& v) {
        const Vec3 a = narrow(v);
        return make_real3(a.x, a.y, a.z);
    };
    const JointDef def = joint.definition ? *joint.definition : JointDef{};
    const DVec3 at[2] = {anchor_of(world, joint, 0), anchor_of(world, joint, 1)};
    const real3 rope[2] = {lane3(at[0] - def.ground[0]), lane3(at[1] - def.ground[1])};
    const real3 none3 = make_real3(0, 0, 0);
    const auto word = static_cast<whole>(joint.rows);
    CouplingNow now;
    coupling_reach(&now.gradient, word, def.ratio, frame_of(world, joint, 0), frame_of(world, joint, 1),
                   lane3(at[1] - at[0]), rope[0], rope[1], none3, none3);
    CouplingTurns turns{impulse.linear[1], impulse.linear[2],
                        make_exact(impulse.angular[0], impulse.angular[1])};
    now.at = coupling_at(word, &now.gradient, def.ratio, impulse.angular[2] != 0, &turns);
    for (const int side : {0, 1}) now.length[side] = length3(rope[side]);
    return now;
}

JointState coupling_state(const World::State& world, const JointRecord& joint, const JointImpulse& impulse) {
    const CouplingNow now = coupling_of(world, joint, impulse);
    const auto vector = [](const rigid::real3& v) { return Vec3{v.x, v.y, v.z}; };
    const Vec3 linear[2] = {vector(now.gradient.linear_a), vector(now.gradient.linear_b)},
               angular[2] = {vector(now.gradient.angular_a), vector(now.gradient.angular_b)};
    JointState state;
    state.coordinate = now.at;
    if (joint.type == JointType::pulley) state.translation = {now.length[0], now.length[1], 0};
    for (const int side : {0, 1}) {
        const std::uint32_t b = joint.body[side];
        const Vec3 w = spin_of(world.bodies, b);
        const Vec3 arm = narrow(anchor_of(world, joint, side) - exact_centre_of(world.bodies, b));
        state.speed +=
            dot(linear[side], velocity_of(world.bodies, b) + cross(w, arm)) + dot(angular[side], w);
    }
    if (!(impulse.h > 0)) return state;
    state.force = (impulse.linear[0] / impulse.h) * linear[0] + Vec3{};
    state.torque = (impulse.linear[0] / impulse.h) * angular[0] + Vec3{};
    return state;
}

} // namespace

JointState joint_state(const World::State& world, const JointRecord& joint, const JointImpulse& impulse) {
    if (joint.rows & ROWS_COUPLED) return coupling_state(world, joint, impulse);
    using namespace rigid;
    const DVec3 at[2] = {anchor_of(world, joint, 0), anchor_of(world, joint, 1)};
    const auto word = static_cast<whole>(joint.rows);
    const Vec3 gap = narrow(at[1] - at[0]);
    const rigid::quat fa = frame_of(world, joint, 0);
    JointReach reach;
    joint_reach(&reach, word, fa, frame_of(world, joint, 1), make_real3(gap.x, gap.y, gap.z));

    // speeds of the rows; what slides is held where the second anchor is
    Vec3 v[2], w[2];
    for (const int side : {0, 1}) {
        const std::uint32_t b = joint.body[side];
        w[side] = spin_of(world.bodies, b);
        v[side] =
            velocity_of(world.bodies, b) + cross(w[side], narrow(at[1] - exact_centre_of(world.bodies, b)));
    }
    const auto lane3 = [](const Vec3& a) { return make_real3(a.x, a.y, a.z); };
    const real3 apart = mat3_times(reach.linear, lane3(v[1] - v[0]));
    const real3 turning = mat3_times(reach.angular, lane3(w[1] - w[0]));
    const float stretch = greatest(reach.stretch, 1e-6f);
    // those of the first body against the second
    const float sign = joint.reversed ? 1.0f : -1.0f;
    const float where[ROWS_OF_JOINT] = {reach.apart.x, reach.apart.y, reach.apart.z,
                                        reach.angle.x, reach.angle.y, reach.angle.z / stretch};
    const float speed[ROWS_OF_JOINT] = {apart.x, apart.y, apart.z, turning.x, turning.y, turning.z / stretch};
    const JointKind& kind = kind_of(joint.type);
    JointState state;
    const float of_row = joint.rows & ROWS_LINE ? 1.0f : sign;
    state.coordinate = of_row * where[kind.coordinate];
    state.speed = of_row * speed[kind.coordinate];
    state.translation = of_row * Vec3{where[0], where[1], where[2]};
    state.rotation = sign * Vec3{where[3], where[4], where[5]};
    if (joint.rows & ROWS_CONE) state.rotation.x = where[3]; // an angle without a direction
    if (joint.type == JointType::six_axes && joint.definition) {
        const Quat turned = kind.fill(*joint.definition).turned;
        state.translation = rotate(turned, state.translation);
        state.rotation = rotate(turned, state.rotation);
    }
    if (!(impulse.h > 0)) return state;
    const float* l = impulse.linear;
    const real3 angular = make_real3(impulse.angular[0], impulse.angular[1], impulse.angular[2]);
    const real3 torque =
        word & ROWS_GIMBAL ? mat3_transposed_times(reach.angular, angular) : quat_rotated(fa, angular);
    // no force is 0, never -0
    state.force = (sign / impulse.h) * Vec3{l[0], l[1], l[2]} + Vec3{};
    state.torque = (sign / impulse.h) * Vec3{torque.x, torque.y, torque.z} + Vec3{};
    return state;
}

JointState World::state(JointId joint) const {
    const std::uint32_t j = index_of(*state_, joint);
    state_->simulation->fetch();
    const JointRecord& record = state_->joints.record[j];
    for (const std::uint32_t body : record.body) update_mass(*state_, body);
    return joint_state(*state_, record, state_->simulation->impulse(j));
}

World::JointError joint_error(const World::State& world, std::uint32_t j) {
    using namespace rigid;
    const JointRecord& joint = world.joints.record[j];
    if (joint.rows & ROWS_COUPLED) {
        const CouplingNow now = coupling_of(world, joint, world.simulation->impulse(j));
        const JointRow& row = joint.bounded[0];
        const float beyond = std::abs(now.at - std::clamp(now.at, row.low, row.high));
        if (joint.type == JointType::pulley) return {.distance = beyond, .angle = 0};
        // how far the teeth have slipped; a belt of equal wheels has none
        const float push = length3(now.gradient.linear_b);
        return {.distance = push > 1e-3f ? beyond / push : 0.0f, .angle = beyond};
    }
    const auto frame = [&](int side) { return frame_of(world, joint, side); };
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
