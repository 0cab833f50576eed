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

convex_contact_kernels::ConvexShape shape(const ConvexGeometry& g) {
    return {
        static_cast<convex_contact_kernels::u32>(g.type), {g.size.x, g.size.y, g.size.z}, g.radius, g.hull};
}

convex_contact_kernels::PairView pair_view(const void* view) {
    convex_contact_kernels::PairView v;
    std::memcpy(&v, view, sizeof v);
    return v;
}

} // namespace

void make_convex_contact(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                         const void* view) {
    using namespace convex_contact_kernels;
    narrow_convex(item, shape(a), shape(b), pair_view(view));
}

bool make_mesh_contacts(std::uint32_t item, const ConvexGeometry& a, const ConvexGeometry& b,
                        const std::uint32_t* contacts, const void* view) {
    using namespace convex_contact_kernels;
    return narrow_mesh(item, shape(a), shape(b), contacts, pair_view(view));
}

} // namespace scree
