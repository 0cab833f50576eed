// SPDX-License-Identifier: MIT
// stepping.h — parts of a step shared by World and Worlds.
#pragma once

#include "world/state.h"

#include <string_view>

namespace scree {

/// Call after a step: tells of cloth, advances time and counters, removes the joints that broke.
void end_step(World::State& world, float dt);
/// What a user's contact function threw in the step.
void throw_of_callbacks(World::State& world);
/// Throws Error where something in the world cannot be solved so.
void check_solver(const World::State& world, const WorldSettings& settings);
/// Throws Error where the world's solver is Solver::impact, which has no such things.
void refuse_with_impacts(const WorldSettings& settings, std::string_view things);
/// World::change_settings, also allowed for a world of Worlds.
void change_all_settings(World::State& world, const WorldSettings& settings);

} // namespace scree
