// SPDX-License-Identifier: MIT
// joint_ball.cpp — two anchor points coincide; the axes stay in a cone about each other, the twist in a range.

#include "world/joint_types.h"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace scree {

namespace {

bool is_limited(const JointDef& joint) { return joint.swing || joint.limit || joint.drive.index() != 0; }

void check(const JointDef& joint) {
    if (is_limited(joint)) check_axis(joint);
}

JointRows fill(const JointDef& joint) {
    JointRows rows = held_point(joint);
    if (joint.axis != Vec3{}) rows.frame = frame_along(joint.axis);
    if (!is_limited(joint)) return rows;
    rows.angular = AngularRows::cone;
    if (joint.swing) rows.row[3] = row_of({JointLimit{-unlimited, std::max(*joint.swing, 1e-3f)}}, true);
    rows.row[3].low = free_row.low; // a swing through the axis itself is free
    rows.row[5] = row_of({joint.limit, joint.drive}, true, true);
    // motors and springs turn the twist, friction resists every turn: the swing and the way around the cone too
    if (const auto* friction = std::get_if<JointFriction>(&joint.drive))
        for (const std::size_t k : {3u, 4u})
            rows.row[k].max_force = row_of({.drive = *friction}, true).max_force;
    return rows;
}

} // namespace

const JointKind ball_joint{JointType::ball, "ball", uses_motion | uses_swing, check, fill, 5};

} // namespace scree
