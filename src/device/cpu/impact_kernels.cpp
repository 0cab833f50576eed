// SPDX-License-Identifier: MIT
// impact_kernels.cpp — the kernels of impacts in stages, for the CPU: one lane.

#include "device/cpu/lanes.h"

namespace scree {
namespace {

namespace one {
#define SCREE_LANES 1
#include "kernels/impact_all.h"
} // namespace one

#define SCREE_SPACE one
#define SCREE_LIST IMPACT_KERNELS
#include "device/cpu/one_lane.inl"

} // namespace

RangeFunction impact_range(KernelId kernel) { return range_of(kernel, first_impact_kernel); }

} // namespace scree
