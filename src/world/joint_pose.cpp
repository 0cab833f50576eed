// SPDX-License-Identifier: MIT
// joint_pose.cpp — springs drive the first body to a pose in the frame of the second.

#include "world/joint_types.h"

#include <algorithm>

namespace scree {

namespace {
JointRows fill(const JointDef& joint) {
    const JointPose& pose = joint.pose;
    JointRows rows;
    rows.reversed = true;
    // forces are limited along the second body's axes: the frame that is turned is the first one's
    rows.local = {JointFrame{{}, conjugate(normalized(pose.rotation))}, JointFrame{pose.position, {}}};
    for (std::size_t k = 0; k < rows.row.size(); ++k)
        rows.row[k] = {.hertz = pose.hertz,
                       .damping = pose.damping_ratio,
                       .max_force = std::min(k < 3 ? pose.max_force : pose.max_torque, row_unlimited)};
    return rows;
}
} // namespace

const JointKind pose_joint{JointType::pose, "pose", uses_pose, no_check, fill, 2};

} // namespace scree
