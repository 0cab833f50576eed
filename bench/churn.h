// SPDX-License-Identifier: MIT
// churn.h — `scree bench churn`: a pile in which bodies come and go in every step.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace scree::bench {

struct ChurnOptions {
    bool help = false; ///< was asked for and printed
    std::uint32_t bodies = 100'000;
    std::uint32_t changes = 10'000;      ///< bodies destroyed in a second, and as many created
    int seconds = 60;                    ///< of the world's time
    std::string device = "cpu", compare; ///< compare: the device that runs in step; empty: none
    int threads = 0;
    std::uint64_t seed = 1;
    bool new_hulls = false;
};

/// `arguments` begin with "churn". Throws Error whose where() is the option.
ChurnOptions parse_churn_options(std::span<const std::string> arguments);

/// Runs, prints, returns the exit code: 1 when bits differ, memory grows or a dead id is taken for a living one.
int churn_bench(const ChurnOptions& options);

} // namespace scree::bench
