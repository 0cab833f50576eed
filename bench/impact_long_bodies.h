// SPDX-License-Identifier: MIT
// impact_long_bodies.h — BM3-12 of the thesis of Filippini and others (2007): long bodies, and what boxes along the world's axes, ways
// and boxes along the bodies leave of their pairs.
#pragma once

#include "impact_table.h"

namespace scree::bench {

/// False where a filter left out a pair that meets, or changed a state.
bool long_bodies(Table& table);

} // namespace scree::bench
