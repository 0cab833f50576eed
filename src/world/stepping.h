// SPDX-License-Identifier: MIT
// stepping.h — parts of a step shared by World and Worlds.
#pragma once

#include "world/state.h"

namespace scree {

/// Call after a step: advances time and counters.
void count_step(World::State& world, float dt);
/// What a user's contact function threw in the step.
void throw_of_callbacks(World::State& world);
/// Throws Error where its cloth cannot be solved so.
void check_solver(const World::State& world, const WorldSettings& settings);
/// World::change_settings, also allowed for a world of Worlds.
void change_all_settings(World::State& world, const WorldSettings& settings);

} // namespace scree
