// SPDX-License-Identifier: MIT
// self_kernels.cpp — the kernels of cloth that touches cloth, for the CPU: one lane.

#include "device/cpu/lanes.h"

namespace scree {
namespace {

namespace one {
#define SCREE_LANES 1
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/self_all.h"
// clang-format on
} // namespace one

#define SCREE_SPACE one
#define SCREE_LIST SELF_KERNELS
#include "device/cpu/one_lane.inl"

} // namespace

RangeFunction self_range(KernelId kernel) { return range_of(kernel, first_self_kernel); }

} // namespace scree
