// SPDX-License-Identifier: MIT
// joint_hinge.cpp — two anchor points coincide, and only rotation about an axis is left.

#include "world/joint_types.h"

namespace scree {

namespace {
JointRows fill(const JointDef& joint) {
    JointRows rows = held_point(joint);
    rows.frame = frame_along(joint.axis);
    rows.angular = AngularRows::tilt;
    rows.row[3] = rows.row[4] = held_row;
    rows.row[5] = row_of({joint.limit, joint.drive}, true, true);
    return rows;
}
} // namespace

const JointKind hinge_joint{JointType::hinge, "hinge", uses_axis | uses_motion, check_axis, fill, 5};

} // namespace scree
