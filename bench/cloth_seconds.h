// SPDX-License-Identifier: MIT
// cloth_seconds.h — how long steps of the thesis' cloth take.
#pragma once

#include "scree/cloth.h"

namespace scree::bench {

/// Seconds of a step: the mean of `steps`, from an idle device until its work is done.
double seconds_of(ClothWorld& world, int steps);

} // namespace scree::bench
