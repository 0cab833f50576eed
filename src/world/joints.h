// SPDX-License-Identifier: MIT
// joints.h — creates joints from rows, and computes their anchors and errors.
#pragma once

#include "world/joint_types.h"
#include "world/state.h"

#include <cstdint>
#include <functional>

namespace scree {

/// May complete the definition that the joint keeps.
using JointFill = std::function<JointRows(JointDef& joint, const DPose& first, const DPose& second)>;
/// Adds a joint with the rows of `fill`, independent of the definition's type.
JointId add_joint(World::State& world, const JointDef& joint, const JointFill& fill);

/// The anchor of a side (0 or 1) in world coordinates.
DVec3 anchor_of(const World::State& world, const JointRecord& joint, int side);
/// Whether limits, drives, lengths and the like are equal; not bodies, anchors and axes.
bool same_motion(const JointDef& a, const JointDef& b);
/// After a step: destroys joints that exceeded their largest force, and lists them.
void remove_broken(World::State& world);
JointState joint_state(const World::State& world, const JointRecord& joint, const JointImpulse& impulse);
World::JointError joint_error(const World::State& world, std::uint32_t joint);

} // namespace scree
