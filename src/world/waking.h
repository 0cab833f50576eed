// SPDX-License-Identifier: MIT
// waking.h — wakes a body, or all of them, when the user changes something.
#pragma once

#include "world/state.h"

#include <cstdint>

namespace scree {

/// On a device, the record may not show yet that the body sleeps.
inline void wake_body(World::State& world, std::uint32_t body) {
    if (world.bodies.record[body].asleep || world.simulation->remote()) world.simulation->wake(body);
}

inline void wake_all(World::State& world) {
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b)
        if (world.bodies.record[b].alive) wake_body(world, b);
}

} // namespace scree
