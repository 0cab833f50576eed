// SPDX-License-Identifier: MIT
// query_kernels.cpp — rays through a rigid world on a device, for the CPU ("cpu:kernels").

#include "device/cpu/lanes.h"
#include "kernels/host_rays.h"

namespace scree {
namespace {

#define SCREE_SPACE ray_kernels
#define SCREE_LIST QUERY_KERNELS
#include "device/cpu/one_lane.inl"

} // namespace

RangeFunction query_range(KernelId kernel) { return range_of(kernel, first_query_kernel); }

} // namespace scree
