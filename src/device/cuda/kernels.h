// SPDX-License-Identifier: MIT
// kernels.h — starting a kernel of kernel_table.h on a CUDA stream.
#pragma once

#include "device/device.h"

#include <cuda_runtime_api.h>

namespace scree::cuda {

/// Queues `kernel` for items 0 … items-1; `buffers` in the order of its buffer list. Throws Error when the
/// numbers of buffers or of parameter bytes are not the kernel's, or when CUDA refuses.
void start_kernel(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                  std::size_t params_bytes, cudaStream_t stream);

/// The same for WORLD_KERNELS, which start_kernel has checked.
void start_world_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream);

/// The same for SELF_KERNELS.
void start_self_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                       cudaStream_t stream);
/// Likewise for QUERY_KERNELS.
void start_query_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream);

/// Likewise for IMPACT_KERNELS.
void start_impact_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                         cudaStream_t stream);

/// All of a step's solver in one launch; `solve` is a WorldSolve.
/// What this device can do of what was asked for: bodies may be too many for on-chip memory.
OneLaunch world_solve_of(OneLaunch wanted, const void* solve);
void start_world_solve(OneLaunch which, const Buffer* buffers, const void* solve, cudaStream_t stream);

/// A sweep over the constraints of cloth; returns the number of launches.
unsigned start_fabric_sweep(const Buffer* buffers, const kernels::FabricSweep& sweep, cudaStream_t stream);

/// Queues `words` copies of `value` at `to`.
void start_fill(std::uint32_t* to, std::uint32_t value, std::size_t words, cudaStream_t stream);

} // namespace scree::cuda
