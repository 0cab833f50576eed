// SPDX-License-Identifier: MIT
// pipeline_solve.cu — runs a solver's schedule (kernels/rigid_schedule.h) in one launch whose stages wait for each other on the GPU.
#include "device/cuda/kernels.h"

#include "device/cuda/barrier.h"
#include "device/cuda/check.h"

#include <algorithm>
#include <cstring>

namespace scree::cuda {
namespace {

#include "device/cuda/pipeline_functions.h"

constexpr unsigned most_threads = 128; // of a block
constexpr unsigned on_chip_threads = 512;

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
/// The colour of a stage, which may be the overflow.
#define SCREE_STAGE(joint, contact)                                                                          \
    if (k == COLOUR_OVERFLOW) {                                                                              \
        p.overflow = 1;                                                                                      \
        SCREE_COLOUR(joint, contact, COLOUR_OVERFLOW)                                                        \
        p.overflow = 0;                                                                                      \
    } else SCREE_COLOUR(joint, contact, k)
#define SCREE_EVERYWHERE(joint, contact)                                                                     \
    for (u32 each = 0; each <= COLOUR_OVERFLOW; ++each) {                                                    \
        p.overflow = each == COLOUR_OVERFLOW;                                                                \
        SCREE_COLOUR(joint, contact, each)                                                                   \
    }                                                                                                        \
    p.overflow = 0;
#define SCREE_JOINTS(joint)                                                                                  \
    {                                                                                                        \
        const u32* colour = buckets + BUCKET_WORDS * 4 * k;                                                  \
        for (u32 v = self; v < in_warps(colour, 0); v += threads) SCREE_ITEM(joint, 0, v)                    \
    }
#define SCREE_BODIES(kernel)                                                                                 \
    for (u32 i = self; i < p.bodies; i += threads) world::kernel(i, w, p);

/// Of one block.
struct BlockBarrier {
    __device__ void sync() { __syncthreads(); }
};

__device__ u32 in_warps(const u32* colour, u32 kind) {
    return (colour[BUCKET_WORDS * kind + BUCKET_COUNT] + 31) / 32 * 32;
}
/// Goes through the list; SCREE_OPERATIONS are cases of the switch. What a stage needs of a bucket is asked for in every stage and
/// kept in shared memory.
#define SCREE_RUN(SCREE_OPERATIONS)                                                                          \
    const u32 self = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;                \
    const u32 entries = given.params.count, overflow_first = given.params.push_first;                        \
    __shared__ u32 buckets[BUCKETS * BUCKET_WORDS];                                                          \
    for (u32 i = threadIdx.x; i < BUCKETS * BUCKET_WORDS; i += blockDim.x)                                   \
        buckets[i] = w.counts[COUNT_BUCKETS + i];                                                            \
    __syncthreads();                                                                                         \
    world::WorldParams p = given.params;                                                                     \
    p.overflow = 0;                                                                                          \
    const world::Schedule& list = given.schedule;                                                            \
    for (world::StagePlace place{};;) {                                                                      \
        const u32 stage = list.stages[place.at], k = world::stage_colour(stage);                             \
        switch (world::stage_operation(stage)) {                                                             \
            SCREE_OPERATIONS                                                                                 \
        default:                                                                                             \
            break;                                                                                           \
        }                                                                                                    \
        if (world::stage_operation(stage) == world::STAGE_SOR_CHECK) {                                       \
            barrier.sync();                                                                                  \
            if (world::atomic_load(w.counts + COUNT_CONVERGED)) place = world::loop_left(&list);             \
        }                                                                                                    \
        place = world::next_stage(&list, place);                                                             \
        if (place.at >= list.count) return;                                                                  \
        barrier.sync();                                                                                      \
    }
#define SCREE_CASE(operation, ...)                                                                           \
    case world::operation: {                                                                                 \
        __VA_ARGS__                                                                                          \
        break;                                                                                               \
    }
/// What the pieces of split bodies did; `changes`: to the changes of the SOR.
#define SCREE_APPLY(changes)                                                                                 \
    world::WorldParams apply = given.params;                                                                 \
    apply.which = changes;                                                                                   \
    for (u32 i = self; i < PIECE_LANES * entries; i += threads) world::world_split_apply(i, w, apply);

#define SCREE_SOFT_STEP                                                                                      \
    SCREE_CASE(STAGE_PREPARE,                                                                                \
               SCREE_EVERYWHERE(world_joint_prepare, world_contact_prepare) SCREE_BODIES(world_body_begin))  \
    SCREE_CASE(STAGE_VELOCITY, p.which = place.round == 0; SCREE_BODIES(world_body_velocity))                \
    SCREE_CASE(STAGE_WARM, SCREE_STAGE(world_joint_warm, world_contact_warm))                                \
    SCREE_CASE(STAGE_SOLVE, SCREE_STAGE(world_joint_solve, world_contact_solve))                             \
    SCREE_CASE(STAGE_RELAX, SCREE_STAGE(world_joint_relax, world_contact_relax))                             \
    SCREE_CASE(STAGE_BOUNCE, SCREE_STAGE(world_joint_rest, world_contact_bounce))                            \
    SCREE_CASE(STAGE_POSITION, SCREE_BODIES(world_body_position))                                            \
    SCREE_CASE(STAGE_STORE,                                                                                  \
               SCREE_EVERYWHERE(world_joint_store, world_contact_store) SCREE_BODIES(world_body_finish))     \
    SCREE_CASE(STAGE_APPLY, SCREE_APPLY(0))

#define SCREE_SOR_STEP                                                                                       \
    SCREE_CASE(STAGE_SOR_BEGIN, SCREE_BODIES(world_sor_begin) SCREE_BODIES(world_body_begin))                \
    SCREE_CASE(STAGE_SOR_ASSEMBLE, SCREE_EVERYWHERE(world_sor_joint_assemble, world_sor_assemble))           \
    SCREE_CASE(STAGE_SOR_FORCES, p.which = 1; SCREE_BODIES(world_body_velocity))                             \
    SCREE_CASE(STAGE_SOR_INIT, SCREE_EVERYWHERE(world_sor_joint_init, world_sor_init))                       \
    SCREE_CASE(STAGE_SOR_JOINTS, SCREE_JOINTS(world_sor_joint_sweep))                                        \
    SCREE_CASE(STAGE_SOR_CONTACTS, SCREE_COLOUR(world_joint_rest, world_sor_sweep, k))                       \
    SCREE_CASE(STAGE_SOR_BOTH, SCREE_STAGE(world_sor_joint_sweep, world_sor_sweep))                          \
    SCREE_CASE(STAGE_SOR_GROUPS, p.which = place.round;                                                      \
               for (u32 g = self; g < groups; g += threads) world::world_sor_groups(g, w, p);)               \
    SCREE_CASE(STAGE_SOR_ASKED, p.items = threads; world::world_sor_asked(self, w, p);)                      \
    SCREE_CASE(STAGE_SOR_CHECK, if (self == 0) world::world_sor_check(0, w, p);)                             \
    SCREE_CASE(STAGE_SOR_STORE,                                                                              \
               SCREE_EVERYWHERE(world_sor_joint_store, world_sor_store) SCREE_BODIES(world_sor_finish)       \
                   SCREE_BODIES(world_body_position) SCREE_BODIES(world_body_finish))                        \
    SCREE_CASE(STAGE_APPLY, SCREE_APPLY(1))

__global__ void __launch_bounds__(most_threads)
    run_soft_step(const __grid_constant__ world::WorldView w,
                  const __grid_constant__ world::WorldSolve given) {
    Barrier barrier{w.counts + COUNT_BARRIER, 0};
    SCREE_RUN(SCREE_SOFT_STEP)
}

__global__ void __launch_bounds__(most_threads)
    run_sor_step(const __grid_constant__ world::WorldView w,
                 const __grid_constant__ world::WorldSolve given) {
    Barrier barrier{w.counts + COUNT_BARRIER, 0};
    const u32 groups = given.params.sor.groups; // at most
    SCREE_RUN(SCREE_SOR_STEP)
}

/// The same by one block, which keeps V' of all bodies in shared memory: iterations wait for no other block, and what they read and
/// write of bodies is on the chip. V' is zero between steps, in global memory too, so nothing is copied.
__global__ void __launch_bounds__(on_chip_threads)
    run_sor_on_chip(const __grid_constant__ world::WorldView global,
                    const __grid_constant__ world::WorldSolve given) {
    extern __shared__ float4 change[];
    for (u32 i = threadIdx.x; i < 2 * given.params.bodies; i += blockDim.x)
        change[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    world::WorldView w = global;
    w.change = reinterpret_cast<float*>(change);
    BlockBarrier barrier;
    const u32 groups = given.params.sor.groups;
    SCREE_RUN(SCREE_SOR_STEP)
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

std::size_t on_chip_bytes(const world::WorldSolve& solve) { return 32 * std::size_t{solve.params.bodies}; }

world::WorldSolve read_solve(const void* solve) {
    world::WorldSolve values;
    std::memcpy(&values, solve, sizeof values);
    return values;
}

} // namespace

OneLaunch world_solve_of(OneLaunch wanted, const void* solve) {
    if (wanted != OneLaunch::sor_on_chip) return wanted;
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
    cudaFuncAttributes own{};
    check(cudaFuncGetAttributes(&own, run_sor_on_chip), "cudaFuncGetAttributes");
    const bool fits =
        on_chip_bytes(read_solve(solve)) + own.sharedSizeBytes <= static_cast<std::size_t>(most);
    return fits ? OneLaunch::sor_on_chip : OneLaunch::sor_step;
}

void start_world_solve(OneLaunch which, const Buffer* buffer, const void* solve, cudaStream_t stream) {
    world::WorldSolve values = read_solve(solve);
    world::WorldView view;
    WORLD_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);
    if (which == OneLaunch::sor_on_chip) {
        const std::size_t bytes = on_chip_bytes(values);
        check(cudaFuncSetAttribute(run_sor_on_chip, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "cudaFuncSetAttribute");
        run_sor_on_chip<<<1, on_chip_threads, bytes, stream>>>(view, values);
        return check(cudaGetLastError(), "run_sor_on_chip");
    }
    const auto kernel = which == OneLaunch::sor_step ? run_sor_step : run_soft_step;
    const LaunchSize size = launch_size(kernel, values.params.items);
    void* arguments[] = {&view, &values};
    check(cudaLaunchCooperativeKernel(kernel, size.blocks, size.threads, arguments, 0, stream),
          "cudaLaunchCooperativeKernel");
}

} // namespace scree::cuda
