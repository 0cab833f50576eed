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

#define SCREE_LIST IMPACT_KERNELS
#include "device/cuda/one_thread.inl"

} // namespace

void start_impact_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                         cudaStream_t stream) {
    start_of(kernel, first_impact_kernel)(items, buffers, params, stream);
}

} // namespace scree::cuda
