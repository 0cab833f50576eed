// SPDX-License-Identifier: MIT
// convex.cpp — the convex narrow phase compiled once, in one lane.
#include "collision/convex.h"

#include <cstddef>

#define SCREE_LANES 1
namespace scree::convex_kernels {
// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/rotation.h"
// these functions are too large to be inlined into every caller
#undef KERNEL_FN
#define KERNEL_FN [[maybe_unused]] static inline
#include "kernels/convex_all.h"
// clang-format on
} // namespace scree::convex_kernels
#undef SCREE_LANES
#undef KERNEL_FN
#undef KERNEL_MEMBER
#undef GLOBAL
#undef PRIVATE

namespace scree {
namespace {

using namespace convex_kernels;

static_assert(static_cast<u32>(ShapeType::sphere) == CONVEX_SPHERE);
static_assert(static_cast<u32>(ShapeType::capsule) == CONVEX_CAPSULE);
static_assert(static_cast<u32>(ShapeType::box) == CONVEX_BOX);
static_assert(static_cast<u32>(ShapeType::cylinder) == CONVEX_CYLINDER);
static_assert(static_cast<u32>(ShapeType::cone) == CONVEX_CONE);
static_assert(static_cast<u32>(ShapeType::plane) == CONVEX_PLANE);
static_assert(static_cast<u32>(ShapeType::hull) == CONVEX_HULL);

real3 kernel_vector(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 host_vector(real3 v) { return {v.x, v.y, v.z}; }

ConvexShape kernel_shape(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), kernel_vector(g.size), g.radius, g.hull};
}

} // namespace

void collide(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation, float margin,
             ContactManifold& out) {
    Manifold m;
    convex_manifold(kernel_shape(a), kernel_shape(b), kernel_vector(position),
                    make_quat(rotation.s, rotation.x, rotation.y, rotation.z), margin, &m);
    out.normal = host_vector(m.normal);
    out.count = m.count;
    for (int i = 0; i < m.count; ++i) {
        out.point[i] = host_vector(m.point[i]);
        out.separation[i] = m.separation[i];
        out.feature[i] = m.feature[i];
    }
}

float convex_separation(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation) {
    ConvexPair p;
    p.a = kernel_shape(a);
    p.b = kernel_shape(b);
    p.rotation = quat_matrix(make_quat(rotation.s, rotation.x, rotation.y, rotation.z));
    p.position = kernel_vector(position);
    const real3 start = unit3(p.position, make_real3(0, 1, 0));
    ConvexGap gap;
    convex_gjk(&p, 0, 0, start, 3e38f, &gap);
    if (gap.state == GAP_OVERLAP) convex_epa(&p, start, &gap);
    return gap.separation - (convex_round(p.a) + convex_round(p.b));
}

} // namespace scree
