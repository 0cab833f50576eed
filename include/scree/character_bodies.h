// SPDX-License-Identifier: MIT
// character_bodies.h — capsules for the bones of an animated model: bodies that follow its pose and push others, and fall as a ragdoll.
//
//     CharacterBodies bodies = make_character_bodies(world, model, pose, {.position = {0, 0, 0}});
//     follow(world, bodies, model, pose, at, dt);   // before each step: where the pose is after it
//     make_dynamic(world, bodies);                  // it falls
//     read_pose(world, bodies, model, at, pose);    // after each step: the pose to draw
#pragma once

#include "scree/skinned_model.h"
#include "scree/world.h"

#include <cstdint>
#include <vector>

namespace scree {

/// A capsule in the frame of a joint.
struct BoneCapsule {
    std::uint32_t joint = 0;
    std::int32_t parent = -1; ///< the capsule that it hangs on; -1: none
    Pose pose;                ///< of the capsule, whose axis is y, in the frame of the joint
    Capsule capsule;
};
struct CapsuleFit {
    float least_size = 0.06f; ///< of the model's largest extent: smaller limbs belong to the joint above
    float inside = 0.9f;      ///< share of a limb's vertices that its capsule's side holds
};
/// One for each joint that moves enough vertices, around the vertices that follow it most in the pose in which the mesh was bound. Parents
/// come first. Throws Error for options out of range, and for a model none of whose joints moves enough.
std::vector<BoneCapsule> fit_capsules(const SkinnedModel& model, const CapsuleFit& fit = {});

struct CharacterBodies {
    std::vector<BoneCapsule> capsules;
    std::vector<BodyId> bodies;  ///< one for each capsule, at its middle
    std::vector<JointId> joints; ///< to the capsules' parents
};

struct CharacterBodiesDef {
    DVec3 position{}; ///< of the model's origin
    Quat rotation{};
    bool dynamic = false; ///< a ragdoll from the start; default: kinematic
    CapsuleFit fit{};
    float swing = 0.9f; ///< rad: cone of the ball joints about the pose in which the mesh was bound
    float twist = 0.6f; ///< rad, to either side
    /// of the joints' turns: N m for each kg of the character and m of its height
    float friction = 0.01f;
    /// density, material and filter; its pose is not used. Filter::group 0: one of its own, so that the capsules do not collide with one
    /// another
    ShapeDef shape{};
    BodyDef body{}; ///< damping and the like; type, pose and name are not used
};

/// The joint of a capsule to its parent, without bodies: a ball with limits, its frames in the two bodies.
JointDef capsule_joint(const SkinnedModel& model, const std::vector<BoneCapsule>& capsules, std::size_t which,
                       const CharacterBodiesDef& def);
/// Where the body of a capsule is, for poses of the joints in the frame of the model.
DPose capsule_place(const BoneCapsule& capsule, const std::vector<Pose>& joints, const DPose& at);

/// Throws Error for values out of range, as World does. Nothing is added to the world then.
CharacterBodies make_character_bodies(World& world, const SkinnedModel& model, const ModelPose& pose,
                                      const CharacterBodiesDef& def = {});
/// Gives kinematic bodies the velocities that take them in a step of `dt` to a pose of the model placed at `at`.
void follow(World& world, const CharacterBodies& bodies, const SkinnedModel& model, const ModelPose& pose,
            const DPose& at, float dt);
/// The bodies keep the velocities with which they followed.
void make_dynamic(World& world, const CharacterBodies& bodies);
void make_kinematic(World& world, const CharacterBodies& bodies);
/// Puts the joints that have bodies where these are, for a model placed at `at`; the other joints keep their place on their parents.
void read_pose(const World& world, const CharacterBodies& bodies, const SkinnedModel& model, const DPose& at,
               ModelPose& pose);
/// The same from poses of the bodies in the world.
void read_pose(const std::vector<DPose>& bodies, const std::vector<BoneCapsule>& capsules,
               const SkinnedModel& model, const DPose& at, ModelPose& pose);

} // namespace scree
