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

quat kernel_quat(Quat q) { return make_quat(q.s, q.x, q.y, q.z); }

ConvexShape kernel_shape(const ConvexGeometry& g) {
    return {static_cast<u32>(g.type), kernel_vector(g.size), g.radius, g.hull};
}

ConvexPair kernel_pair(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation) {
    return {kernel_shape(a), kernel_shape(b), quat_matrix(kernel_quat(rotation)), kernel_vector(position)};
}

/// In A's frame, where B is a plane.
real3 plane_up(const ConvexPair& p) { return make_real3(p.rotation.x.y, p.rotation.y.y, p.rotation.z.y); }

} // namespace

void collide(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation, float margin,
             ContactManifold& out) {
    Manifold m;
    convex_manifold(kernel_shape(a), kernel_shape(b), kernel_vector(position), kernel_quat(rotation), margin,
                    &m);
    out.normal = host_vector(m.normal);
    out.count = m.count;
    for (int i = 0; i < m.count; ++i) {
        out.point[i] = host_vector(m.point[i]);
        out.separation[i] = m.separation[i];
        out.feature[i] = m.feature[i];
    }
}

ConvexNearest convex_nearest(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation) {
    const ConvexPair p = kernel_pair(a, b, position, rotation);
    const real round_a = convex_round(p.a);
    ConvexGap gap;
    if (p.b.type == CONVEX_PLANE) {
        gap.normal = -plane_up(p);
        gap.on_a = convex_support(p.a, gap.normal, 0);
        gap.separation = dot3(p.position - gap.on_a, gap.normal);
    } else {
        const real3 start = unit3(p.position, make_real3(0, 1, 0));
        convex_gjk(&p, 0, 0, start, 3e38f, &gap);
        if (gap.state == GAP_OVERLAP) convex_epa(&p, start, &gap);
    }
    return {host_vector(gap.normal), host_vector(gap.on_a + gap.normal * round_a),
            gap.separation - (round_a + convex_round(p.b))};
}

ConvexCast convex_cast(const ConvexGeometry& a, const ConvexGeometry& b, Vec3 position, Quat rotation,
                       Vec3 translation, float tolerance, float most) {
    ConvexCast cast;
    if (b.type == ShapeType::plane) {
        cast.nearest = convex_nearest(a, b, position, rotation);
        const float gap = cast.nearest.separation;
        const float closing = dot(cast.nearest.normal, translation);
        cast.fraction = gap > 0 ? gap / closing : 0;
        cast.found = gap <= 0 || (closing > 0 && cast.fraction <= most);
        cast.nearest.on_a = cast.nearest.on_a + cast.fraction * translation;
        if (gap > 0) cast.nearest.separation = 0;
        return cast;
    }
    const real3 zero = make_real3(0, 0, 0);
    const quat unturned = make_quat(1, 0, 0, 0);
    const SweptShape moving{kernel_shape(a), 0, zero, kernel_vector(translation), unturned, unturned, zero,
                            unturned,        0, 0};
    const SweptShape still{kernel_shape(b), 0,    kernel_vector(position), zero, unturned,
                           unturned,        zero, kernel_quat(rotation),   0,    0};
    const SweepHit hit = convex_sweep(&moving, &still, 0, tolerance, most);
    if (!hit.found) return cast;
    cast.found = true;
    cast.fraction = hit.time;
    // where they touch, seen from a little before; or how deep they overlap at the start
    const Vec3 back = hit.time > 0 ? host_vector(hit.normal * (100 * tolerance)) : Vec3{};
    const Vec3 moved = hit.time * translation - back;
    cast.nearest = convex_nearest(a, b, position - moved, rotation);
    cast.nearest.on_a = cast.nearest.on_a + moved;
    return cast;
}

} // namespace scree
