// SPDX-License-Identifier: MIT
// joint_distance.cpp — two anchors stay at a distance, in a range of distances, or on a spring.

#include "scree/error.h"
#include "world/joint_types.h"

#include <algorithm>

namespace scree {

namespace {
void complete(JointDef& joint, const DPose& first, const DPose& second) {
    const auto [a, b] = anchors_at(joint, first, second);
    if (!joint.length) joint.length = static_cast<float>(length(b - a));
}

JointRows fill(const JointDef& joint) {
    JointRows rows{.anchor = {joint.anchor, joint.second_anchor.value_or(joint.anchor)}};
    rows.local = joint.frames;
    rows.reversed = true;
    rows.linear = LinearRows::line;
    const float length = joint.length.value_or(0.0f);
    JointRow& row = rows.row[0];
    if (!joint.limit && joint.drive.index() == 0) {
        row = {.low = length, .high = length};
        return rows;
    }
    row = row_of({joint.limit, joint.drive}, false);
    if (row.low != 0 || row.high != 0) row.low = std::max(row.low, 0.0f);
    if (std::holds_alternative<JointSpring>(joint.drive)) row.target += length;
    return rows;
}

void check(const JointDef& joint) {
    if (joint.limit && joint.limit->high < 0) throw Error("a distance is not negative", "limit.high");
}
} // namespace

const JointKind distance_joint{JointType::distance,
                               "distance",
                               uses_motion | uses_length | uses_second_anchor,
                               check,
                               fill,
                               0,
                               complete};

} // namespace scree
