// SPDX-License-Identifier: MIT
// joint_hinge.cpp — two anchor points coincide, and only rotation about an axis is left.

#include "world/joint_types.h"

namespace scree {

namespace {
JointRows fill(const JointDef& joint, const DPose&, const DPose&) {
    JointRows rows = held_point(joint);
    rows.frame = frame_along(joint.axis);
    rows.angular = AngularRows::tilt;
    rows.row[3] = rows.row[4] = held_row;
    return rows;
}
} // namespace

const JointKind hinge_joint{JointType::hinge, "hinge", true, check_axis, fill};

} // namespace scree
