// SPDX-License-Identifier: MIT
// joints.h — where the two halves of a joint are.
#pragma once

#include "world/state.h"

#include <cstdint>

namespace scree {

/// The anchor of a side in the world.
Vec3 anchor_of(const World::State& world, const JointRecord& joint, int side);
World::JointError joint_error(const World::State& world, const JointRecord& joint);

} // namespace scree
