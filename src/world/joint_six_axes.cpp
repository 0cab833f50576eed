// SPDX-License-Identifier: MIT
// joint_six_axes.cpp — every way to move is free, limited, locked or driven.

#include "world/joint_types.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

/// How far the rotation about an axis may go.
float reach_of(const JointAxis& axis) {
    if (!axis.limit) return unlimited;
    return std::max(std::abs(axis.limit->low), std::abs(axis.limit->high));
}

JointRows fill(const JointDef& joint) {
    JointRows rows{.anchor = {joint.anchor, joint.anchor}};
    rows.local = joint.frames;
    rows.reversed = true;
    rows.angular = AngularRows::gimbal;
    // three turns one after the other: the one in the middle must stay within a right angle, so it is the least one
    std::size_t middle = 1;
    for (const std::size_t k : {0u, 2u})
        if (reach_of(joint.axes[3 + k]) < reach_of(joint.axes[3 + middle])) middle = k;
    constexpr float half = 0.5f; // a third of a turn about (1, 1, 1) takes x to y, y to z and z to x
    if (middle == 2) rows.turned = {half, half, half, half};
    if (middle == 0) rows.turned = {-half, -half, -half, half};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t own = (k + middle + 2) % 3;
        rows.row[k] = row_of(joint.axes[own], false);
        rows.row[3 + k] = row_of(joint.axes[3 + own], true);
    }
    return rows;
}

} // namespace

const JointKind six_axes_joint{JointType::six_axes, "six_axes", uses_axes, no_check, fill, 2};

} // namespace scree
