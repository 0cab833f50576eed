// SPDX-License-Identifier: MIT
// impact_kernels.cu — the kernels of impacts in stages as CUDA kernels, one thread an item, and the table to start them by.
#include "device/cuda/kernels.h"

#include <cstring>

namespace scree::cuda {
namespace {

namespace one {
#define SCREE_LANES 1
#include "kernels/impact_all.h"
} // namespace one

using one::u32;

constexpr unsigned block_size = 128;

#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
#define SCREE_IMPACT_KERNEL(Family, FAMILY, name)                                                            \
    __global__ void __launch_bounds__(block_size)                                                            \
        run_##name(u32 items, const __grid_constant__ one::Family##View view,                                \
                   const __grid_constant__ one::Family##Params params) {                                     \
        u32 i = blockIdx.x * block_size + threadIdx.x;                                                       \
        if (i < items) one::name(i, view, params);                                                           \
    }                                                                                                        \
    void start_##name(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream) {            \
        one::Family##Params values;                                                                          \
        one::Family##View view;                                                                              \
        FAMILY##_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);                                              \
        std::memcpy(&values, params, sizeof values);                                                         \
        run_##name<<<(items + block_size - 1) / block_size, block_size, 0, stream>>>(items, view, values);   \
    }
IMPACT_KERNELS(SCREE_IMPACT_KERNEL)

using Start = void (*)(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream);

constexpr Start starts[] = {
#define SCREE_IMPACT_START(Family, FAMILY, name) start_##name,
    IMPACT_KERNELS(SCREE_IMPACT_START)};

} // namespace

void start_impact_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                         cudaStream_t stream) {
    starts[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_impact_kernel)](items, buffers, params,
                                                                                       stream);
}

} // namespace scree::cuda
