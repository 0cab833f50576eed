// SPDX-License-Identifier: MIT
// impact_tables.h — tables: times of impact, and the soft step beside Solver::impact (bench/impact_judge.h), drift of the energy.
#pragma once

#include "bench_options.h"

namespace scree::bench {

/// `scree-bench impact --times N`; not 0 where a time is late.
int print_impact_times(const Arguments& given);
/// `scree-bench impact --exact N`; not 0 where a time from below is later than the exact one.
int print_exact_times(const Arguments& given);
/// `scree-bench impact --drift N`: energy, momentum and angular momentum of worlds after N elastic impacts.
int print_impact_drift(const Arguments& given);
/// `scree-bench impact --oracle N`; not 0 where Solver::impact breaks its own promises.
int print_impact_oracle(const Arguments& given);

} // namespace scree::bench
