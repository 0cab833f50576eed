// SPDX-License-Identifier: MIT
// joint_rack.cpp — a pinion turns as a rack slides.

#include "scree/error.h"
#include "world/joint_types.h"

namespace scree {

namespace {

void check_across(const DVec3& axis, const DVec3& way) {
    const DVec3 across = cross(axis, way);
    if (!(dot(across, across) > 0.25 * dot(axis, axis) * dot(way, way)))
        throw Error("the rack slides along the pinion's axis; expected across it", "second_axis");
}

void check(const JointDef& joint) {
    check_axis(joint);
    check_ratio(joint);
    if (joint.second_axis && !joint.frames) check_across(wide(joint.axis), wide(*joint.second_axis));
}

void complete(JointDef& joint, const DPose& first, const DPose& second) {
    const DVec3 z{0, 0, 1};
    if (joint.frames)
        check_across(rotate(first.rotation * wide((*joint.frames)[0].rotation), z),
                     rotate(second.rotation * wide((*joint.frames)[1].rotation), z));
    else if (!joint.second_axis) throw Error("expected the way in which the rack slides", "second_axis");
}

JointRows fill(const JointDef& joint) {
    JointRows rows = coupled_rows(joint, CoupledRow::rack, joint.limit.value_or(JointLimit{0, 0}));
    rows.frame = frame_along(joint.axis);
    if (joint.second_axis) rows.second_frame = frame_along(*joint.second_axis);
    return rows;
}

} // namespace

const JointKind rack_joint{
    JointType::rack, "rack", uses_axis | uses_limit | uses_second_anchor | uses_second_axis | uses_ratio,
    check,           fill,   0,
    complete};

} // namespace scree
