// SPDX-License-Identifier: MIT
// cases.h — the benchmarks: each runs, prints a table and appends its rows.
#pragma once

#include "granular_options.h"
#include "plot.h"
#include "row.h"
#include "run_progress.h"

#include <string_view>
#include <vector>

namespace scree::bench {

struct BenchRun {
    const BenchOptions& options;
    RunProgress& progress;
    std::vector<Row> rows;
    Plot plot; ///< filled by scaling
};

/// How many runs it will announce.
using CaseRuns = int(const BenchOptions& options);
CaseRuns grains_runs, perf_runs, realtime_runs, scaling_runs, crossover_runs, decomposition_runs, models_runs;
using Case = void(BenchRun& bench);
Case grains_case, perf_case, realtime_case, scaling_case, crossover_case, decomposition_case, models_case;

struct BenchCase {
    std::string_view name, summary;
    CaseRuns* runs;
    Case* run;
};

} // namespace scree::bench
