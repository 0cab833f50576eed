// SPDX-License-Identifier: MIT
// box3d_human.cpp — the ragdoll of Box3D's benchmark `rain`: fourteen capsules held by cones and hinges.
//
// Sizes, frames and limits are those of shared/human.c of Box3D 0.1.0 (Catto 2026). Box3D's joints have a spring and friction
// about all axes beside the limits. Here a second joint has the friction, and the spring acts on the twist alone.
#include "box3d_scenes.h"
#include "rigid_piles.h"
#include "scene/rotation.h"

#include <array>
#include <memory>
#include <numbers>

namespace scree::bench {

namespace {

struct Frame {
    Vec3 position;
    Quat rotation;
};
struct Bone {
    int parent; ///< -1: none
    Frame start;
    Vec3 from, to; ///< of the capsule's segment
    float radius;
    Frame on_parent, own;
    float swing;                ///< degrees; below 0: a hinge
    std::array<float, 2> twist; ///< degrees
    float friction;             ///< a share of the figure's
    bool grouped;               ///< does not collide with other grouped bones of its cell
};
// clang-format off
constexpr Bone bones[14] = {
    {-1, {{0, 0.932087f, -0.051708f}, {0.739169f, 0, 0, 0.67352f}}, {0.07f, 0, -0.08f}, {-0.07f, 0, -0.08f}, 0.13f,
     {{0, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 1}}, -1, {0, 0}, 1, false},
    {0, {{0, 1.113505f, -0.03481f}, {0.739973f, 0, 0, 0.672637f}}, {0.06f, 0, -0.052264f}, {-0.06f, 0, -0.052264f}, 0.12f,
     {{0, 0, -0.182204f}, {-0.999999f, 0, 0, 0.001194f}}, {{0, 0, -0.007736f}, {-1, 0, 0, 0}}, 25, {-15, 15}, 1, true},
    {1, {{0, 1.194336f, -0.027087f}, {0.703611f, 0, 0, 0.710586f}}, {0.08f, -0.015133f, -0.091801f}, {-0.08f, -0.015133f, -0.091801f}, 0.1f,
     {{0, 0, -0.088935f}, {-0.998619f, 0, 0, -0.05254f}}, {{0, 0, -0.008199f}, {-1, 0, 0, 0}}, 25, {-15, 15}, 1, false},
    {2, {{0, 1.31043f, -0.028232f}, {0.669856f, 0, 0, 0.742491f}}, {0.11f, -0.039753f, -0.13f}, {-0.11f, -0.039753f, -0.13f}, 0.145f,
     {{0, 0, -0.124298f}, {-0.998921f, 0, 0, -0.046434f}}, {{0, 0, 0}, {-1, 0, 0, 0}}, 15, {-10, 10}, 1, false},
    {3, {{0, 1.575582f, -0.055837f}, {0.879922f, 0, 0, 0.475118f}}, {0, 0, -0.02f}, {0, -0.005f, -0.08f}, 0.07f,
     {{0, -0.000259f, -0.266585f}, {-0.942192f, 0, 0, 0.335074f}}, {{0, 0, 0}, {-1, 0, 0, 0}}, 45, {-15, 15}, 0.8f, false},
    {4, {{0, 1.653348f, -0.003241f}, {0.750288f, 0, 0, 0.661111f}}, {0, 0.016892f, -0.05869f}, {0, -0.003629f, -0.115072f}, 0.0975f,
     {{0, 0.001321f, -0.093873f}, {-0.974301f, 0, 0, -0.225251f}}, {{0, 0.001268f, -0.005104f}, {-1, 0, 0, 0}}, 15, {-15, 15}, 0.4f, false},
    {0, {{0.090416f, 0.986104f, -0.03509f}, {-0.703287f, -0.070715f, 0.053866f, 0.705327f}}, {0.023719f, 0.006008f, -0.039068f}, {-0.064492f, -0.004664f, -0.424718f}, 0.09f,
     {{0.05f, 0.011537f, -0.055325f}, {-0.714896f, -0.022305f, -0.698361f, -0.02679f}}, {{0, 0, 0}, {-0.002064f, 0.758987f, 0.017046f, 0.65088f}}, 10, {-60, 40}, 1, true},
    {6, {{0.101198f, 0.527027f, -0.037374f}, {-0.653328f, -0.06686f, 0.058582f, 0.751838f}}, {0.001778f, 0, 0.009841f}, {-0.078577f, 0.014707f, -0.41816f}, 0.075f,
     {{-0.069989f, 0.000253f, -0.453844f}, {-0.000677f, 0.760087f, 0.105674f, 0.641171f}}, {{0, 0, 0}, {-0.044589f, 0.76554f, 0.053368f, 0.639619f}}, -1, {-5, 45}, 1, false},
    {0, {{-0.090416f, 0.986104f, -0.03509f}, {-0.703287f, 0.070715f, -0.053865f, 0.705326f}}, {-0.023719f, 0.006008f, -0.039068f}, {0.064492f, -0.004664f, -0.424718f}, 0.09f,
     {{-0.05f, 0.011537f, -0.055326f}, {-0.039089f, -0.714094f, 0.043177f, 0.697623f}}, {{0, 0, 0}, {0.758805f, -0.019886f, -0.651012f, -0.001759f}}, 10, {-30, 60}, 1, true},
    {8, {{-0.101198f, 0.527027f, -0.037373f}, {-0.653327f, 0.06686f, -0.058582f, 0.751839f}}, {-0.00182f, 0, 0.010071f}, {0.077883f, 0.014825f, -0.418047f}, 0.075f,
     {{0.069988f, 0.000253f, -0.453844f}, {0.760086f, -0.000675f, -0.641171f, -0.105676f}}, {{0, 0, 0}, {0.76554f, -0.044589f, -0.639619f, -0.053368f}}, -1, {-45, 5}, 1, false},
    {3, {{0.20378f, 1.484275f, -0.115897f}, {0.143082f, 0.69598f, -0.69013f, 0.13733f}}, {0, 0, 0}, {-0.091118f, 0.037775f, 0.229719f}, 0.075f,
     {{0.20378f, -0.069369f, -0.181921f}, {-0.278486f, 0.4456f, -0.097014f, 0.845266f}}, {{0, 0, 0}, {-0.201396f, -0.001586f, 0.90185f, 0.382234f}}, 60, {-5, 5}, 1, false},
    {10, {{0.305614f, 1.242908f, -0.117599f}, {0.165048f, 0.563437f, -0.802002f, 0.109959f}}, {0, 0, 0}, {-0.142406f, 0.039392f, 0.261092f}, 0.05f,
     {{-0.095482f, 0.039584f, 0.240723f}, {0.512487f, -0.180629f, 0.839474f, 0.003742f}}, {{0, 0, 0}, {0.503803f, -0.029831f, 0.858168f, 0.094017f}}, -1, {-5, 60}, 1, false},
    {3, {{-0.20378f, 1.484276f, -0.115899f}, {0.143083f, -0.695978f, 0.690132f, 0.137329f}}, {0, 0, 0}, {0.091118f, 0.037775f, 0.229718f}, 0.075f,
     {{-0.203779f, -0.069371f, -0.181922f}, {-0.253621f, -0.414842f, 0.106962f, 0.867261f}}, {{0, 0, 0}, {-0.201397f, 0.001587f, -0.90185f, 0.382233f}}, 60, {-5, 5}, 1, false},
    {12, {{-0.305614f, 1.242907f, -0.117599f}, {0.165048f, -0.563437f, 0.802002f, 0.109959f}}, {0, 0, 0}, {0.142406f, 0.039392f, 0.261092f}, 0.05f,
     {{0.095484f, 0.039585f, 0.240723f}, {-0.180627f, 0.512487f, -0.003744f, -0.839474f}}, {{0, 0, 0}, {-0.029831f, 0.503803f, -0.094017f, -0.858169f}}, -1, {-60, 5}, 1, false}};
// clang-format on

constexpr float friction_torque = 5; // N m
constexpr JointSpring pose_spring{.hertz = 1, .damping_ratio = 0.7f};

RigidShape::Part capsule_between(const Bone& bone) {
    const DVec3 along = wide(bone.to) - wide(bone.from);
    RigidShape::Part part =
        box3d_part(Capsule{.half_height = static_cast<float>(0.5 * length(along)), .radius = bone.radius});
    part.definition.position = narrow(0.5 * (wide(bone.from) + wide(bone.to)));
    part.definition.rotation = rotation_from_y(along).value_or(Quat{});
    part.definition.material.rolling_resistance = 0.2f * bone.radius;
    return part;
}

} // namespace

std::uint32_t add_human_shapes(BenchScene& scene, int group) {
    const auto first = static_cast<std::uint32_t>(scene.rigid.shapes.size());
    for (const Bone& bone : bones) {
        RigidShape::Part part = capsule_between(bone);
        if (bone.grouped) part.definition.filter.group = -1 - group;
        add_shape(scene, {part});
    }
    return first;
}

void add_human(BenchScene& scene, std::uint32_t first_shape, Vec3 position) {
    const auto first = static_cast<std::uint32_t>(scene.rigid.bodies.size());
    for (std::uint32_t i = 0; i < std::size(bones); ++i) {
        const Bone& bone = bones[i];
        scene.rigid.bodies.push_back(body_at(first_shape + i, position + bone.start.position,
                                             narrow(normalized(wide(bone.start.rotation)))));
        if (bone.parent < 0) continue;
        constexpr float degree = std::numbers::pi_v<float> / 180;
        const std::array<JointFrame, 2> frames{
            JointFrame{bone.own.position, narrow(normalized(wide(bone.own.rotation)))},
            JointFrame{bone.on_parent.position, narrow(normalized(wide(bone.on_parent.rotation)))}};
        JointDef held{.first = {},
                      .frames = frames,
                      .limit = JointLimit{bone.twist[0] * degree, bone.twist[1] * degree},
                      .drive = pose_spring};
        if (bone.swing >= 0) held.swing = bone.swing * degree;
        JointDef rubbing{.first = {}, .frames = frames};
        const JointFriction friction{bone.friction * friction_torque};
        rubbing.axes[5].drive = friction;
        if (bone.swing >= 0) rubbing.axes[3].drive = rubbing.axes[4].drive = friction;
        RigidJointDef joint;
        joint.first = first + i;
        joint.second = first + static_cast<std::uint32_t>(bone.parent);
        joint.type = bone.swing >= 0 ? JointType::ball : JointType::hinge;
        joint.motion = std::make_shared<const JointDef>(held);
        scene.rigid.joints.push_back(joint);
        joint.type = JointType::six_axes;
        joint.motion = std::make_shared<const JointDef>(rubbing);
        scene.rigid.joints.push_back(joint);
    }
}

} // namespace scree::bench
