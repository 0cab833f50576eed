// SPDX-License-Identifier: MIT
// world_solve.cu — all of a soft step, or of a step of the projected SOR, in one launch whose stages wait for each other on the GPU.
#include "device/cuda/kernels.h"

#include "device/cuda/check.h"

#include <algorithm>
#include <cstring>

namespace scree::cuda {
namespace {

#include "device/cuda/world_functions.h"

constexpr unsigned most_threads = 128; // of a block

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
/// What overflows: each for itself, then what they did to the bodies.
#define SCREE_OVERFLOW(joint, contact)                                                                       \
    if (entries) {                                                                                           \
        p.overflow = 1;                                                                                      \
        SCREE_COLOUR(joint, contact, COLOUR_OVERFLOW)                                                        \
        p.overflow = 0;                                                                                      \
        barrier.sync();                                                                                      \
        for (u32 i = self; i < PIECE_LANES * entries; i += threads) world::world_split_apply(i, w, apply);   \
        barrier.sync();                                                                                      \
    }
#define SCREE_EACH_COLOUR(joint, contact)                                                                    \
    for (u32 k = 0; k < COLOUR_OVERFLOW; ++k) {                                                              \
        if (!has_joints(buckets, k) && !has_contacts(buckets, k)) continue;                                  \
        SCREE_COLOUR(joint, contact, k)                                                                      \
        barrier.sync();                                                                                      \
    }                                                                                                        \
    SCREE_OVERFLOW(joint, contact)
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
__device__ bool has_joints(const u32* buckets, u32 colour) {
    return buckets[BUCKET_WORDS * 4 * colour + BUCKET_COUNT] != 0;
}
__device__ bool has_contacts(const u32* buckets, u32 colour) {
    const u32* of = buckets + BUCKET_WORDS * 4 * colour + BUCKET_COUNT;
    return (of[BUCKET_WORDS] | of[2 * BUCKET_WORDS] | of[3 * BUCKET_WORDS]) != 0;
}

/// What the stages of either solver name; `given.which` is how often they are repeated.
#define SCREE_BEGIN_SOLVE                                                                                    \
    Barrier barrier{w.counts + COUNT_BARRIER, 0};                                                            \
    const u32 self = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;                \
    const u32 rounds = given.which, entries = given.count, overflow_first = given.push_first;                \
    __shared__ u32 buckets[BUCKETS * BUCKET_WORDS]; /* asked for in every stage */                           \
    for (u32 i = threadIdx.x; i < BUCKETS * BUCKET_WORDS; i += blockDim.x)                                   \
        buckets[i] = w.counts[COUNT_BUCKETS + i];                                                            \
    __syncthreads();                                                                                         \
    world::WorldParams p = given, apply = given;                                                             \
    p.overflow = 0;

__global__ void __launch_bounds__(most_threads)
    run_soft_step(const __grid_constant__ world::WorldView w,
                  const __grid_constant__ world::WorldParams given) {
    SCREE_BEGIN_SOLVE
    apply.which = 0;
    SCREE_EVERYWHERE(world_joint_prepare, world_contact_prepare)
    SCREE_BODIES(world_body_begin)
    barrier.sync();
    for (u32 s = 0; s < rounds; ++s) {
        p.which = s == 0;
        SCREE_BODIES(world_body_velocity)
        barrier.sync();
        if (s == 0 && p.step.warm_scale > 0) {
            SCREE_EACH_COLOUR(world_joint_warm, world_contact_warm)
        }
        SCREE_EACH_COLOUR(world_joint_solve, world_contact_solve)
        SCREE_BODIES(world_body_position)
        barrier.sync();
        SCREE_EACH_COLOUR(world_joint_relax, world_contact_relax)
    }
    if (p.step.extras) {
        SCREE_EACH_COLOUR(world_joint_rest, world_contact_bounce)
    }
    SCREE_EVERYWHERE(world_joint_store, world_contact_store)
    SCREE_BODIES(world_body_finish)
}

__global__ void __launch_bounds__(most_threads)
    run_sor_step(const __grid_constant__ world::WorldView w,
                 const __grid_constant__ world::WorldParams given) {
    SCREE_BEGIN_SOLVE
    apply.which = 1; // changes of velocity
    SCREE_BODIES(world_sor_begin)
    SCREE_BODIES(world_body_begin)
    barrier.sync();
    SCREE_EVERYWHERE(world_sor_joint_assemble, world_sor_assemble)
    barrier.sync();
    p.which = 1;
    SCREE_BODIES(world_body_velocity)
    barrier.sync();
    SCREE_EVERYWHERE(world_sor_joint_init, world_sor_init)
    barrier.sync();
    for (u32 r = 0; r < rounds; ++r) {
        // joints of every colour before contacts
        for (u32 k = 0; k < COLOUR_OVERFLOW; ++k) {
            if (!has_joints(buckets, k)) continue;
            const u32* colour = buckets + BUCKET_WORDS * 4 * k;
            for (u32 v = self; v < in_warps(colour, 0); v += threads) SCREE_ITEM(world_sor_joint_sweep, 0, v)
            barrier.sync();
        }
        for (u32 k = 0; k < COLOUR_OVERFLOW; ++k) {
            if (!has_contacts(buckets, k)) continue;
            SCREE_COLOUR(world_joint_rest, world_sor_sweep, k)
            barrier.sync();
        }
        SCREE_OVERFLOW(world_sor_joint_sweep, world_sor_sweep)
    }
    SCREE_EVERYWHERE(world_sor_joint_store, world_sor_store)
    SCREE_BODIES(world_sor_finish)
    SCREE_BODIES(world_body_position)
    SCREE_BODIES(world_body_finish)
}

struct LaunchSize {
    unsigned blocks, threads;
};

/// Few items are spread over all multiprocessors; more blocks than there is work for would only make waiting longer. Figures of an
/// H200: docs/results/rigid-gpu.md.
template <class Kernel>
LaunchSize launch_size(Kernel kernel, unsigned items) {
    int device = 0, count = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, most_threads, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const auto processors = static_cast<unsigned>(count), most = static_cast<unsigned>(each);
    const unsigned for_each = items / (processors * most_threads); // for a thread, with a block on each
    const unsigned together = for_each < 4 ? 1 : for_each < 16 ? std::min(2u, most) : most;
    unsigned threads = most_threads;
    while (threads > 32 && items <= processors * threads / 2) threads /= 2;
    return {std::clamp((items + threads - 1) / threads, 1u, processors * together), threads};
}

} // namespace

void start_world_solve(OneLaunch which, const Buffer* buffer, const void* params, cudaStream_t stream) {
    world::WorldParams values;
    world::WorldView view;
    WORLD_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);
    std::memcpy(&values, params, sizeof values);
    const auto kernel = which == OneLaunch::sor_step ? run_sor_step : run_soft_step;
    const LaunchSize size = launch_size(kernel, values.items);
    void* arguments[] = {&view, &values};
    check(cudaLaunchCooperativeKernel(kernel, size.blocks, size.threads, arguments, 0, stream),
          "cudaLaunchCooperativeKernel");
}

} // namespace scree::cuda
