// SPDX-License-Identifier: MIT
// barrier.h — the blocks of a launch wait for each other. They must all be on the GPU at once: cudaLaunchCooperativeKernel.
#pragma once

namespace scree::cuda {

/// Every block waits until all have arrived. One word counts arrivals, from 0 when the launch begins; what a block wrote
/// before is seen by all after.
struct Barrier {
    unsigned* arrived;
    unsigned expected;
    __device__ void sync() {
        expected += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            unsigned seen;
            do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
            while (seen < expected);
        }
        __syncthreads();
    }
};

} // namespace scree::cuda
