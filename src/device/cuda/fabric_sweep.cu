// SPDX-License-Identifier: MIT
// fabric_sweep.cu — a sweep over the constraints of cloth (Fabrics::plan_sweep) in one launch whose stages wait for each other on the GPU.
//
// A cloth of a million vertices has some 200 stages: colours of edges and hinges, and of the links of each level. Most are of coarse
// levels and have fewer items than one multiprocessor has threads. Those are run by one block alone, which waits for its own threads
// only, while the other blocks wait for the next stage that has work for them.
#include "device/cuda/barrier.h"
#include "device/cuda/check.h"
#include "device/cuda/kernels.h"

#include <algorithm>

namespace scree::cuda {
namespace {

using kernels::u32;

constexpr unsigned sweep_threads = 1024; // of a block, of which each multiprocessor has one
constexpr u32 most_alone = 2048; // items that one block has done before all blocks have waited for each other
constexpr u32 most_stages = 1024;    // of a launch
constexpr unsigned items_each = 256; // for a block, while there are multiprocessors left

__global__ void __launch_bounds__(sweep_threads, 1)
    run_fabric_sweep(const __grid_constant__ kernels::FabricView w,
                     const __grid_constant__ kernels::FabricSweep given) {
    __shared__ u32 stages[FABRIC_STAGE * most_stages];
    for (u32 k = threadIdx.x; k < FABRIC_STAGE * given.stages; k += blockDim.x)
        stages[k] = w.stages[FABRIC_STAGE * given.first + k];
    __syncthreads();

    // warps of all blocks in turns: few items are spread over all multiprocessors
    const u32 self = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32,
              threads = gridDim.x * blockDim.x;
    Barrier barrier{w.counts + FABRIC_COUNT_BARRIER, 0};
    kernels::FabricParams p = given.params;
    bool alone = false;
    for (u32 k = 0; k < given.stages; ++k) {
        const u32* stage = stages + FABRIC_STAGE * k;
        const u32 items = stage[2];
        const bool before = alone;
        alone = gridDim.x == 1 || items <= most_alone;
        if (alone && before) {
            if (blockIdx.x == 0) __syncthreads();
        } else if (k > 0) barrier.sync();
        if (alone && blockIdx.x != 0) continue;
        p.first = stage[1];
        const u32 begin = alone ? threadIdx.x : self, stride = alone ? blockDim.x : threads;
#define SCREE_CASE(kernel)                                                                                   \
    case KernelId::kernel:                                                                                   \
        for (u32 i = begin; i < items; i += stride) kernels::kernel(i, w, p);                                \
        break;
        switch (static_cast<KernelId>(stage[0])) {
            SCREE_CASE(fabric_mean)
            SCREE_CASE(fabric_link)
            SCREE_CASE(fabric_moved)
            SCREE_CASE(fabric_spread)
            SCREE_CASE(fabric_stretch)
            SCREE_CASE(fabric_bend)
            SCREE_CASE(fabric_tether)
        default:
            break;
        }
#undef SCREE_CASE
    }
    // the last block to leave, when none waits any more, makes the barrier ready for the next launch
    if (gridDim.x == 1 || threadIdx.x != 0) return;
    if (atomicAdd(w.counts + FABRIC_COUNT_LEFT, 1u) + 1 < gridDim.x) return;
    w.counts[FABRIC_COUNT_BARRIER] = 0;
    w.counts[FABRIC_COUNT_LEFT] = 0;
}

unsigned blocks_for(u32 widest) {
    if (widest <= most_alone) return 1;
    int device = 0, processors = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, run_fabric_sweep, sweep_threads, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return std::min((widest + items_each - 1) / items_each,
                    static_cast<unsigned>(processors) * static_cast<unsigned>(each));
}

} // namespace

unsigned start_fabric_sweep(const Buffer* buffer, const kernels::FabricSweep& sweep, cudaStream_t stream) {
    kernels::FabricView view;
#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
    FABRIC_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);
#undef SCREE_TAKE_BUFFER
    const unsigned blocks = blocks_for(sweep.widest);
    unsigned launches = 0;
    for (u32 done = 0; done < sweep.stages; done += most_stages) {
        kernels::FabricSweep some = sweep;
        some.first = sweep.first + done;
        some.stages = std::min(most_stages, sweep.stages - done);
        void* arguments[] = {&view, &some};
        check(cudaLaunchCooperativeKernel(run_fabric_sweep, blocks, sweep_threads, arguments, 0, stream),
              "cudaLaunchCooperativeKernel");
        ++launches;
    }
    return launches;
}

} // namespace scree::cuda
