// SPDX-License-Identifier: MIT
// rigid_options.h — the options of `scree bench rigid`.
#pragma once

#include "options.h"

#include <string>
#include <vector>

namespace scree::bench {

struct RigidOptions {
    std::vector<std::string> scenes, engines;
    std::vector<int> threads;
    int repeats = 3;
    int steps = 0; ///< 0: the scene's own
    bool stages = false;
    bool sleep = true;                ///< one more run of each, until everything sleeps
    std::vector<std::string> results; ///< files to measure in place of running anything
    std::string scene_folder, result_folder;
    std::string svg;
};

/// The scenes and the engines, for the help.
std::string rigid_choices();
/// Throws Error whose where() is the option.
RigidOptions rigid_options(const Arguments& given);

} // namespace scree::bench
