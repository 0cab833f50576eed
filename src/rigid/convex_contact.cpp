// SPDX-License-Identifier: MIT
// convex_contact.cpp — kernels/rigid_convex.h compiled once, in one lane.

#include "rigid/convex_contact.h"

#include <cstddef>
#include <cstring>

#define SCREE_LANES 1
namespace scree::convex_contact_kernels {
// clang-format off: the order matters
#include "kernels/all.h"
#include "kernels/rigid_all.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
#include "kernels/rigid_bounds.h"
#include "kernels/rigid_convex.h"
#include "kernels/rigid_mesh.h"
// clang-format on
} // namespace scree::convex_contact_kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE
#undef BLOCK

namespace scree {

namespace {

using namespace convex_contact_kernels;

PairView view_at(const void* view) {
    PairView v;
    std::memcpy(&v, view, sizeof v);
    return v;
}
ConvexShape shape_of(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), {g.size.x, g.size.y, g.size.z}, g.radius, g.hull};
}

} // namespace

void make_convex_contact(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                         std::uint16_t& parting, const void* view) {
    u32 face = parting;
    narrow_convex(item, shape_of(a), shape_of(b), &face, view_at(view));
    parting = static_cast<std::uint16_t>(face);
}

bool sensor_overlaps(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b, const void* view) {
    return convex_contact_kernels::sensor_overlaps(item, shape_of(a), shape_of(b), view_at(view));
}

bool make_mesh_contacts(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                        const std::uint32_t* contacts, const void* view) {
    return narrow_mesh(item, shape_of(a), shape_of(b), contacts, view_at(view));
}

} // namespace scree
