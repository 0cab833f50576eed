// SPDX-License-Identifier: MIT
// joint_slider.cpp — the first body moves along an axis of the second and does not turn.

#include "world/joint_types.h"

namespace scree {

namespace {
JointRows fill(const JointDef& joint) {
    JointRows rows = held_point(joint);
    rows.reversed = true;
    rows.frame = frame_along(joint.axis);
    rows.row.fill(held_row);
    rows.row[2] = row_of({joint.limit, joint.drive}, false);
    return rows;
}
} // namespace

const JointKind slider_joint{JointType::slider, "slider", uses_axis | uses_motion, check_axis, fill, 2};

} // namespace scree
