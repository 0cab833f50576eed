// SPDX-License-Identifier: MIT
// impact_detector.h — Solver::impact on the thesis' benchmark scenes: falling bodies, stacks, rooms, entries into cells, bullets.
#pragma once

#include "bench_options.h"

namespace scree::bench {

/// `scree-bench impact --detector`; not 0 where a bullet passes a plate, or rooms differ with and without cells.
int print_impact_detector(const Arguments& given);

} // namespace scree::bench
