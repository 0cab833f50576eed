// SPDX-License-Identifier: MIT
// joint_pulley.cpp — a rope from one body over two points of the world to another.

#include "scree/error.h"
#include "world/joint_types.h"

namespace scree {

namespace {

void check(const JointDef& joint) {
    check_ratio(joint);
    if (!(joint.ratio > 0)) throw Error("a rope pulls at both ends: expected more than 0", "ratio");
    if (joint.limit && joint.limit->high < 0) throw Error("a length is not negative", "limit.high");
    if (joint.break_torque != unlimited) throw Error("a rope has no torque", "break_torque");
}

void complete(JointDef& joint, const DPose& first, const DPose& second) {
    if (joint.length) return;
    const auto [a, b] = anchors_at(joint, first, second);
    joint.length =
        static_cast<float>(length(a - joint.ground[0]) + double{joint.ratio} * length(b - joint.ground[1]));
}

JointRows fill(const JointDef& joint) {
    return coupled_rows(joint, CoupledRow::pulley,
                        joint.limit.value_or(JointLimit{0, joint.length.value_or(0.0f)}));
}

} // namespace

const JointKind pulley_joint{JointType::pulley,
                             "pulley",
                             uses_limit | uses_length | uses_second_anchor | uses_ratio | uses_ground,
                             check,
                             fill,
                             0,
                             complete};

} // namespace scree
