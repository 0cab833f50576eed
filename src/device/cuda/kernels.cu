// SPDX-License-Identifier: MIT
// kernels.cu — every kernel of table.h as a CUDA kernel, one thread an item, and the table to start them by.
#include "device/cuda/kernels.h"

#include "device/cuda/check.h"

#include <cstring>

namespace scree::cuda {
namespace {

using kernels::u32;

// 8 blocks of 128 threads leave 64 registers a thread: granular_forces half fills a multiprocessor and does
// not spill
constexpr unsigned block_size = 128;
constexpr unsigned blocks_together = 8;

unsigned blocks_for(std::size_t items) {
    return static_cast<unsigned>((items + block_size - 1) / block_size);
}

#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
#define SCREE_CUDA_KERNEL(Family, FAMILY, name)                                                              \
    __global__ void __launch_bounds__(block_size, blocks_together)                                           \
        run_##name(u32 items, kernels::Family##View view, kernels::Family##Params params) {                  \
        u32 i = blockIdx.x * block_size + threadIdx.x;                                                       \
        if (i < items) kernels::name(i, view, params);                                                       \
    }                                                                                                        \
    void start_##name(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream) {            \
        kernels::Family##Params values;                                                                      \
        kernels::Family##View view;                                                                          \
        FAMILY##_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);                                              \
        std::memcpy(&values, params, sizeof values);                                                         \
        run_##name<<<blocks_for(items), block_size, 0, stream>>>(items, view, values);                       \
    }
LANE_KERNELS(SCREE_CUDA_KERNEL)
SCALAR_KERNELS(SCREE_CUDA_KERNEL)
FABRIC_LANE_KERNELS(SCREE_CUDA_KERNEL)
#undef SCREE_CUDA_KERNEL
#undef SCREE_TAKE_BUFFER

using Start = void (*)(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream);

constexpr Start starts[] = {
#define SCREE_CUDA_START(Family, FAMILY, name) start_##name,
    LANE_KERNELS(SCREE_CUDA_START) SCALAR_KERNELS(SCREE_CUDA_START) FABRIC_LANE_KERNELS(SCREE_CUDA_START)
#undef SCREE_CUDA_START
};

__global__ void __launch_bounds__(block_size) fill_words(u32* to, u32 value, std::size_t words) {
    std::size_t i = std::size_t(blockIdx.x) * block_size + threadIdx.x;
    if (i < words) to[i] = value;
}

} // namespace

void start_kernel(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                  std::size_t params_bytes, cudaStream_t stream) {
    auto index = static_cast<std::size_t>(kernel);
    if (kernel >= KernelId::count) throw Error("no kernel has the number " + std::to_string(index), "launch");
    if (buffers.size() != kernel_buffer_counts[index] || params_bytes != kernel_params_bytes[index])
        throw Error("got " + std::to_string(buffers.size()) + " buffers and " + std::to_string(params_bytes) +
                        " bytes of parameters; expected " + std::to_string(kernel_buffer_counts[index]) +
                        " and " + std::to_string(kernel_params_bytes[index]),
                    kernel_names[index]);
    if (items == 0) return;
    if (kernel >= first_impact_kernel) start_impact_kernel(kernel, items, buffers.data(), params, stream);
    else if (kernel >= first_query_kernel) start_query_kernel(kernel, items, buffers.data(), params, stream);
    else if (kernel >= first_self_kernel) start_self_kernel(kernel, items, buffers.data(), params, stream);
    else if (kernel >= first_world_kernel) start_world_kernel(kernel, items, buffers.data(), params, stream);
    else starts[index](items, buffers.data(), params, stream);
    check(cudaGetLastError(), kernel_names[index]);
}

void start_fill(std::uint32_t* to, std::uint32_t value, std::size_t words, cudaStream_t stream) {
    if (words == 0) return;
    fill_words<<<blocks_for(words), block_size, 0, stream>>>(to, value, words);
    check(cudaGetLastError(), "fill");
}

} // namespace scree::cuda
