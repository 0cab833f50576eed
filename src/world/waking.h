// SPDX-License-Identifier: MIT
// waking.h — what the world does to a body wakes it.
#pragma once

#include "world/state.h"

#include <cstdint>

namespace scree {

/// Where steps are computed elsewhere the record may not know yet that the body sleeps.
inline void wake_body(World::State& world, std::uint32_t body) {
    if (world.bodies.record[body].asleep || world.simulation->remote()) world.simulation->wake(body);
}

} // namespace scree
