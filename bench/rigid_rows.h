// SPDX-License-Identifier: MIT
// rigid_rows.h — the results of the rigid benchmark as a table, a CSV file and plots.
#pragma once

#include "plot.h"
#include "rigid_engine.h"
#include "rigid_quality.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace scree::bench {

struct RigidRow {
    std::string contract, engine, version, scene;
    int threads = 1, steps = 0, repeats = 0;
    std::uint64_t bodies = 0, joints = 0; ///< that move
    /// ms a step in the first and the second half: the fastest repeat; and the slowest as a multiple of it
    double falling_ms = 0, falling_spread = 1, settled_ms = 0, settled_spread = 1;
    double first_ms = 0;                   ///< the first step, in which a world is set up; part of falling_ms
    double falling_p99_ms = 0, p99_ms = 0; ///< of each half, in the repeat that is fastest there
    double worst_ms = 0; ///< the slowest step after the first, in the repeat where it is least
    RigidQuality quality;
    RigidMemory memory; ///< after the last step
    /// until everything slept, in a run of its own with sleeping on; not a number when it did not
    double sleep_steps = std::numeric_limits<double>::quiet_NaN();
};

/// For people.
std::string rigid_table(const std::vector<RigidRow>& rows);
std::string rigid_csv(const std::vector<RigidRow>& rows);

// of the second half
Plot time_against_bodies(const std::vector<RigidRow>& rows);
Plot time_against_threads(const std::vector<RigidRow>& rows);
Plot time_against_overlap(const std::vector<RigidRow>& rows);

} // namespace scree::bench
