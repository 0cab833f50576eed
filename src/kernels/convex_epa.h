// SPDX-License-Identifier: MIT
// convex_epa.h — depth of two overlapping convex cores (van den Bergen 2001).   compiles as: host, cuda, opencl
//
// A polytope inside A - B grows where its surface is nearest to the origin. Distances of faces are signed, so it may begin
// with the origin outside: such faces are the nearest of all and grow first. Every direction that is looked at bounds the
// depth from above; the best of them is the answer whenever the room for vertices or the precision runs out.

#ifndef EPA_VERTICES
#define EPA_VERTICES 64 // at most 255
#define EPA_FACES 128
#define EPA_EDGES 64
#define EPA_NOISE 1e-6f // of the largest vertex
#define EPA_SHARE 2e-3f // of the depth: near enough
#define EPA_FLAT 1e-12f // of squares: a face without area
#endif

struct EpaPolytope_t {
    i32 vertices, faces;
    real3 w[EPA_VERTICES]; // a - b
    real3 a[EPA_VERTICES];
    real3 normal[EPA_FACES]; // unit, outward
    real offset[EPA_FACES];
    u32 corners[EPA_FACES]; // three vertex numbers of 8 bits
};
typedef struct EpaPolytope_t EpaPolytope;

KERNEL_FN void epa_add_vertex(PRIVATE const ConvexPair* p, PRIVATE EpaPolytope* e, real3 d) {
    real3 a = convex_support(p->a, d, 0.0f);
    e->a[e->vertices] = a;
    e->w[e->vertices] = a - pair_support_b(p, -d, 0.0f);
    e->vertices = e->vertices + 1;
}

/// a face without area never is the nearest
KERNEL_FN void epa_add_face(PRIVATE EpaPolytope* e, u32 i, u32 j, u32 k) {
    real3 a = e->w[i];
    real3 ab = e->w[j] - a, ac = e->w[k] - a;
    real3 n = cross3(ab, ac);
    real area = dot3(n, n);
    real flat = EPA_FLAT * dot3(ab, ab) * dot3(ac, ac);
    i32 f = e->faces;
    e->corners[f] = i | (j << 8) | (k << 16);
    e->normal[f] = make_real3(0.0f, 0.0f, 0.0f);
    e->offset[f] = 3e38f;
    if (area > flat) {
        n = n * (to_real(1.0f) / root(area));
        // the middle of three rounds least
        e->normal[f] = n;
        e->offset[f] = dot3(n, (a + e->w[j] + e->w[k]) * 0.333333333f);
    }
    e->faces = f + 1;
}

/// a tetrahedron with volume: both ends along d, the farthest from their line, the farthest from the three's plane
KERNEL_FN bool epa_begin(PRIVATE const ConvexPair* p, PRIVATE EpaPolytope* e, real3 d) {
    e->vertices = 0;
    e->faces = 0;
    for (i32 step = 0; step < 6; ++step) {
        real3 along = d;
        if (step == 1) along = -d;
        if (step == 2 || step == 3) {
            // across the line, beginning with the axis that is most across
            real3 u = e->w[1] - e->w[0];
            real x = magnitude(u.x), y = magnitude(u.y), z = magnitude(u.z);
            real3 axis = make_real3(0.0f, 0.0f, 1.0f);
            if (x <= y && x <= z) axis = make_real3(1.0f, 0.0f, 0.0f);
            else if (y <= z) axis = make_real3(0.0f, 1.0f, 0.0f);
            along = cross3(u, axis);
            if (step == 3) along = -along;
        }
        if (step >= 4) {
            along = cross3(e->w[1] - e->w[0], e->w[2] - e->w[0]);
            if (step == 5) along = -along;
        }
        epa_add_vertex(p, e, along);
        if (step == 3 || step == 5) {
            // keep the farther of the two
            i32 last = e->vertices - 1;
            real3 from = e->w[0];
            real gain = dot3(e->w[last] - from, along), other = dot3(from - e->w[last - 1], along);
            if (gain > other) {
                e->w[last - 1] = e->w[last];
                e->a[last - 1] = e->a[last];
            }
            e->vertices = last;
        }
    }
    real volume = dot3(cross3(e->w[1] - e->w[0], e->w[2] - e->w[0]), e->w[3] - e->w[0]);
    if (!(magnitude(volume) > 0.0f)) return false;
    u32 second = volume > 0.0f ? 2u : 1u, third = 3u - second;
    epa_add_face(e, 0u, second, third);
    epa_add_face(e, 0u, 3u, second);
    epa_add_face(e, second, 3u, third);
    epa_add_face(e, third, 3u, 0u);
    return true;
}

/// the face's edges that are not yet in the rim come in, those that are there the other way round go out; false where there
/// is no room
KERNEL_FN bool epa_absorb(u32 corners, PRIVATE u32* rim, PRIVATE i32* edges) {
    for (u32 k = 0; k < 3; ++k) {
        u32 from = (corners >> (8 * k)) & 255u, to = (corners >> (8 * (k == 2 ? 0 : k + 1))) & 255u;
        i32 twin = -1;
        for (i32 i = 0; i < *edges; ++i) twin = rim[i] == (to | (from << 8)) ? i : twin;
        if (twin >= 0) {
            *edges = *edges - 1;
            rim[twin] = rim[*edges];
        } else {
            if (*edges == EPA_EDGES) return false;
            rim[*edges] = from | (to << 8);
            *edges = *edges + 1;
        }
    }
    return true;
}

KERNEL_FN bool epa_touches_rim(u32 corners, PRIVATE const u32* rim, i32 edges) {
    bool touches = false;
    for (u32 k = 0; k < 3; ++k) {
        u32 from = (corners >> (8 * k)) & 255u, to = (corners >> (8 * (k == 2 ? 0 : k + 1))) & 255u;
        for (i32 i = 0; i < edges; ++i) touches = touches || rim[i] == (to | (from << 8));
    }
    return touches;
}

/// Replaces the faces that see the last vertex by a fan from their rim; false where there is no room. The seen faces are
/// gathered from `first` across shared edges: faces that rounding alone lets see the vertex must not tear the surface.
KERNEL_FN bool epa_grow(PRIVATE EpaPolytope* e, i32 first, real tolerance) {
    u32 apex = (u32)(e->vertices - 1);
    real3 w = e->w[apex];
    u32 rim[EPA_EDGES];
    i32 seen[EPA_FACES];
    i32 edges = 0, count = 0;
    for (i32 f = 0; f < e->faces; ++f) {
        bool flat = !(e->offset[f] < 1e38f);
        if (f != first && (flat || dot3(e->normal[f], w) - e->offset[f] > tolerance)) {
            seen[count] = f;
            ++count;
        }
    }
    if (!epa_absorb(e->corners[first], rim, &edges)) return false;
    e->corners[first] = 0xffffffffu;
    bool grown = true;
    while (grown) {
        grown = false;
        for (i32 i = 0; i < count; ++i) {
            i32 f = seen[i];
            if (e->corners[f] == 0xffffffffu || !epa_touches_rim(e->corners[f], rim, edges)) continue;
            if (!epa_absorb(e->corners[f], rim, &edges)) return false;
            e->corners[f] = 0xffffffffu;
            grown = true;
        }
    }
    i32 kept = 0;
    for (i32 f = 0; f < e->faces; ++f) {
        if (e->corners[f] == 0xffffffffu) continue;
        e->corners[kept] = e->corners[f];
        e->normal[kept] = e->normal[f];
        e->offset[kept] = e->offset[f];
        ++kept;
    }
    e->faces = kept;
    if (kept + edges > EPA_FACES) return false;
    for (i32 i = 0; i < edges; ++i) epa_add_face(e, rim[i] & 255u, rim[i] >> 8, apex);
    return true;
}

/// `start`: where the depth may be least. The separation that comes out is negative for overlap, of the cores.
KERNEL_FN void convex_epa(PRIVATE const ConvexPair* p, real3 start, PRIVATE ConvexGap* out) {
    EpaPolytope e;
    out->state = GAP_OVERLAP;
    out->normal = start;
    out->separation = -3e38f;
    out->on_a = make_real3(0.0f, 0.0f, 0.0f);
    real best = 3e38f;
    u32 best_corners = 0;
    bool begun = epa_begin(p, &e, start);
    real largest = 0.0f;
    for (i32 i = 0; i < e.vertices; ++i) largest = greatest(largest, dot3(e.w[i], e.w[i]));
    real noise = EPA_NOISE * root(largest);
    while (begun) {
        i32 nearest = 0;
        for (i32 f = 1; f < e.faces; ++f) nearest = e.offset[f] < e.offset[nearest] ? f : nearest;
        real offset = e.offset[nearest];
        if (!(offset < 1e38f)) break;
        real3 n = e.normal[nearest];
        if (e.vertices == EPA_VERTICES) break;
        epa_add_vertex(p, &e, n);
        real depth = dot3(n, e.w[e.vertices - 1]);
        if (depth < best) {
            best = depth;
            best_corners = e.corners[nearest];
            out->normal = n;
        }
        if (best - offset <= 10.0f * noise + EPA_SHARE * magnitude(best)) break;
        if (!epa_grow(&e, nearest, noise)) break;
    }
    if (!(best < 1e38f)) {
        // no volume to grow in
        out->separation = -pair_overlap(p, start);
        return;
    }
    out->separation = -best;
    // where the origin's projection lies in the face is where A is touched
    u32 i = best_corners & 255u, j = (best_corners >> 8) & 255u, k = best_corners >> 16;
    real3 foot = out->normal * dot3(out->normal, e.w[i]);
    real weight[3];
    gjk_triangle(e.w[i] - foot, e.w[j] - foot, e.w[k] - foot, weight);
    out->on_a = (e.a[i] * weight[0] + e.a[j] * weight[1]) + e.a[k] * weight[2];
}
