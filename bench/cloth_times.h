// SPDX-License-Identifier: MIT
// cloth_times.h — what follows from the times of experiment T, and a step's time over a long run.
#pragma once

#include "scree/cloth.h"

#include <string>
#include <vector>

namespace scree::bench {

/// One row of experiment T.
struct ClothTime {
    std::string place; ///< "cpu x4", "cuda:0"
    std::string model;
    double vertices = 0, ms = 0;
};

/// A line through times over vertices.
struct ClothFit {
    double us_per_vertex = 0;
    double r_squared = 0; ///< 1: exactly on the line
};
ClothFit fit_of(const std::vector<ClothTime>& times);

/// Lines to print: the fit of each place and model, the speed-up of CPU threads from 2,500 vertices on, and from which size on
/// another device is faster than four threads.
std::string summary_of(const std::vector<ClothTime>& times);

std::string place_name(const Place& place);

/// Steps of 120 x 120 vertices for `seconds`; a CSV row for each second.
std::string sustained_steps(const Place& place, double seconds);

} // namespace scree::bench
