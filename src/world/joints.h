// SPDX-License-Identifier: MIT
// joints.h — creates joints from rows, and computes their anchors and errors.
#pragma once

#include "world/joint_types.h"
#include "world/state.h"

#include <cstdint>
#include <functional>

namespace scree {

using JointFill = std::function<JointRows(const JointDef& joint, const DPose& first, const DPose& second)>;
/// Adds a joint with the rows of `fill`, independent of the definition's type.
JointId add_joint(World::State& world, const JointDef& joint, const JointFill& fill);

/// The anchor of a side (0 or 1) in world coordinates.
DVec3 anchor_of(const World::State& world, const JointRecord& joint, int side);
World::JointError joint_error(const World::State& world, const JointRecord& joint);

} // namespace scree
