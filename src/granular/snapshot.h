// SPDX-License-Identifier: MIT
// snapshot.h — what a GranularSnapshot keeps.
#pragma once

#include "granular/arrays.h"

#include <vector>

namespace scree {

struct GranularSnapshot::Kept {
    GranularSettings settings;
    std::vector<GranularShape> shapes; // the largest of them counts in when bodies sleep
    std::vector<Obstacle> obstacles;
    GranularBodies bodies;
    std::vector<float> springs;
    std::uint64_t steps = 0, steps_before = 0;
    double time_before = 0;
};

} // namespace scree
