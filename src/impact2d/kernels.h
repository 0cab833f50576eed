// SPDX-License-Identifier: MIT
// kernels.h — the kernels of impacts in stages as host code.
#pragma once

#include <cstddef>

#define SCREE_LANES 1
namespace scree::impact2d::kernels {
#include "kernels/impact_all.h"
} // namespace scree::impact2d::kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_RARE
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
