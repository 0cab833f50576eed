// SPDX-License-Identifier: MIT
// benchmarks.h — the benchmarks of scree-bench. Errors of input are thrown as scree::Error whose where() is the option.
#pragma once

#include "entry.h"

namespace scree::bench {

CommandMaker scenes_bench, granular_bench, rigid_bench, worlds_bench, churn_bench, seed4_bench, kernels_bench,
    plot_bench, render_bench, accuracy_bench, queries_bench, rollback_bench, joints_bench, cloth_bench,
    impact_bench, level_bench, walk_bench;

} // namespace scree::bench
