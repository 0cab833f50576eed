// SPDX-License-Identifier: MIT
// level_arrays.h — the levels of all cloths as the device has them (kernels/fabric_params.h).
#pragma once

#include "fabric/plan.h"

#include <span>

namespace scree {

struct ColourRange {
    std::uint32_t first, count;
};

/// Finest first; numbers are places in the device's arrays.
struct LevelRange {
    std::uint32_t first = 0, count = 0; ///< vertices, filled up
    std::vector<ColourRange> links;     ///< colours
};

struct LevelArrays {
    std::vector<LevelRange> levels;
    std::uint32_t first = 0, count = 0;   ///< vertices of all levels
    std::vector<float> mean, link, blend; ///< quads
    std::vector<float> part;              ///< pairs
};

/// `first[c]` is the place of a cloth's first vertex and `vertices` the place of the held one behind all; levels begin at the next multiple
/// of the padding, and so does each.
LevelArrays level_arrays(std::span<const FabricPlan* const> plans, std::span<const std::uint32_t> first,
                         std::uint32_t vertices, std::uint32_t padding);

} // namespace scree
