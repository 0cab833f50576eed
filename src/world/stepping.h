// SPDX-License-Identifier: MIT
// stepping.h — what World does for itself and Worlds for each of many.
#pragma once

#include "world/state.h"

namespace scree {

/// A step was done.
void count_step(World::State& world, float dt);
/// Whether or not it is among many.
void change_all_settings(World::State& world, const WorldSettings& settings);

} // namespace scree
