// SPDX-License-Identifier: MIT
// joint_gear.cpp — two bodies turn about their axes in a ratio, as gears, or wheels with a belt.

#include "scree/error.h"
#include "world/joint_types.h"

namespace scree {

namespace {

void check(const JointDef& joint) {
    check_axis(joint);
    check_ratio(joint);
}

/// Angles are measured from the line between the centres, so there must be one, and it must not be an axis.
void complete(JointDef& joint, const DPose& first, const DPose& second) {
    if (!joint.second_anchor && !joint.frames)
        throw Error("expected the centre of the second gear", "second_anchor");
    const auto [a, b] = anchors_at(joint, first, second);
    const DVec3 line = b - a, z{0, 0, 1};
    const auto axis = [&](std::size_t k, const DPose& pose) {
        if (joint.frames) return rotate(pose.rotation * wide((*joint.frames)[k].rotation), z);
        return normalized(wide(k == 0 ? joint.axis : joint.second_axis.value_or(joint.axis)));
    };
    for (const DVec3& along : {axis(0, first), axis(1, second)}) {
        const DVec3 across = cross(along, line);
        if (!(dot(across, across) > 1e-4 * dot(line, line)))
            throw Error("the centre of one gear is on the axis of the other; expected them side by side",
                        "second_anchor");
    }
}

JointRows fill(const JointDef& joint) {
    JointRows rows = coupled_rows(joint, CoupledRow::gear, joint.limit.value_or(JointLimit{0, 0}));
    rows.frame = frame_along(joint.axis);
    if (joint.second_axis) rows.second_frame = frame_along(*joint.second_axis);
    return rows;
}

} // namespace

const JointKind gear_joint{
    JointType::gear, "gear", uses_axis | uses_limit | uses_second_anchor | uses_second_axis | uses_ratio,
    check,           fill,   0,
    complete};

} // namespace scree
