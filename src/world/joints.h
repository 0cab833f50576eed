// SPDX-License-Identifier: MIT
// joints.h — joints from rows, and where their two halves are.
#pragma once

#include "world/joint_types.h"
#include "world/state.h"

#include <cstdint>
#include <functional>

namespace scree {

using JointFill = std::function<JointRows(const JointDef& joint, const Pose& first, const Pose& second)>;
/// A joint with the rows that `fill` makes, whatever the type of the definition.
JointId add_joint(World::State& world, const JointDef& joint, const JointFill& fill);

/// The anchor of a side in the world.
Vec3 anchor_of(const World::State& world, const JointRecord& joint, int side);
World::JointError joint_error(const World::State& world, const JointRecord& joint);

} // namespace scree
