// SPDX-License-Identifier: MIT
// joint_ball.cpp — two anchor points coincide.

#include "world/joint_types.h"

namespace scree {

namespace {
JointRows fill(const JointDef& joint, const DPose&, const DPose&) { return held_point(joint); }
} // namespace

const JointKind ball_joint{JointType::ball, "ball", false, no_check, fill};

} // namespace scree
