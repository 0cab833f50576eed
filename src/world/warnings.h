// SPDX-License-Identifier: MIT
// warnings.h — looks for likely mistakes of a world's user (scree/warning.h).
#pragma once

#include "world/state.h"

namespace scree {

/// Call before a step. Each warning comes once for a world.
void warn_of_mistakes(World::State& world, float dt);

} // namespace scree
