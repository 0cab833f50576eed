// SPDX-License-Identifier: MIT
// impact_kernels.cpp — the kernels of impacts in stages, for the CPU: one lane.

#include "device/cpu/lanes.h"

namespace scree {
namespace {

namespace one {
#define SCREE_LANES 1
#include "kernels/impact_all.h"
} // namespace one

#define SCREE_UNPACK_F(name) w.name = static_cast<float*>(*buffers++);
#define SCREE_UNPACK_U(name) w.name = static_cast<unsigned*>(*buffers++);
#define SCREE_IMPACT_RANGE(Family, FAMILY, name)                                                             \
    void name##_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {    \
        const auto& p = *static_cast<const one::Family##Params*>(params);                                    \
        one::Family##View w;                                                                                 \
        FAMILY##_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U) for (std::uint32_t i = begin; i < end; ++i)         \
            one::name(i, w, p);                                                                              \
    }
IMPACT_KERNELS(SCREE_IMPACT_RANGE)

constexpr RangeFunction ranges[] = {
#define SCREE_ENTRY(Family, FAMILY, name) name##_range,
    IMPACT_KERNELS(SCREE_ENTRY)};

} // namespace

RangeFunction impact_range(KernelId kernel) {
    return ranges[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_impact_kernel)];
}

} // namespace scree
