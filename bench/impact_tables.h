// SPDX-License-Identifier: MIT
// impact_tables.h — tables of bench/impact_judge.h: times of impact, and the soft step beside Solver::impact.
#pragma once

#include "bench_options.h"

namespace scree::bench {

/// `scree-bench impact --times N`; not 0 where a time is late.
int print_impact_times(const Arguments& given);
/// `scree-bench impact --oracle N`; not 0 where Solver::impact breaks its own promises.
int print_impact_oracle(const Arguments& given);

} // namespace scree::bench
