// SPDX-License-Identifier: MIT
// rigid_options.h — what `scree bench rigid` was asked to do.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace scree::bench {

struct RigidOptions {
    bool help = false; ///< was asked for and printed
    std::vector<std::string> scenes, engines;
    std::vector<int> threads;
    int repeats = 3;
    int steps = 0; ///< 0: the scene's own
    bool stages = false;
    bool sleep = true;                ///< one more run of each, until everything sleeps
    std::vector<std::string> results; ///< files to measure in place of running anything
    std::string scene_folder, result_folder;
    std::string csv, svg;
};

/// `arguments` begin with "rigid". Throws Error whose where() is the option.
RigidOptions parse_rigid_options(std::span<const std::string> arguments);

/// Runs, prints, writes; returns the exit code.
int rigid_bench(const RigidOptions& options);

} // namespace scree::bench
