// SPDX-License-Identifier: MIT
// joint_wheel.cpp — a wheel spins about its axis, moves along the suspension's, and may be steered about that.

#include "scree/error.h"
#include "world/joint_types.h"

namespace scree {

namespace {

void check(const JointDef& joint) {
    check_axis(joint);
    if (joint.limit) throw Error("a wheel spins without a limit", "limit");
    if (joint.frames) return;
    const DVec3 a = wide(joint.axis), b = wide(joint.up), across = cross(a, b);
    if (!(dot(across, across) > 1e-6 * dot(a, a) * dot(b, b)) || !(dot(b, b) > 0))
        throw Error("the suspension's axis is zero or along that of the wheel", "up");
}

JointRows fill(const JointDef& joint) {
    JointRows rows = held_point(joint);
    rows.reversed = true;
    rows.frame = frame_along(joint.axis, joint.up);
    rows.angular = AngularRows::gimbal;
    rows.row[0] = row_of(joint.suspension, false);
    rows.row[3] = row_of(joint.steer, true);
    rows.row[4] = held_row;
    rows.row[5] = row_of({{}, joint.drive}, true);
    return rows;
}

} // namespace

const JointKind wheel_joint{JointType::wheel, "wheel", uses_axis | uses_motion | uses_wheel, check, fill, 5};

} // namespace scree
