// SPDX-License-Identifier: MIT
// pipeline_kernels.cpp — the kernels of a rigid world on a device, for the CPU: one lane. They run a
// GPU's steps on any machine, for tests and debugging ("cpu:kernels"); steps on "cpu" are rigid/cpu_simulation.h.

#include "device/cpu/lanes.h"

namespace scree {
namespace {

namespace one {
#define SCREE_LANES 1
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
#include "kernels/pipeline_all.h"
// clang-format on
} // namespace one

#define SCREE_UNPACK_F(name) w.name = static_cast<float*>(*buffers++);
#define SCREE_UNPACK_U(name) w.name = static_cast<unsigned*>(*buffers++);
#define SCREE_WORLD_RANGE(Family, FAMILY, name)                                                              \
    void name##_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {    \
        const auto& p = *static_cast<const one::Family##Params*>(params);                                    \
        one::Family##View w;                                                                                 \
        FAMILY##_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U) for (std::uint32_t i = begin; i < end; ++i)         \
            one::name(i, w, p);                                                                              \
    }
WORLD_KERNELS(SCREE_WORLD_RANGE)

constexpr RangeFunction ranges[] = {
#define SCREE_ENTRY(Family, FAMILY, name) name##_range,
    WORLD_KERNELS(SCREE_ENTRY)};

} // namespace

RangeFunction world_range(KernelId kernel) {
    return ranges[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_world_kernel)];
}

} // namespace scree
