// SPDX-License-Identifier: MIT
// convex.cpp — the convex narrow phase compiled once, in one lane; queries in double precision.
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

namespace scree::query_kernels {
// clang-format off: the order matters
#include "kernels/precision_end.h"
#include "kernels/dialect_double.h"
#include "kernels/convex_support.h"
#include "kernels/convex_gjk.h"
#include "kernels/convex_epa.h"
#include "kernels/convex_query.h"
// clang-format on
} // namespace scree::query_kernels

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

quat kernel_quat(Quat q) { return make_quat(q.s, q.x, q.y, q.z); }

ConvexShape kernel_shape(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), kernel_vector(g.size), g.radius, g.hull};
}

namespace fine = query_kernels;

fine::real3 fine_vector(const DVec3& v) { return {v.x, v.y, v.z}; }
DVec3 host_vector(fine::real3 v) { return {v.x, v.y, v.z}; }

fine::ConvexShape fine_shape(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), fine_vector(wide(g.size)), g.radius, g.hull};
}

fine::ConvexPair fine_pair(const ConvexGeometry& a, const ConvexGeometry& b, const DVec3& position,
                           const DQuat& rotation) {
    const DVec3 x = rotate(rotation, DVec3{1, 0, 0}), y = rotate(rotation, DVec3{0, 1, 0}),
                z = rotate(rotation, DVec3{0, 0, 1});
    return {fine_shape(a),
            fine_shape(b),
            {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}},
            fine_vector(position)};
}

ConvexNearest host_touch(const fine::ConvexTouch& touch) {
    return {host_vector(touch.normal), host_vector(touch.on_a), host_vector(touch.on_b), touch.separation};
}

} // namespace

void collide(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation, float margin,
             ContactManifold& out) {
    Manifold m;
    convex_manifold(kernel_shape(a), kernel_shape(b), kernel_vector(position), kernel_quat(rotation), margin,
                    nullptr, &m);
    out.normal = host_vector(m.normal);
    out.count = m.count;
    for (int i = 0; i < m.count; ++i) {
        out.point[i] = host_vector(m.point[i]);
        out.separation[i] = m.separation[i];
        out.feature[i] = m.feature[i];
    }
}

ConvexNearest convex_nearest(const ConvexGeometry& a, const ConvexGeometry& b, const DVec3& position,
                             const DQuat& rotation) {
    const fine::ConvexPair p = fine_pair(a, b, position, rotation);
    fine::ConvexTouch touch;
    fine::convex_touch(&p, &touch);
    return host_touch(touch);
}

ConvexCast convex_cast(const ConvexGeometry& a, const ConvexGeometry& b, const DVec3& position,
                       const DQuat& rotation, const DVec3& translation, double tolerance, double most) {
    const fine::ConvexPair p = fine_pair(a, b, position, rotation);
    fine::ConvexCastHit hit;
    fine::convex_cast(&p, fine_vector(translation), tolerance, most, &hit);
    if (!hit.found) return {};
    return {true, hit.fraction, host_touch(hit.touch)};
}

} // namespace scree
