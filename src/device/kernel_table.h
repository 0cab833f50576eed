// SPDX-License-Identifier: MIT
// kernel_table.h — names and numbers of the kernels, and their parameter structs as the host sees them.
#pragma once

#include "kernels/host_params.h"
#include "kernels/table.h"

#include <cstddef>

namespace scree {

enum class KernelId : unsigned {
#define SCREE_KERNEL_ID(Family, FAMILY, name) name,
    LANE_KERNELS(SCREE_KERNEL_ID) SCALAR_KERNELS(SCREE_KERNEL_ID) FABRIC_LANE_KERNELS(SCREE_KERNEL_ID)
        WORLD_KERNELS(SCREE_KERNEL_ID) SELF_KERNELS(SCREE_KERNEL_ID) QUERY_KERNELS(SCREE_KERNEL_ID)
            IMPACT_KERNELS(SCREE_KERNEL_ID)
#undef SCREE_KERNEL_ID
                count
};

/// from here on kernels that OpenCL does not have
constexpr KernelId first_fabric_kernel = KernelId::fabric_predict;
/// from here on: WORLD_KERNELS
constexpr KernelId first_world_kernel = KernelId::world_wake_listed;
/// from here on: SELF_KERNELS
constexpr KernelId first_self_kernel = KernelId::self_survey;
/// from here on: QUERY_KERNELS
constexpr KernelId first_query_kernel = KernelId::query_rays_closest;
/// from here on: IMPACT_KERNELS
constexpr KernelId first_impact_kernel = KernelId::circle_bisect;

constexpr const char* kernel_names[] = {
#define SCREE_KERNEL_NAME(Family, FAMILY, name) #name,
    LANE_KERNELS(SCREE_KERNEL_NAME) SCALAR_KERNELS(SCREE_KERNEL_NAME) FABRIC_LANE_KERNELS(SCREE_KERNEL_NAME)
        WORLD_KERNELS(SCREE_KERNEL_NAME) SELF_KERNELS(SCREE_KERNEL_NAME) QUERY_KERNELS(SCREE_KERNEL_NAME)
            IMPACT_KERNELS(SCREE_KERNEL_NAME)
#undef SCREE_KERNEL_NAME
};

/// buffers a kernel takes
#define SCREE_COUNT_BUFFER(name) +1
constexpr std::size_t kernel_buffer_counts[] = {
#define SCREE_KERNEL_BUFFERS(Family, FAMILY, name) 0 FAMILY##_BUFFERS(SCREE_COUNT_BUFFER, SCREE_COUNT_BUFFER),
    LANE_KERNELS(SCREE_KERNEL_BUFFERS) SCALAR_KERNELS(SCREE_KERNEL_BUFFERS)
        FABRIC_LANE_KERNELS(SCREE_KERNEL_BUFFERS) WORLD_KERNELS(SCREE_KERNEL_BUFFERS)
            SELF_KERNELS(SCREE_KERNEL_BUFFERS) QUERY_KERNELS(SCREE_KERNEL_BUFFERS)
                IMPACT_KERNELS(SCREE_KERNEL_BUFFERS)
#undef SCREE_KERNEL_BUFFERS
};

/// bytes of its parameters
constexpr std::size_t kernel_params_bytes[] = {
#define SCREE_KERNEL_PARAMS(Family, FAMILY, name) sizeof(kernels::Family##Params),
    LANE_KERNELS(SCREE_KERNEL_PARAMS) SCALAR_KERNELS(SCREE_KERNEL_PARAMS)
        FABRIC_LANE_KERNELS(SCREE_KERNEL_PARAMS) WORLD_KERNELS(SCREE_KERNEL_PARAMS)
            SELF_KERNELS(SCREE_KERNEL_PARAMS) QUERY_KERNELS(SCREE_KERNEL_PARAMS)
                IMPACT_KERNELS(SCREE_KERNEL_PARAMS)
#undef SCREE_KERNEL_PARAMS
};

} // namespace scree
