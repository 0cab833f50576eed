// SPDX-License-Identifier: MIT
// lanes.h — the kernels of the CPU: one table for each number of lanes.
#pragma once

#include "device/kernel_table.h"

#include <cstdint>

namespace scree {

/// Items begin … end-1; begin is a multiple of 64 for kernels that run in lanes.
using RangeFunction = void (*)(std::uint32_t begin, std::uint32_t end, void* const* buffers,
                               const void* params);

struct LaneTable {
    RangeFunction kernel[static_cast<unsigned>(first_world_kernel)];
};

const LaneTable& lane_table_1();
const LaneTable& lane_table_4();
const LaneTable& lane_table_8();
const LaneTable& lane_table_16();
RangeFunction world_range(KernelId kernel);  ///< of WORLD_KERNELS
RangeFunction self_range(KernelId kernel);   ///< of SELF_KERNELS
RangeFunction query_range(KernelId kernel);  ///< of QUERY_KERNELS
RangeFunction impact_range(KernelId kernel); ///< of IMPACT_KERNELS

} // namespace scree
