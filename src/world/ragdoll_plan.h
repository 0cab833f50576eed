// SPDX-License-Identifier: MIT
// ragdoll_plan.h — where the parts of a ragdoll are, and how they are joined; for make_ragdoll and scenes.
#pragma once

#include "scree/ragdoll.h"

#include <array>

namespace scree {

/// A part of a doll of height 1 that stands at the origin by its pelvis, looks along z and has its arms at its sides.
struct RagdollPart {
    const char* name;
    int on;        ///< the part it hangs on; -1: none
    Vec3 from, to; ///< ends of the capsule's axis
    float radius;
    Vec3 joint;
    JointType type;
    Vec3 axis;        ///< of a hinge; of a ball the direction of the part
    float swing;      ///< rad, of a ball
    JointLimit limit; ///< rad: twist of a ball, bend of a hinge
};
extern const std::array<RagdollPart, Ragdoll::parts> ragdoll_plan;

/// The capsule of a part, at a pose and height.
struct RagdollCapsule {
    DPose pose;
    Capsule capsule;
};
RagdollCapsule ragdoll_capsule(const RagdollPart& part, const DPose& at, double height);
/// The joint of a part, at a pose and height; without bodies.
JointDef ragdoll_joint(const RagdollPart& part, const DPose& at, double height, bool limits, float friction);

} // namespace scree
