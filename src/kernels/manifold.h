// SPDX-License-Identifier: MIT
// manifold.h — contact points of one pair of shapes, and which four of many are kept.   compiles as: host, cuda, opencl
//
// Everything is in A's frame. The point on B is point + normal * separation.

#define MANIFOLD_POINTS 4
#define MANIFOLD_CANDIDATES 33

struct Manifold_t {
    real3 normal; // unit, from A to B
    i32 count;
    real3 point[MANIFOLD_POINTS];     // on A's surface
    real separation[MANIFOLD_POINTS]; // negative: overlap
    u32 feature[MANIFOLD_POINTS];
};
typedef struct Manifold_t Manifold;

/// what the clipping finds, before four are chosen
struct ManifoldCandidates_t {
    i32 count;
    real3 point[MANIFOLD_CANDIDATES];
    real separation[MANIFOLD_CANDIDATES];
    u32 feature[MANIFOLD_CANDIDATES];
};
typedef struct ManifoldCandidates_t ManifoldCandidates;

/// points beyond the margin, and whatever is not a number, are left out
KERNEL_FN void manifold_offer(PRIVATE ManifoldCandidates* c, real3 point, real separation, u32 feature,
                              real margin) {
    if (!(separation <= margin) || c->count >= MANIFOLD_CANDIDATES) return;
    c->point[c->count] = point;
    c->separation[c->count] = separation;
    c->feature[c->count] = feature;
    c->count = c->count + 1;
}

KERNEL_FN void manifold_keep(PRIVATE const ManifoldCandidates* c, i32 i, PRIVATE Manifold* out) {
    out->point[out->count] = c->point[i];
    out->separation[out->count] = c->separation[i];
    out->feature[out->count] = c->feature[i];
    out->count = out->count + 1;
}

/// The deepest, the farthest from it, and two that span the most area. A candidate must beat an earlier one by a little,
/// so that ties (a box at rest on its face) are decided the same way in every step.
KERNEL_FN void manifold_choose(PRIVATE const ManifoldCandidates* c, real3 normal, PRIVATE Manifold* out) {
    out->normal = normal;
    out->count = 0;
    if (c->count <= MANIFOLD_POINTS) {
        for (i32 i = 0; i < c->count; ++i) manifold_keep(c, i, out);
        return;
    }
    real deepest = c->separation[0];
    real reach = 0.0f;
    for (i32 i = 1; i < c->count; ++i) {
        real3 d = c->point[i] - c->point[0];
        reach = greatest(reach, dot3(d, d));
        deepest = least(deepest, c->separation[i]);
    }
    real near_deepest = deepest + (magnitude(deepest) * 0.002f + root(reach) * 2e-4f);
    i32 first = 0;
    while (first + 1 < c->count && !(c->separation[first] <= near_deepest)) ++first;
    real3 p = c->point[first];

    i32 second = first;
    real most = 0.0f;
    for (i32 i = 0; i < c->count; ++i) {
        real3 d = c->point[i] - p;
        real square = dot3(d, d);
        if (square > most * 1.02f) {
            most = square;
            second = i;
        }
    }
    manifold_keep(c, first, out);
    if (second == first) return;
    manifold_keep(c, second, out);

    // twice the area of p, q and a point x is (x - p) . across
    real3 pq = c->point[second] - p;
    real3 across = cross3(normal, pq);
    i32 third = first;
    real span = most * 1e-4f; // thinner triangles are as good as the segment
    real turn = 1.0f;
    for (i32 i = 0; i < c->count; ++i) {
        real area = dot3(c->point[i] - p, across);
        if (magnitude(area) > span * 1.02f) {
            span = magnitude(area);
            turn = area > 0.0f ? -1.0f : 1.0f;
            third = i;
        }
    }
    if (third == first) return;
    manifold_keep(c, third, out);

    // whichever lies farthest outside one of the triangle's sides
    real3 pr = c->point[third] - p;
    real3 out_pq = across * turn;
    real3 out_qr = cross3(normal, pr - pq) * turn;
    real3 out_rp = cross3(pr, normal) * turn;
    real start_qr = dot3(pq, out_qr);
    i32 fourth = first;
    span = most * 1e-4f;
    for (i32 i = 0; i < c->count; ++i) {
        real3 d = c->point[i] - p;
        real beyond = greatest(dot3(d, out_pq), dot3(d, out_rp));
        beyond = greatest(beyond, dot3(d, out_qr) - start_qr);
        if (beyond > span * 1.02f) {
            span = beyond;
            fourth = i;
        }
    }
    if (fourth == first) return;
    manifold_keep(c, fourth, out);
}

/// the same contacts seen from B, whose origin lies at `position` in A's frame and whose axes are turned by `r`
KERNEL_FN void manifold_turn_over(PRIVATE Manifold* m, mat3 r, real3 position) {
    for (i32 i = 0; i < m->count; ++i) {
        real3 on_b = m->point[i] + m->normal * m->separation[i];
        m->point[i] = mat3_transposed_times(r, on_b - position);
    }
    m->normal = -mat3_transposed_times(r, m->normal);
}
