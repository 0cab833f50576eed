// SPDX-License-Identifier: MIT
// warnings.h — looks for likely mistakes of a world's user (scree/warning.h).
#pragma once

#include "world/state.h"

namespace scree {

/// Hands the text to the handler of scree/warning.h.
void warn(const std::string& text);

/// Call before a step. Each warning comes once for a world.
void warn_of_mistakes(World::State& world, float dt);
/// Call after a step that has been counted, since a handler may throw: of cloth that began with intersections, of vertices that
/// stopped because they became non-finite, and, once for a world, of bodies that were in each other when Solver::impact began.
void warn_of_step(const World& world);

} // namespace scree
