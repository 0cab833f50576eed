// SPDX-License-Identifier: MIT
// ragdoll.h — a figure of capsules: eleven bodies, ten joints with limits.
//
//     Ragdoll doll = make_ragdoll(world, {.position = {0, 3, 0}});
//     world.apply_impulse(doll.bodies[Ragdoll::head], {20, 0, 0});
#pragma once

#include "scree/world.h"

#include <array>

namespace scree {

struct Ragdoll {
    enum Part {
        pelvis,
        chest,
        head,
        left_upper_arm,
        left_lower_arm,
        right_upper_arm,
        right_lower_arm,
        left_thigh,
        left_shin,
        right_thigh,
        right_shin,
        parts
    };
    std::array<BodyId, parts> bodies{};
    std::array<JointId, parts - 1> joints{}; ///< joints[k - 1] holds part k to the one it hangs on
};

struct RagdollDef {
    DVec3 position{};       ///< of the pelvis
    Quat rotation{};        ///< it stands along y and looks along z
    float height = 1.8f;    ///< m
    bool limits = true;     ///< elbows and knees bend one way, shoulders, hips, spine and neck stay in cones
    float friction = 0.02f; ///< of the joints' turns: N m for each kg of the doll and m of its height
    ShapeDef shape{};       ///< density, material and filter; its pose is not used
    BodyDef body{};         ///< damping, velocity and the like; pose and name are not used
};

/// Throws Error for a height that is not positive, or parts that are not valid. Nothing is added to the world then.
Ragdoll make_ragdoll(World& world, const RagdollDef& ragdoll = {});

} // namespace scree
