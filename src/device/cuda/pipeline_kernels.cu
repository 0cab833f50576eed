// SPDX-License-Identifier: MIT
// pipeline_kernels.cu — the kernels of a rigid world as CUDA kernels, one thread an item, and the table to start them by.
#include "device/cuda/kernels.h"

#include "device/cuda/check.h"

#include <cstring>

namespace scree::cuda {
namespace {

#include "device/cuda/pipeline_functions.h"

constexpr unsigned block_size = 128;
static_assert(block_size == 4 * FIND_LANES); // stacks of world_find_wide

#define SCREE_WORLD_KERNEL(Family, FAMILY, name)                                                             \
    __global__ void __launch_bounds__(block_size)                                                            \
        run_##name(u32 items, const __grid_constant__ world::Family##View view,                              \
                   const __grid_constant__ world::Family##Params params) {                                   \
        u32 i = blockIdx.x * block_size + threadIdx.x;                                                       \
        if (i < items) world::name(i, view, params);                                                         \
    }                                                                                                        \
    void start_##name(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream) {            \
        world::Family##Params values;                                                                        \
        world::Family##View view;                                                                            \
        FAMILY##_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);                                              \
        std::memcpy(&values, params, sizeof values);                                                         \
        run_##name<<<(items + block_size - 1) / block_size, block_size, 0, stream>>>(items, view, values);   \
    }
WORLD_KERNELS(SCREE_WORLD_KERNEL)

using Start = void (*)(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream);

constexpr Start starts[] = {
#define SCREE_WORLD_START(Family, FAMILY, name) start_##name,
    WORLD_KERNELS(SCREE_WORLD_START)};

} // namespace

void start_world_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream) {
    starts[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_world_kernel)](items, buffers, params,
                                                                                      stream);
}

} // namespace scree::cuda
