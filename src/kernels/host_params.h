// SPDX-License-Identifier: MIT
// host_params.h — the kernels in one lane, for host code that fills parameters or needs a formula. In a .cu file
// the same functions are device code.
#pragma once

#include <cstddef>

#define SCREE_LANES 1
namespace scree::kernels {
#include "kernels/all.h"
} // namespace scree::kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
