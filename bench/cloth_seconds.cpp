// SPDX-License-Identifier: MIT
// cloth_seconds.cpp — see cloth_seconds.h.
#include "cloth_seconds.h"

#include "device/device.h"

#include <chrono>

namespace scree::bench {

double seconds_of(ClothWorld& world, int steps) {
    using Clock = std::chrono::steady_clock;
    world.device().finish();
    const Clock::time_point start = Clock::now();
    world.step(steps);
    // a GPU takes work long before it does it
    world.device().finish();
    return std::chrono::duration<double>(Clock::now() - start).count() / steps;
}

} // namespace scree::bench
