// SPDX-License-Identifier: MIT
// joints.cpp — joints of rigid scenes.
#include "scene/fields.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/joint_types.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace scree {

namespace {

JointLimit read_limit(const Field& entry) {
    const Fields fields(entry, format::joint_limit);
    JointLimit limit;
    if (const auto low = fields.find("low")) limit.low = low->number();
    if (const auto high = fields.find("high")) limit.high = high->number();
    if (limit.low > limit.high) entry.fail("\"low\" is above \"high\"");
    return limit;
}

float most(const Fields& fields, std::string_view key) {
    const auto field = fields.find(key);
    return field ? field->number(not_negative) : unlimited;
}

/// "motor", "spring" or "friction", at most one of them.
JointDrive read_drive(const Fields& fields) {
    const auto motor = fields.find("motor"), spring = fields.find("spring"),
               friction = fields.find("friction");
    if (motor.has_value() + spring.has_value() + friction.has_value() > 1)
        fields.field().fail("expected only one of \"motor\", \"spring\" and \"friction\"");
    if (motor) {
        const Fields of(*motor, format::joint_motor);
        return JointMotor{of.at("speed").number(), most(of, "max_force")};
    }
    if (spring) {
        const Fields of(*spring, format::joint_spring);
        JointSpring usual;
        return JointSpring{of.number("hertz", usual.hertz, positive),
                           of.number("damping_ratio", usual.damping_ratio, not_negative),
                           of.number("target", usual.target), most(of, "max_force")};
    }
    if (friction) return JointFriction{friction->number(not_negative)};
    return {};
}

JointAxis read_axis(const Field& entry) {
    const Fields fields(entry, format::joint_axis);
    JointAxis axis{.drive = read_drive(fields)};
    if (const auto limit = fields.find("limit")) axis.limit = read_limit(*limit);
    if (const auto locked = fields.find("locked"); locked && locked->flag()) axis = locked_axis;
    return axis;
}

void read_axes(const Field& entry, std::array<JointAxis, 6>& axes) {
    constexpr std::string_view names[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
    const Fields fields(entry, format::joint_axes);
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (const auto axis = fields.find(names[k])) axes[k] = read_axis(*axis);
}

JointPose read_pose(const Field& entry) {
    const Fields fields(entry, format::joint_pose);
    JointPose pose;
    pose.position = wide(fields.vector("position", {}));
    if (const auto rotation = fields.find("rotation")) pose.rotation = rotation->rotation();
    pose.hertz = fields.number("hertz", pose.hertz, positive);
    pose.damping_ratio = fields.number("damping_ratio", pose.damping_ratio, not_negative);
    pose.max_force = most(fields, "max_force"), pose.max_torque = most(fields, "max_torque");
    return pose;
}

/// Most joints of large scenes have none.
constexpr std::string_view moving_keys[] = {
    "second_anchor", "limit", "motor",       "spring", "friction",   "swing",
    "length",        "up",    "axes",        "pose",   "suspension", "break_force",
    "break_torque",  "steer", "second_axis", "ratio",  "ground"};

} // namespace

RigidJointDef read_joint(const Field& entry, const RigidBodyList& bodies) {
    const Fields fields(entry, format::joint);
    RigidJointDef joint;
    joint.type = static_cast<JointType>(fields.at("type").choice(joint_names()));
    joint.first = bodies.body(fields.at("first"));
    if (auto second = fields.find("second")) {
        joint.second = bodies.body(*second);
        if (*joint.second == joint.first) second->refuse("another body than \"first\"");
    }
    joint.anchor = fields.at("anchor").vector();
    if (auto collide = fields.find("collide")) joint.collide = collide->flag();

    JointDef motion;
    if (const auto anchor = fields.find("second_anchor")) motion.second_anchor = wide(anchor->vector());
    if (const auto axis = fields.find("second_axis")) motion.second_axis = axis->vector();
    motion.ratio = fields.number("ratio", motion.ratio);
    if (const auto ground = fields.find("ground"))
        for (std::size_t k = 0; k < ground->list(2, 2); ++k) motion.ground[k] = wide((*ground)[k].vector());
    if (const auto limit = fields.find("limit")) motion.limit = read_limit(*limit);
    motion.drive = read_drive(fields);
    if (const auto swing = fields.find("swing")) motion.swing = swing->number(not_negative);
    if (const auto length = fields.find("length")) motion.length = length->number(not_negative);
    if (const auto suspension = fields.find("suspension")) motion.suspension = read_axis(*suspension);
    if (const auto steer = fields.find("steer")) motion.steer = read_axis(*steer);
    if (const auto axes = fields.find("axes")) read_axes(*axes, motion.axes);
    if (const auto pose = fields.find("pose")) motion.pose = read_pose(*pose);
    if (const auto up = fields.find("up")) motion.up = up->vector();
    if (const auto force = fields.find("break_force")) motion.break_force = force->number(positive);
    if (const auto torque = fields.find("break_torque")) motion.break_torque = torque->number(positive);

    const bool swings =
        joint.type == JointType::ball && (motion.swing || motion.limit || motion.drive.index());
    if (auto axis = fields.find("axis")) {
        joint.axis = axis->vector();
        if (joint.axis == Vec3{}) axis->refuse("an axis longer than 0");
        if (!kind_of(joint.type).has_axis() && !swings)
            axis->fail("only a joint of \"type\": \"" + listed_joint_names(true) + "\" has an axis");
    } else if (kind_of(joint.type).has_axis() || swings) {
        entry.fail("the key \"axis\" is missing");
    }
    try {
        JointDef whole = motion;
        whole.type = joint.type, whole.axis = joint.axis;
        check(whole);
    } catch (const Error& error) {
        entry.fail(std::string(error.where()) + ": " + std::string(error.what()));
    }
    if (std::any_of(std::begin(moving_keys), std::end(moving_keys),
                    [&](std::string_view key) { return fields.has(key); }))
        joint.motion = std::make_shared<const JointDef>(motion);
    return joint;
}

} // namespace scree
