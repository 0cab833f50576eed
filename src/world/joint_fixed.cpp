// SPDX-License-Identifier: MIT
// joint_fixed.cpp — no relative motion.

#include "world/joint_types.h"

namespace scree {

namespace {
JointRows fill(const JointDef& joint) {
    JointRows rows = held_point(joint);
    rows.row.fill(held_row);
    return rows;
}
} // namespace

const JointKind fixed_joint{JointType::fixed, "fixed", 0, no_check, fill, 5};

} // namespace scree
