// SPDX-License-Identifier: MIT
// pipeline_functions.h — the kernels of a rigid world as functions of a CUDA thread, and their arguments from the host's. Included inside
// a namespace of each .cu file that launches them.
#pragma once

namespace world {
#define SCREE_LANES 1
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN static __device__
#include "kernels/convex_all.h"
#undef KERNEL_FN
#define KERNEL_FN static __device__ __forceinline__
#include "kernels/pipeline_all.h"
// clang-format on
} // namespace world

using world::u32;

/// One member of a view, from the next buffer.
#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
