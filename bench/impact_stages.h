// SPDX-License-Identifier: MIT
// impact_stages.h — scree-bench impact --stages: times of the stages of impacts on every device (scree/staged_impact.h).
#pragma once

#include "options.h"

namespace scree::bench {

int run_impact_stages(const Arguments& given);

} // namespace scree::bench
