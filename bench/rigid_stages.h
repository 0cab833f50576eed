// SPDX-License-Identifier: MIT
// rigid_stages.h — what a step spends its time on at each number of threads, and whether single steps are slow.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::bench {

/// Names of a step's stages and seconds spent in each.
using StageSeconds = std::vector<std::pair<std::string, double>>;

/// An engine on a number of threads.
struct StageColumn {
    std::string title;
    StageSeconds falling, settled; ///< the sums of each half of the fastest repeat
    std::vector<double> step_ms;   ///< of every step, the least over all repeats
};

struct SlowStep {
    std::size_t step = 0;
    double ratio = 0; ///< its time over the mean of the five steps before it and the five after
};
/// The step that stands out most. The first step, in which a world is set up, is left out.
SlowStep slowest_step(std::span<const double> step_ms);

/// A table with a column for each engine and number of threads.
std::string stages_text(const std::string& scene, std::span<const StageColumn> columns);

} // namespace scree::bench
