// SPDX-License-Identifier: MIT
// convex_gjk.h — distance of two convex cores (Gilbert, Johnson, Keerthi 1988).   compiles as: host, cuda, opencl
//
// The simplex lies in A - B; its point nearest to the origin follows the regions of Ericson 2005, chapter 5.

// what rounding leaves of lengths and squares; double precision (dialect_double.h) brings its own
#ifndef GJK_ITERATIONS
#define GJK_ITERATIONS 32
#define GJK_SHARE 2e-5f // of the distance: near enough
#define GJK_NOISE 3e-7f // of the largest vertex
#define GJK_FLAT 1e-12f // of squares: a tetrahedron without volume
#define GJK_SAME 1e-14f // two vertices are one
#define GJK_ZERO 1e-12f // the simplex has the origin
#define GJK_TRUSTS_PLANES 0
#endif
#define GAP_BEYOND 0 // farther apart than asked for
#define GAP_APART 1
#define GAP_OVERLAP 2

struct ConvexGap_t {
    i32 state;
    real separation; // of the cores along the normal; a lower bound of the distance
    real3 normal;    // unit, from A to B
    real3 on_a;      // the nearest point of A
};
typedef struct ConvexGap_t ConvexGap;

struct GjkSimplex_t {
    i32 count;
    real3 w[4]; // a - b
    real3 a[4];
    real weight[4]; // of the nearest point
};
typedef struct GjkSimplex_t GjkSimplex;

/// weights of the point of segment pq nearest to the origin
KERNEL_FN void gjk_segment(real3 p, real3 q, PRIVATE real* weight) {
    real3 d = q - p;
    real square = dot3(d, d);
    real t = -dot3(p, d);
    t = square > 0.0f ? clamped(t / square, 0.0f, 1.0f) : 0.0f;
    weight[0] = 1.0f - t;
    weight[1] = t;
}

/// weights of the point of triangle abc nearest to the origin
KERNEL_FN void gjk_triangle(real3 a, real3 b, real3 c, PRIVATE real* weight) {
    real3 ab = b - a, ac = c - a;
    real d1 = -dot3(ab, a), d2 = -dot3(ac, a);
    real d3 = -dot3(ab, b), d4 = -dot3(ac, b);
    real d5 = -dot3(ab, c), d6 = -dot3(ac, c);
    real va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    weight[0] = 0.0f;
    weight[1] = 0.0f;
    weight[2] = 0.0f;
    if (d1 <= 0.0f && d2 <= 0.0f) {
        weight[0] = 1.0f;
    } else if (d3 >= 0.0f && d4 <= d3) {
        weight[1] = 1.0f;
    } else if (d6 >= 0.0f && d5 <= d6) {
        weight[2] = 1.0f;
    } else if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f && d1 - d3 > 0.0f) {
        weight[1] = d1 / (d1 - d3);
        weight[0] = 1.0f - weight[1];
    } else if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f && d2 - d6 > 0.0f) {
        weight[2] = d2 / (d2 - d6);
        weight[0] = 1.0f - weight[2];
    } else if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f && (d4 - d3) + (d5 - d6) > 0.0f) {
        weight[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        weight[1] = 1.0f - weight[2];
    } else {
        real sum = (va + vb) + vc;
        real scale = sum > 0.0f ? to_real(1.0f) / sum : 0.0f;
        weight[1] = vb * scale;
        weight[2] = vc * scale;
        weight[0] = (1.0f - weight[1]) - weight[2];
    }
}

/// Weights of the tetrahedron's point nearest to the origin; whether the origin is inside. A flat tetrahedron has no inside:
/// then all of its faces are looked at.
KERNEL_FN bool gjk_tetrahedron(PRIVATE GjkSimplex* s) {
    const i32 corner[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    bool inside = true;
    real nearest = 3e38f;
    real best[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    for (i32 f = 0; f < 4; ++f) {
        i32 i = corner[f][0], j = corner[f][1], k = corner[f][2], l = corner[f][3];
        real3 a = s->w[i], b = s->w[j], c = s->w[k];
        real3 n = cross3(b - a, c - a);
        real origin = -dot3(n, a), other = dot3(n, s->w[l] - a);
        real3 to_other = s->w[l] - a;
        real flat = GJK_FLAT * dot3(n, n) * dot3(to_other, to_other);
        if (other * other > flat && !(origin * other < 0.0f)) continue;
        inside = false;
        real weight[3];
        gjk_triangle(a, b, c, weight);
        real3 v = (a * weight[0] + b * weight[1]) + c * weight[2];
        real square = dot3(v, v);
        if (square < nearest) {
            nearest = square;
            best[i] = weight[0];
            best[j] = weight[1];
            best[k] = weight[2];
            best[l] = 0.0f;
        }
    }
    if (!inside) {
        for (i32 i = 0; i < 4; ++i) s->weight[i] = best[i];
    }
    return inside;
}

/// Finds the nearest point and drops the vertices that do not carry it; whether the origin is inside.
KERNEL_FN bool gjk_reduce(PRIVATE GjkSimplex* s) {
    if (s->count == 1) s->weight[0] = 1.0f;
    if (s->count == 2) gjk_segment(s->w[0], s->w[1], s->weight);
    if (s->count == 3) gjk_triangle(s->w[0], s->w[1], s->w[2], s->weight);
    if (s->count == 4 && gjk_tetrahedron(s)) return true;
    i32 kept = 0;
    for (i32 i = 0; i < s->count; ++i) {
        if (s->weight[i] > 0.0f) {
            s->w[kept] = s->w[i];
            s->a[kept] = s->a[i];
            s->weight[kept] = s->weight[i];
            ++kept;
        }
    }
    s->count = kept;
    return false;
}

/// `start`: a guess of the direction from A to B, a unit vector; `limit`: the distance beyond which it need not be known
KERNEL_FN void convex_gjk(PRIVATE const ConvexPair* p, real shrink_a, real shrink_b, real3 start, real limit,
                          PRIVATE ConvexGap* out) {
    GjkSimplex s;
    s.count = 0;
    real3 d = start;
    real square = dot3(d, d);
    real largest = 0.0f;
    real nearest = 3e38f;
    out->state = GAP_APART;
    out->separation = -3e38f;
    out->normal = start;
    out->on_a = make_real3(0.0f, 0.0f, 0.0f);
    for (i32 iteration = 0; iteration < GJK_ITERATIONS; ++iteration) {
        real3 a = convex_support(p->a, d, shrink_a);
        real3 w = a - pair_support_b(p, -d, shrink_b);
        real overlap = dot3(d, w);
        real length = root(square);
        if (-overlap > limit * length) {
            out->state = GAP_BEYOND;
            return;
        }
        largest = greatest(largest, dot3(w, w));
        // every direction bounds the distance from below
        if (-overlap > out->separation * length) {
            out->separation = -overlap / length;
            out->normal = d * (to_real(1.0f) / length);
        }
        if (iteration > 0) {
            if (length - out->separation <= GJK_SHARE * length + GJK_NOISE * root(largest)) return;
            bool known = false;
            for (i32 i = 0; i < s.count; ++i) {
                real3 e = w - s.w[i];
                known = known || dot3(e, e) <= GJK_SAME * largest;
            }
            if (known) break;
        }
        s.w[s.count] = w;
        s.a[s.count] = a;
        s.count = s.count + 1;
        if (gjk_reduce(&s)) {
            // a tiny tetrahedron far from the origin may seem to hold it: a plane that parts them knows better
            if (GJK_TRUSTS_PLANES) break;
            out->state = GAP_OVERLAP;
            return;
        }
        real3 v = s.w[0] * s.weight[0];
        real3 on_a = s.a[0] * s.weight[0];
        for (i32 i = 1; i < s.count; ++i) {
            v = v + s.w[i] * s.weight[i];
            on_a = on_a + s.a[i] * s.weight[i];
        }
        square = dot3(v, v);
        if (!(square > GJK_ZERO * largest)) {
            out->state = GAP_OVERLAP;
            out->on_a = on_a;
            return;
        }
        if (!(square < nearest)) break;
        nearest = square;
        out->on_a = on_a;
        d = -v;
    }
    // rounding had the last word: a plane that hardly parts them may be far from the best
    if (!(out->separation * out->separation > 0.8f * nearest && out->separation > 0.0f))
        out->state = GAP_OVERLAP;
}

/// Whether two shapes that are no planes overlap. `towards`: about from A to B, of any length.
KERNEL_FN bool pair_overlaps(PRIVATE const ConvexPair* p, real3 towards) {
    ConvexGap gap;
    convex_gjk(p, 0.0f, 0.0f, unit3(towards, make_real3(0.0f, 1.0f, 0.0f)), 3e38f, &gap);
    return gap.state == GAP_OVERLAP || !(gap.separation > convex_round(p->a) + convex_round(p->b));
}
