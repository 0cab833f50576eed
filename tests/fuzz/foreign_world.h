// SPDX-License-Identifier: MIT
// foreign_world.h — what the fuzzers ask of a World that was made from foreign bytes.
#pragma once

#include "scree/world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace scree {

/// So little work a step that an input does not take seconds.
inline WorldSettings with_little_work(WorldSettings settings) {
    settings.substeps = std::min(settings.substeps, 4);
    settings.sor_iterations = std::min(settings.sor_iterations, 10);
    return settings;
}

/// Reads all of it; ends the program when something is not finite.
inline void look_at(const World& world) {
    for (const BodyId body : world.bodies()) {
        const BodyState state = world.state(body);
        for (const Vec3& v : {state.position, state.velocity, state.angular_velocity})
            if (!is_finite(v)) std::abort();
    }
    world.measure();
    world.contacts();
}

} // namespace scree
