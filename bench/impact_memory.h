// SPDX-License-Identifier: MIT
// impact_memory.h — BM3-10 of the thesis of Filippini and others (2007): the heap beside the arena and the table of pairs of Solver::impact.
#pragma once

#include "impact_table.h"

namespace scree::bench {

void memory_of_steps(Table& table);

} // namespace scree::bench
