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

struct BenchCase {
    std::string_view name, summary;
    int (*runs)(const BenchOptions& options); ///< how many runs it will announce
    void (*run)(BenchRun& bench);
};

// one file each
int grains_runs(const BenchOptions& options);
void grains_case(BenchRun& bench);
int perf_runs(const BenchOptions& options);
void perf_case(BenchRun& bench);
int realtime_runs(const BenchOptions& options);
void realtime_case(BenchRun& bench);
int scaling_runs(const BenchOptions& options);
void scaling_case(BenchRun& bench);
int crossover_runs(const BenchOptions& options);
void crossover_case(BenchRun& bench);
int decomposition_runs(const BenchOptions& options);
void decomposition_case(BenchRun& bench);
int models_runs(const BenchOptions& options);
void models_case(BenchRun& bench);

} // namespace scree::bench
