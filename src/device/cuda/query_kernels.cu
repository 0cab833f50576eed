// SPDX-License-Identifier: MIT
// query_kernels.cu — rays through a rigid world as CUDA kernels, one thread a ray.
#include "device/cuda/kernels.h"

#include <cstring>

namespace scree::cuda {
namespace {

namespace one {
#include "kernels/query_all.h"
} // namespace one

#define SCREE_LIST QUERY_KERNELS
#include "device/cuda/one_thread.inl"

} // namespace

void start_query_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream) {
    start_of(kernel, first_query_kernel)(items, buffers, params, stream);
}

} // namespace scree::cuda
