// SPDX-License-Identifier: MIT
// self_kernels.cu — the kernels of cloth that touches cloth as CUDA kernels, one thread an item, and the table to start them by.
#include "device/cuda/kernels.h"

#include <cstring>

namespace scree::cuda {
namespace {

namespace one {
#define SCREE_LANES 1
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/self_all.h"
// clang-format on
} // namespace one

#define SCREE_LIST SELF_KERNELS
#include "device/cuda/one_thread.inl"

} // namespace

void start_self_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                       cudaStream_t stream) {
    start_of(kernel, first_self_kernel)(items, buffers, params, stream);
}

} // namespace scree::cuda
