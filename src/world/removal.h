// SPDX-License-Identifier: MIT
// removal.h — removes shapes and joints, alone or with their body.
#pragma once

#include "world/state.h"

#include <cstdint>

namespace scree {

void remove_shape(World::State& world, std::uint32_t shape);
void remove_joint(World::State& world, std::uint32_t joint);

} // namespace scree
