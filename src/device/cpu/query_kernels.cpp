// SPDX-License-Identifier: MIT
// query_kernels.cpp — rays through a rigid world on a device, for the CPU ("cpu:kernels").

#include "device/cpu/lanes.h"
#include "kernels/host_rays.h"

namespace scree {
namespace {

#define SCREE_UNPACK_F(name) w.name = static_cast<float*>(*buffers++);
#define SCREE_UNPACK_U(name) w.name = static_cast<unsigned*>(*buffers++);
#define SCREE_QUERY_RANGE(Family, FAMILY, name)                                                              \
    void name##_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {    \
        const auto& p = *static_cast<const ray_kernels::Family##Params*>(params);                            \
        ray_kernels::Family##View w;                                                                         \
        FAMILY##_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U) for (std::uint32_t i = begin; i < end; ++i)         \
            ray_kernels::name(i, w, p);                                                                      \
    }
QUERY_KERNELS(SCREE_QUERY_RANGE)

constexpr RangeFunction ranges[] = {
#define SCREE_ENTRY(Family, FAMILY, name) name##_range,
    QUERY_KERNELS(SCREE_ENTRY)};

} // namespace

RangeFunction query_range(KernelId kernel) {
    return ranges[static_cast<unsigned>(kernel) - static_cast<unsigned>(first_query_kernel)];
}

} // namespace scree
