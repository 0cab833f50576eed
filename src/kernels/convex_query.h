// SPDX-License-Identifier: MIT
// convex_query.h — where two convex shapes are nearest, and when one that moves without turning first touches the other.
// compiles as: host, cuda, in double precision (dialect_double.h)

#define QUERY_CAST_ITERATIONS 128
#define QUERY_REFINEMENTS 16
#define QUERY_EQUAL 1e-12 // of their common width: depths that are the same
#define QUERY_TURN 1e-8   // normals that are the same
#define QUERY_GAP 1e-2    // of their common width: so far they are moved apart to see where they touch

/// all in A's frame
struct ConvexTouch {
    real3 normal;     // unit, from A to B
    real3 on_a, on_b; // on the surfaces
    real separation;  // the distance, or minus the least way to part them
};

struct ConvexCastHit {
    bool found;
    real fraction; // of the way
    ConvexTouch touch;
};

/// In A's frame, where B is a plane: from A to B.
KERNEL_FN real3 plane_down(PRIVATE const ConvexPair* p) {
    return -make_real3(p->rotation.x.y, p->rotation.y.y, p->rotation.z.y);
}

/// How wide A - B is along a unit vector.
KERNEL_FN real pair_width(PRIVATE const ConvexPair* p, real3 n) {
    return pair_overlap(p, n) + pair_overlap(p, -n);
}

/// The unit vector across an A - B that has no volume: segments that cross, a point in a triangle.
KERNEL_FN real3 flat_normal(PRIVATE const ConvexPair* p, real3 otherwise) {
    real3 along = otherwise, across = otherwise;
    real widest = 0;
    for (i32 axis = 0; axis < 3; ++axis) {
        real3 d = make_real3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
        real3 u = (convex_support(p->a, d, 0) - pair_support_b(p, -d, 0)) -
                  (convex_support(p->a, -d, 0) - pair_support_b(p, d, 0));
        if (dot3(u, u) > widest) widest = dot3(u, u), along = u;
    }
    if (!(widest > 0)) return otherwise;
    // two directions across the longest extent span what else there is
    real3 axis = magnitude(along.x) < magnitude(along.y) ? make_real3(1, 0, 0) : make_real3(0, 1, 0);
    real3 first = unit3(cross3(along, axis), otherwise), second = unit3(cross3(along, first), otherwise);
    across = pair_width(p, first) > pair_width(p, second) ? first : second;
    real3 u = (convex_support(p->a, across, 0) - pair_support_b(p, -across, 0)) -
              (convex_support(p->a, -across, 0) - pair_support_b(p, across, 0));
    return unit3(cross3(along, u), across.x == first.x && across.y == first.y ? second : first);
}

/// Where they touch, seen from where A is moved back along the normal until they are apart: there the nearest points are well
/// defined. `overlap`: of the cores along the normal; less where another normal is better.
KERNEL_FN void touch_refine(PRIVATE const ConvexPair* p, PRIVATE real3* normal, PRIVATE real* overlap,
                            PRIVATE ConvexTouch* out) {
    real width = pair_width(p, *normal);
    for (i32 k = 0; k < QUERY_REFINEMENTS; ++k) {
        ConvexPair q = *p;
        real3 away = *normal * (*overlap + QUERY_GAP * width);
        q.position = p->position + away;
        ConvexGap gap;
        convex_gjk(&q, 0, 0, *normal, 3e38, &gap);
        out->on_a = gap.on_a;
        out->on_b = (gap.on_a + gap.normal * gap.separation) - away;
        if (gap.state != GAP_APART) return;
        // a normal that is as good takes over, too: along it the two points face each other
        real better = pair_overlap(p, gap.normal);
        if (!(better <= *overlap + QUERY_EQUAL * width)) return;
        real3 turn = gap.normal - *normal;
        *normal = gap.normal;
        *overlap = better;
        if (!(dot3(turn, turn) > QUERY_TURN * QUERY_TURN)) return;
    }
}

/// A is no plane.
KERNEL_FN void convex_touch(PRIVATE const ConvexPair* p, PRIVATE ConvexTouch* out) {
    real round_a = convex_round(p->a), round_b = convex_round(p->b);
    if (p->b.type == CONVEX_PLANE) {
        out->normal = plane_down(p);
        out->on_a = convex_support(p->a, out->normal, 0) + out->normal * round_a;
        out->separation = dot3(p->position - out->on_a, out->normal);
        out->on_b = out->on_a + out->normal * out->separation;
        return;
    }
    ConvexGap gap;
    real3 start = unit3(p->position, make_real3(0, 1, 0));
    convex_gjk(p, 0, 0, start, 3e38, &gap);
    real3 n = gap.normal;
    if (gap.state == GAP_APART) {
        out->on_a = gap.on_a;
        out->on_b = gap.on_a + n * gap.separation;
        out->separation = gap.separation;
    } else {
        convex_epa(p, start, &gap);
        n = gap.normal;
        real overlap = -gap.separation;
        real3 across = flat_normal(p, start);
        for (i32 side = 0; side < 2; ++side) {
            if (pair_overlap(p, across) < overlap) {
                overlap = pair_overlap(p, across);
                n = across;
            }
            across = -across;
        }
        touch_refine(p, &n, &overlap, out);
        out->separation = -overlap;
    }
    out->normal = n;
    out->on_a = out->on_a + n * round_a;
    out->on_b = out->on_b - n * round_b;
    out->separation = out->separation - (round_a + round_b);
}

/// When A, moving by `way` without turning, first touches B, up to `most`: 0 where they overlap from the start. They touch when they
/// are as close as `tolerance`. Newton's method on a convex function: it comes from below.
KERNEL_FN void convex_cast(PRIVATE const ConvexPair* p, real3 way, real tolerance, real most,
                           PRIVATE ConvexCastHit* out) {
    out->found = false;
    out->fraction = 0;
    if (p->b.type == CONVEX_PLANE) {
        convex_touch(p, &out->touch);
        real gap = out->touch.separation, closing = dot3(out->touch.normal, way);
        out->fraction = gap > 0 ? gap / closing : 0;
        out->found = gap <= 0 || (closing > 0 && out->fraction <= most);
        out->touch.on_a = out->touch.on_a + way * out->fraction;
        if (gap > 0) {
            out->touch.on_b = out->touch.on_a;
            out->touch.separation = 0;
        }
        return;
    }
    real rounds = convex_round(p->a) + convex_round(p->b);
    real3 start = unit3(p->position, make_real3(0, 1, 0));
    ConvexPair q = *p;
    ConvexGap gap;
    for (i32 iteration = 0; iteration < QUERY_CAST_ITERATIONS; ++iteration) {
        q.position = p->position - way * out->fraction;
        convex_gjk(&q, 0, 0, start, 3e38, &gap);
        real separation = gap.separation - rounds;
        // a plane that parts them counts, whatever rounding let GJK make of it
        if (!(separation > tolerance)) break;
        start = gap.normal;
        real closing = dot3(gap.normal, way);
        real next = out->fraction + separation / closing;
        if (!(closing > 0) || !(next <= most)) return;
        if (!(next > out->fraction)) break; // it cannot be told better
        out->fraction = next;
    }
    out->found = true;
    if (!(out->fraction > 0)) {
        convex_touch(p, &out->touch);
        return;
    }
    // cores that overlap have met between two fractions that are as good as one: the last normal is theirs
    real3 n = gap.state == GAP_OVERLAP ? start : gap.normal;
    real overlap = pair_overlap(&q, n);
    touch_refine(&q, &n, &overlap, &out->touch);
    out->touch.normal = n;
    out->touch.separation = 0;
    out->touch.on_a = (out->touch.on_a + n * convex_round(p->a)) + way * out->fraction;
    out->touch.on_b = (out->touch.on_b - n * convex_round(p->b)) + way * out->fraction;
}
