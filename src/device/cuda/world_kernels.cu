// SPDX-License-Identifier: MIT
// world_kernels.cu — the kernels of a rigid world as CUDA kernels, one thread an item, and the table to start them by.
#include "device/cuda/kernels.h"

#include "device/cuda/check.h"

#include <cstring>

namespace scree::cuda {
namespace {

namespace world {
#define SCREE_LANES 1
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// what follows is too large to be copied into every caller
#undef KERNEL_FN
#define KERNEL_FN static __device__
#include "kernels/convex_all.h"
#undef KERNEL_FN
#define KERNEL_FN static __device__ __forceinline__
#include "kernels/world_all.h"
// clang-format on
} // namespace world

using world::u32;

constexpr unsigned block_size = 128;
static_assert(block_size == 4 * FIND_LANES); // stacks of world_find_wide

#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
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

// all of a soft step in one launch ------------------------------------------------------------------------------------------

/// One item of a bucket.
#define SCREE_ITEM(kernel, kind, i)                                                                          \
    {                                                                                                        \
        const u32* of = colour + BUCKET_WORDS * (kind);                                                      \
        p.first = of[BUCKET_FIRST];                                                                          \
        p.block = of[BUCKET_BLOCK];                                                                          \
        p.extra_first = of[BUCKET_EXTRA];                                                                    \
        p.push_first = p.first - overflow_first;                                                             \
        if ((i) < of[BUCKET_COUNT]) world::kernel(i, w, p);                                                  \
    }
/// All items of a colour, shared among all threads: the kinds one after the other in whole warps, so that no thread has two
/// items while another has none.
#define SCREE_COLOUR(joint, contact, k)                                                                      \
    {                                                                                                        \
        const u32* colour = buckets + BUCKET_WORDS * 4 * (k);                                                \
        const u32 end_4 = in_warps(colour, 3), end_2 = end_4 + in_warps(colour, 2),                          \
                  end_1 = end_2 + in_warps(colour, 1), end = end_1 + in_warps(colour, 0);                    \
        for (u32 v = self; v < end; v += threads) {                                                          \
            if (v < end_4) SCREE_ITEM(contact##_4, 3, v)                                                     \
            else if (v < end_2) SCREE_ITEM(contact##_2, 2, v - end_4)                                        \
            else if (v < end_1) SCREE_ITEM(contact##_1, 1, v - end_2)                                        \
            else SCREE_ITEM(joint, 0, v - end_1)                                                             \
        }                                                                                                    \
    }
#define SCREE_EACH_COLOUR(joint, contact)                                                                    \
    for (u32 k = 0; k < COLOUR_OVERFLOW; ++k) {                                                              \
        if (!used(buckets, k)) continue;                                                                     \
        SCREE_COLOUR(joint, contact, k)                                                                      \
        grid.sync();                                                                                         \
    }                                                                                                        \
    if (entries) {                                                                                           \
        p.overflow = 1;                                                                                      \
        SCREE_COLOUR(joint, contact, COLOUR_OVERFLOW)                                                        \
        p.overflow = 0;                                                                                      \
        grid.sync();                                                                                         \
        for (u32 i = self; i < PIECE_LANES * entries; i += threads) world::world_split_apply(i, w, apply);   \
        grid.sync();                                                                                         \
    }
#define SCREE_EVERYWHERE(joint, contact)                                                                     \
    for (u32 k = 0; k <= COLOUR_OVERFLOW; ++k) {                                                             \
        p.overflow = k == COLOUR_OVERFLOW;                                                                   \
        SCREE_COLOUR(joint, contact, k)                                                                      \
    }                                                                                                        \
    p.overflow = 0;
#define SCREE_BODIES(kernel)                                                                                 \
    for (u32 i = self; i < p.bodies; i += threads) world::kernel(i, w, p);

/// Every block waits until all have arrived. One word counts arrivals, from 0 when the launch begins; what a block wrote
/// before is seen by all after.
struct Barrier {
    u32* arrived;
    u32 expected;
    __device__ void sync() {
        expected += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            u32 seen;
            do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
            while (seen < expected);
        }
        __syncthreads();
    }
};

__device__ u32 in_warps(const u32* colour, u32 kind) {
    return (colour[BUCKET_WORDS * kind + BUCKET_COUNT] + 31) / 32 * 32;
}
__device__ bool used(const u32* buckets, u32 colour) {
    const u32* of = buckets + BUCKET_WORDS * 4 * colour;
    return (of[BUCKET_COUNT] | of[BUCKET_WORDS + BUCKET_COUNT] | of[2 * BUCKET_WORDS + BUCKET_COUNT] |
            of[3 * BUCKET_WORDS + BUCKET_COUNT]) != 0;
}

__global__ void __launch_bounds__(block_size)
    run_world_solve(const __grid_constant__ world::WorldView w,
                    const __grid_constant__ world::WorldParams given) {
    Barrier grid{w.counts + COUNT_BARRIER, 0};
    const u32 self = blockIdx.x * block_size + threadIdx.x, threads = gridDim.x * block_size;
    const u32 substeps = given.which, entries = given.count, overflow_first = given.push_first;
    // asked for in every stage
    __shared__ u32 buckets[BUCKETS * BUCKET_WORDS];
    for (u32 i = threadIdx.x; i < BUCKETS * BUCKET_WORDS; i += block_size)
        buckets[i] = w.counts[COUNT_BUCKETS + i];
    __syncthreads();
    world::WorldParams p = given, apply = given;
    p.overflow = 0;
    apply.which = 0;
    SCREE_EVERYWHERE(world_joint_prepare, world_contact_prepare)
    SCREE_BODIES(world_body_begin)
    grid.sync();
    for (u32 s = 0; s < substeps; ++s) {
        p.which = s == 0;
        SCREE_BODIES(world_body_velocity)
        grid.sync();
        if (s == 0 && p.step.warm_scale > 0) {
            SCREE_EACH_COLOUR(world_joint_warm, world_contact_warm)
        }
        SCREE_EACH_COLOUR(world_joint_solve, world_contact_solve)
        SCREE_BODIES(world_body_position)
        grid.sync();
        SCREE_EACH_COLOUR(world_joint_relax, world_contact_relax)
    }
    if (p.step.extras) {
        SCREE_EACH_COLOUR(world_joint_rest, world_contact_bounce)
    }
    SCREE_EVERYWHERE(world_joint_store, world_contact_store)
    SCREE_BODIES(world_body_finish)
}

} // namespace

void start_world_solve(const Buffer* buffer, const void* params, cudaStream_t stream) {
    world::WorldParams values;
    world::WorldView view;
    WORLD_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);
    std::memcpy(&values, params, sizeof values);
    int device = 0, count = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, run_world_solve, block_size, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const auto processors = static_cast<unsigned>(count),
               most_blocks = processors * static_cast<unsigned>(each);
    // more blocks than there is work for would only make waiting longer
    const unsigned wanted = (values.items + block_size - 1) / block_size;
    // one for each multiprocessor until there are several items for each thread
    const unsigned enough = wanted <= 8 * processors ? processors : most_blocks;
    const unsigned blocks = wanted < 1 ? 1 : wanted < enough ? wanted : enough;
    void* arguments[] = {&view, &values};
    check(cudaLaunchCooperativeKernel(run_world_solve, blocks, block_size, arguments, 0, stream),
          "cudaLaunchCooperativeKernel");
}

void start_world_kernel(KernelId kernel, std::uint32_t items, const Buffer* buffers, const void* params,
                        cudaStream_t stream) {
    starts[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_world_kernel)](items, buffers, params,
                                                                                      stream);
}

} // namespace scree::cuda
