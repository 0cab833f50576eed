// SPDX-License-Identifier: MIT
// waking.h — wakes a body when the user changes it.
#pragma once

#include "world/state.h"

#include <cstdint>

namespace scree {

/// On a device, the record may not show yet that the body sleeps.
inline void wake_body(World::State& world, std::uint32_t body) {
    if (world.bodies.record[body].asleep || world.simulation->remote()) world.simulation->wake(body);
}

} // namespace scree
