// SPDX-License-Identifier: MIT
// query_kernels.cu — rays through a rigid world as CUDA kernels, one thread a ray.
#include "device/cuda/kernels.h"

#include <cstring>

namespace scree::cuda {
namespace {

namespace query {
#include "kernels/query_all.h"
} // namespace query

using query::u32;

constexpr unsigned block_size = 128;

#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
#define SCREE_QUERY_KERNEL(Family, FAMILY, name)                                                             \
    __global__ void __launch_bounds__(block_size)                                                            \
        run_##name(u32 items, const __grid_constant__ query::Family##View view,                              \
                   const __grid_constant__ query::Family##Params params) {                                   \
        u32 i = blockIdx.x * block_size + threadIdx.x;                                                       \
        if (i < items) query::name(i, view, params);                                                         \
    }                                                                                                        \
    void start_##name(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream) {            \
        query::Family##Params values;                                                                        \
        query::Family##View view;                                                                            \
        FAMILY##_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);                                              \
        std::memcpy(&values, params, sizeof values);                                                         \
        run_##name<<<(items + block_size - 1) / block_size, block_size, 0, stream>>>(items, view, values);   \
    }
QUERY_KERNELS(SCREE_QUERY_KERNEL)

using Start = void (*)(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream);

constexpr Start starts[] = {
#define SCREE_QUERY_START(Family, FAMILY, name) start_##name,
    QUERY_KERNELS(SCREE_QUERY_START)};

} // namespace

void start_query_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream) {
    starts[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_query_kernel)](items, buffers, params,
                                                                                      stream);
}

} // namespace scree::cuda
