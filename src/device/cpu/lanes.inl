// SPDX-License-Identifier: MIT
// lanes.inl — every kernel for SCREE_TABLE_LANES lanes, and the table of them.
//
// Compiled once for each number of lanes, each with the instruction set it needs. Nothing with external linkage may be
// instantiated here but the table's function: the linker could keep this file's copy of an inline function for the
// whole program, and an older processor would trip over it. So: no standard containers or algorithms.

#include "device/cpu/lanes.h"

#include <cstdlib>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace scree {
namespace {

namespace one {
#define SCREE_LANES 1
#include "kernels/all.h"
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
} // namespace one

#if SCREE_TABLE_LANES > 1
namespace wide {
#define SCREE_LANES SCREE_TABLE_LANES
// clang-format off: the order matters
#include "kernels/all.h"
#include "device/cpu/granular_forces.inl"
// clang-format on
} // namespace wide
#define SCREE_LANE_SPACE wide
#else
#define SCREE_LANE_SPACE one
#endif

#define SCREE_UNPACK_F(name) w.name = static_cast<float*>(*buffers++);
#define SCREE_UNPACK_U(name) w.name = static_cast<unsigned*>(*buffers++);

#define SCREE_RANGE(space, step, Family, FAMILY, name)                                                       \
    void name##_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {    \
        const auto& p = *static_cast<const space::Family##Params*>(params);                                  \
        space::Family##View w;                                                                               \
        FAMILY##_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U) for (std::uint32_t i = begin; i < end; i += step)   \
            space::name(i, w, p);                                                                            \
    }
#define SCREE_LANE_RANGE(Family, FAMILY, name)                                                               \
    SCREE_RANGE(SCREE_LANE_SPACE, SCREE_TABLE_LANES, Family, FAMILY, name)
#define SCREE_SCALAR_RANGE(Family, FAMILY, name) SCREE_RANGE(one, 1, Family, FAMILY, name)

LANE_KERNELS(SCREE_LANE_RANGE)
FABRIC_LANE_KERNELS(SCREE_LANE_RANGE)
SCALAR_KERNELS(SCREE_SCALAR_RANGE)

#if SCREE_TABLE_LANES > 1
template <void (*stage)(std::uint32_t, std::uint32_t, const one::GranularView&, const one::GranularParams&)>
void granular_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {
    one::GranularView w;
    GRANULAR_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U)
    stage(begin, end, w, *static_cast<const one::GranularParams*>(params));
}
#endif

constexpr LaneTable table = [] {
    LaneTable t{{
#define SCREE_ENTRY(Family, FAMILY, name) name##_range,
        LANE_KERNELS(SCREE_ENTRY) SCALAR_KERNELS(SCREE_ENTRY) FABRIC_LANE_KERNELS(SCREE_ENTRY)}};
#if SCREE_TABLE_LANES > 1
    const auto use = [&t](KernelId kernel, RangeFunction range) {
        t.kernel[static_cast<unsigned>(kernel)] = range;
    };
    use(KernelId::granular_forces, granular_range<wide::forces_of_range<0>>);
    use(KernelId::granular_forces_history, granular_range<wide::forces_of_range<1>>);
    use(KernelId::granular_forces_listed, granular_range<wide::listed_forces_of_range<0>>);
    use(KernelId::granular_forces_listed_history, granular_range<wide::listed_forces_of_range<1>>);
    use(KernelId::granular_near_count, granular_range<wide::near_count_of_range>);
    use(KernelId::granular_near_fill, granular_range<wide::near_fill_of_range>);
#endif
    return t;
}();

} // namespace

#define SCREE_JOIN2(a, b) a##b
#define SCREE_JOIN(a, b) SCREE_JOIN2(a, b)
const LaneTable& SCREE_JOIN(lane_table_, SCREE_TABLE_LANES)() { return table; }

} // namespace scree
