// SPDX-License-Identifier: MIT
// ragdoll.cpp — see scree/ragdoll.h.

#include "world/ragdoll_plan.h"

#include "world/checks.h"

#include <cmath>

namespace scree {

namespace {

constexpr Vec3 x{1, 0, 0}, up{0, 1, 0}, down{0, -1, 0};
constexpr auto ball = JointType::ball, hinge = JointType::hinge;

} // namespace

// knees bend back and elbows forward: a positive turn about x takes what hangs down backwards
const std::array<RagdollPart, Ragdoll::parts> ragdoll_plan{{
    {"pelvis", -1, {-0.045f, 0, 0}, {0.045f, 0, 0}, 0.065f, {}, ball, up, 0, {}},
    {"chest", 0, {0, 0.12f, 0}, {0, 0.23f, 0}, 0.085f, {0, 0.055f, 0}, ball, up, 0.5f, {-0.5f, 0.5f}},
    {"head", 1, {0, 0.4f, 0}, {0, 0.435f, 0}, 0.06f, {0, 0.33f, 0}, ball, up, 0.7f, {-1, 1}},
    {"left_upper_arm",
     1,
     {0.135f, 0.265f, 0},
     {0.135f, 0.125f, 0},
     0.03f,
     {0.135f, 0.28f, 0},
     ball,
     down,
     1.4f,
     {-0.8f, 0.8f}},
    {"left_lower_arm",
     3,
     {0.135f, 0.07f, 0},
     {0.135f, -0.06f, 0},
     0.026f,
     {0.135f, 0.1f, 0},
     hinge,
     x,
     0,
     {-2.3f, 0.05f}},
    {"right_upper_arm",
     1,
     {-0.135f, 0.265f, 0},
     {-0.135f, 0.125f, 0},
     0.03f,
     {-0.135f, 0.28f, 0},
     ball,
     down,
     1.4f,
     {-0.8f, 0.8f}},
    {"right_lower_arm",
     5,
     {-0.135f, 0.07f, 0},
     {-0.135f, -0.06f, 0},
     0.026f,
     {-0.135f, 0.1f, 0},
     hinge,
     x,
     0,
     {-2.3f, 0.05f}},
    {"left_thigh",
     0,
     {0.055f, -0.07f, 0},
     {0.055f, -0.22f, 0},
     0.045f,
     {0.055f, -0.04f, 0},
     ball,
     down,
     1.1f,
     {-0.4f, 0.4f}},
    {"left_shin",
     7,
     {0.055f, -0.3f, 0},
     {0.055f, -0.45f, 0},
     0.035f,
     {0.055f, -0.26f, 0},
     hinge,
     x,
     0,
     {-0.05f, 2.3f}},
    {"right_thigh",
     0,
     {-0.055f, -0.07f, 0},
     {-0.055f, -0.22f, 0},
     0.045f,
     {-0.055f, -0.04f, 0},
     ball,
     down,
     1.1f,
     {-0.4f, 0.4f}},
    {"right_shin",
     9,
     {-0.055f, -0.3f, 0},
     {-0.055f, -0.45f, 0},
     0.035f,
     {-0.055f, -0.26f, 0},
     hinge,
     x,
     0,
     {-0.05f, 2.3f}},
}};

RagdollCapsule ragdoll_capsule(const RagdollPart& part, const DPose& at, double height) {
    const DVec3 from = wide(part.from), to = wide(part.to), way = to - from;
    // a capsule lies along y: the pelvis across, everything else upright
    const double half = std::sqrt(0.5);
    return {
        {apply(at, height * 0.5 * (from + to)),
         at.rotation * (way.x != 0 ? DQuat{0, 0, half, half} : DQuat{})},
        Capsule{static_cast<float>(0.5 * height * length(way)), part.radius * static_cast<float>(height)}};
}

JointDef ragdoll_joint(const RagdollPart& part, const DPose& at, double height, bool limits, float friction) {
    JointDef joint{.type = part.type, .first = {}};
    joint.anchor = apply(at, height * wide(part.joint));
    joint.axis = narrow(rotate(at.rotation, wide(part.axis)));
    if (limits) {
        joint.limit = part.limit;
        if (part.type == JointType::ball) joint.swing = part.swing;
    }
    if (friction > 0) joint.drive = JointFriction{friction};
    return joint;
}

Ragdoll make_ragdoll(World& world, const RagdollDef& def) {
    check_positive(def.height, "height");
    check_not_negative(def.friction, "friction");
    check(def.shape);
    check(def.body);
    check_finite(def.position, "position");
    const DPose at{def.position, wide(unit_rotation(def.rotation, "rotation"))};
    const double height = double{def.height};

    Ragdoll doll;
    BodyDef body = def.body;
    body.name.clear();
    ShapeDef shape = def.shape;
    shape.position = {}, shape.rotation = {};
    float mass = 0;
    for (std::size_t k = 0; k < doll.bodies.size(); ++k) {
        const RagdollCapsule part = ragdoll_capsule(ragdoll_plan[k], at, height);
        body.position = part.pose.position;
        body.rotation = narrow(part.pose.rotation);
        doll.bodies[k] = world.create_body(body);
        world.attach(doll.bodies[k], part.capsule, shape);
        mass += world.mass(doll.bodies[k]).mass;
    }
    for (std::size_t k = 1; k < doll.bodies.size(); ++k) {
        const RagdollPart& part = ragdoll_plan[k];
        JointDef joint = ragdoll_joint(part, at, height, def.limits, def.friction * mass * def.height);
        joint.first = doll.bodies[k];
        joint.second = doll.bodies[static_cast<std::size_t>(part.on)];
        doll.joints[k - 1] = world.create_joint(joint);
    }
    return doll;
}

} // namespace scree
