// SPDX-License-Identifier: MIT
// targets.h — where Scree is measured, and how a world's steps are timed.
#pragma once

#include "bench_options.h"
#include "row.h"
#include "run_progress.h"
#include "scree/granular.h"

#include <string>
#include <vector>

namespace scree::bench {

struct Target {
    Place place;
    std::string name; ///< as in the CSV: cpu, cuda, …; "cpu scalar" is one lane
    int threads = 0;  ///< 0 where the device has none to choose

    std::string text() const;
};

/// Every device asked for, the CPU once for each number of threads. Throws Error when one is not there.
std::vector<Target> targets(const BenchOptions& options);
/// How many targets() will be.
int target_count(const BenchOptions& options);
/// One thread, one lane: the sequential program.
Target scalar_target();
/// The first device asked for with all its threads: prepares the scenes. The state that it reaches is the same on
/// every device, to the bit.
Place preparing_place(const BenchOptions& options);

/// Milliseconds a step for each block of `block` steps, `steps` in all (at least one block).
std::vector<double> time_steps(GranularWorld& world, int steps, int block, RunProgress& progress);

/// A row with everything but times and quality.
Row scree_row(const std::string& contract, const std::string& scene, const Target& target,
              const GranularWorld& world);
/// By the world's own measure: contacts of particles, over bodies.
Quality world_quality(const GranularWorld& world);

} // namespace scree::bench
