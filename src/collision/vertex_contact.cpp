// SPDX-License-Identifier: MIT
// vertex_contact.cpp — kernels/fabric_shape.h compiled once, in one lane.
#include "collision/vertex_contact.h"

#include <cstddef>

#define SCREE_LANES 1
namespace scree::vertex_contact_kernels {
// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/rotation.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
#include "kernels/fabric_words.h"
#include "kernels/fabric_convex.h"
#include "kernels/fabric_mesh.h"
#include "kernels/fabric_shape.h"
// clang-format on
} // namespace scree::vertex_contact_kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE

namespace scree {
namespace {

using namespace vertex_contact_kernels;

ConvexShape shape_of(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), {g.size.x, g.size.y, g.size.z}, g.radius, g.hull};
}
VertexContact contact_of(const FabricHit& hit) {
    return {{hit.point.x, hit.point.y, hit.point.z},
            {hit.normal.x, hit.normal.y, hit.normal.z},
            hit.distance,
            hit.part};
}

} // namespace

int vertex_contacts(const ConvexGeometry& shape, Vec3 point, Vec3 before, float margin,
                    VertexContact (&out)[2]) {
    FabricHit hits[2];
    const u32 count = fabric_shape_hit(shape_of(shape), {point.x, point.y, point.z},
                                       {before.x, before.y, before.z}, margin, hits);
    for (u32 k = 0; k < count; ++k) out[k] = contact_of(hits[k]);
    return static_cast<int>(count);
}

bool vertex_entry(const ConvexGeometry& shape, Vec3 from, Vec3 to, VertexContact& out) {
    FabricHit hit;
    if (!fabric_segment(shape_of(shape), {from.x, from.y, from.z}, {to.x, to.y, to.z}, &hit)) return false;
    out = contact_of(hit);
    return true;
}

} // namespace scree
