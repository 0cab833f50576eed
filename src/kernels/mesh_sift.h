// SPDX-License-Identifier: MIT
// mesh_sift.h — leaves out triangles of a mesh that a shape cannot touch, four at a time.   compiles as: host, cuda
//
// Four of five triangles within a shape's bounds are too far from it, and of the pairs of edges of those that are left hardly
// any is an axis that counts. What is left out here would make no points in convex_mesh.h: the tests are its own, or
// weaker, with room for rounding. So devices without them have the same contacts.

#define MESH_LEAN 0.005f // sine: what leans less out of a triangle stands upright on it
#define MESH_FACES 32    // whose normals are turned once for all triangles

#if defined(KERNEL_QUADS)

#define MESH_EDGES 64

/// vectors of four triangles
struct Quad3_t {
    quad_real x, y, z;
};
typedef struct Quad3_t Quad3;

KERNEL_FN Quad3 quad3_minus(Quad3 a, Quad3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
KERNEL_FN Quad3 quad3_cross(Quad3 a, Quad3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KERNEL_FN quad_real quad3_dot(Quad3 a, Quad3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
KERNEL_FN quad_real quad3_along(Quad3 a, real3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
KERNEL_FN quad_real quad_least(quad_real a, quad_real b) { return a < b ? a : b; }
KERNEL_FN quad_real quad_greatest(quad_real a, quad_real b) { return a > b ? a : b; }
KERNEL_FN quad_real quad_magnitude(quad_real a) { return quad_greatest(a, -a); }
KERNEL_FN quad_real quad_root(quad_real a) {
    quad_real r;
    for (u32 l = 0; l < 4; ++l) r[l] = root(a[l]);
    return r;
}
KERNEL_FN bool quad_all(quad_whole yes) {
    const quad_halves two = (quad_halves)yes;
    return (two[0] & two[1]) == -1;
}

/// how far the shape's core reaches along d, at most
KERNEL_FN quad_real quad_reach(ConvexShape s, mat3 rotation, Quad3 d) {
    const real3 rx = rotation.x, ry = rotation.y, rz = rotation.z;
    const quad_real x = (d.x * rx.x + d.y * ry.x) + d.z * rz.x, y = (d.x * rx.y + d.y * ry.y) + d.z * rz.y,
                    z = (d.x * rx.z + d.y * ry.z) + d.z * rz.z;
    if (s.type == CONVEX_SPHERE) return quad_real{};
    if (s.type == CONVEX_HULL) {
        quad_real far = quad_real{} - 3e38f;
        for (u32 i = 0; i < s.hull[0]; ++i) {
            const real3 v = hull_vertex(s.hull, i);
            far = quad_greatest(far, (x * v.x + y * v.y) + z * v.z);
        }
        return far;
    }
    const quad_real along = quad_magnitude(y) * s.size.y;
    if (s.type == CONVEX_CAPSULE) return along;
    if (s.type == CONVEX_BOX) return along + (quad_magnitude(x) * s.size.x + quad_magnitude(z) * s.size.z);
    return along + quad_root(x * x + z * z) * s.radius;
}

/// Which of a leaf's triangles, four at most from the number `first` on, may touch the shape: bits. Arguments as in
/// mesh_contacts; `faces`: normals of a box's or hull's faces along the mesh's axes.
KERNEL_FN u32 leaf_sift(GLOBAL const u32* m, u32 first, u32 count, real3 scale, real3 centre,
                        ConvexShape shape, mat3 rotation, real3 low, real3 high, real3 middle,
                        PRIVATE const real3* faces, u32 face_count, real margin) {
    GLOBAL const u32* triangles = m + MESH_HEAD + 8 * (m[2] + first);
    GLOBAL const u32* vertices = m + MESH_HEAD + 8 * (m[2] + m[1]);
    Quad3 corner[3];
    for (u32 k = 0; k < 3; ++k) {
        u32 rows[16];
        for (u32 l = 0; l < 4; ++l)
            __builtin_memcpy(rows + 4 * l, vertices + 4 * triangles[8 * (l < count ? l : 0) + k],
                             4 * sizeof(u32));
        const quad_columns at = quads_at(rows);
        corner[k].x = at.x * scale.x - centre.x;
        corner[k].y = at.y * scale.y - centre.y;
        corner[k].z = at.z * scale.z - centre.z;
    }
    // outside of the shape's bounds
    const Quad3 a = corner[0], b = corner[1], c = corner[2];
    const Quad3 from = {quad_least(a.x, quad_least(b.x, c.x)), quad_least(a.y, quad_least(b.y, c.y)),
                        quad_least(a.z, quad_least(b.z, c.z))};
    const Quad3 to = {quad_greatest(a.x, quad_greatest(b.x, c.x)),
                      quad_greatest(a.y, quad_greatest(b.y, c.y)),
                      quad_greatest(a.z, quad_greatest(b.z, c.z))};
    const quad_real size = ((to.x - from.x) + (to.y - from.y)) + (to.z - from.z);
    const real box = ((high.x - low.x) + (high.y - low.y)) + (high.z - low.z);
    const quad_real slack = (size + box) * 2e-6f + 1e-6f;
    quad_whole out = ((from.x - slack > high.x) | (to.x + slack < low.x)) |
                     ((from.y - slack > high.y) | (to.y + slack < low.y)) |
                     ((from.z - slack > high.z) | (to.z + slack < low.z));
    if (quad_all(out)) return 0;

    // behind the triangle, or too high above its plane
    const quad_real limit = slack + (margin + convex_round(shape));
    const Quad3 n = quad3_cross(quad3_minus(b, a), quad3_minus(c, a));
    const quad_real square = quad3_dot(n, n), length = quad_root(square);
    const quad_whole plain = square > 1e-30f;
    const quad_real origin = -quad3_dot(n, a); // its height above the plane, by the normal's length
    const quad_real above = quad3_along(n, middle) + origin;
    if (!m[7]) out |= plain & (above < -(slack * length));
    const quad_real sign = above > 0.0f ? quad_real{} + 1.0f : quad_real{} - 1.0f;
    const Quad3 down = {-(n.x * sign), -(n.y * sign), -(n.z * sign)};
    out |= plain & (origin * sign - quad_reach(shape, rotation, down) > limit * length);
    if (quad_all(out)) return 0;

    // beyond a face of the shape
    for (u32 j = 0; j < face_count; ++j) {
        const quad_real least = quad_least(quad3_along(a, faces[j]),
                                           quad_least(quad3_along(b, faces[j]), quad3_along(c, faces[j])));
        out |= least - slack > solid_plane(shape, j).w + margin;
        if (quad_all(out)) return 0;
    }
    // beside an edge of the triangle, where the shape has no faces
    if (!face_count)
        for (u32 k = 0; k < 3; ++k) {
            const Quad3 side = quad3_cross(quad3_minus(corner[k < 2 ? k + 1 : 0], corner[k]), n);
            const Quad3 back = {-side.x, -side.y, -side.z};
            const quad_real end =
                quad_greatest(quad3_dot(side, a), quad_greatest(quad3_dot(side, b), quad3_dot(side, c)));
            const quad_real gap = -quad_reach(shape, rotation, back) - end;
            out |= gap > limit * quad_root(quad3_dot(side, side));
        }
    return ~quad_bits(out) & ((1u << count) - 1u);
}

/// the edges of a box or hull along the mesh's axes, as long as they are
struct TurnedEdges_t {
    u32 count; // 0 when there are too many, or not turned yet
    real3 along[MESH_EDGES];
    real size[MESH_EDGES];
    u32 left[MESH_EDGES], right[MESH_EDGES];
};
typedef struct TurnedEdges_t TurnedEdges;

/// `faces`: how many are turned
KERNEL_FN void turn_edges(ConvexShape s, mat3 rotation, u32 faces, PRIVATE TurnedEdges* turned) {
    turned->count = 0;
    if (!convex_solid(s) || solid_faces(s) > faces || solid_edges(s) > MESH_EDGES) return;
    turned->count = solid_edges(s);
    for (u32 j = 0; j < turned->count; ++j) {
        const SolidEdge e = solid_edge(s, j);
        turned->along[j] = mat3_times(rotation, solid_vertex(s, e.to) - solid_vertex(s, e.from));
        turned->size[j] = length3(turned->along[j]);
        turned->left[j] = e.left;
        turned->right[j] = e.right;
    }
}

/// Of the three edges of a triangle, one a lane.
struct TriangleQuads_t {
    real3 normal;
    Quad3 side;
    Quad3 next;                    // normals of the neighbours
    quad_whole sharp;              // that can be felt
    quad_whole convex;             // of which the neighbour takes over
    quad_real leaning[MESH_FACES]; // the shape's faces along the edges
};
typedef struct TriangleQuads_t TriangleQuads;

KERNEL_FN Quad3 quad3_of(PRIVATE const real3* three) {
    return {quad_real{three[0].x, three[1].x, three[2].x, 0.0f},
            quad_real{three[0].y, three[1].y, three[2].y, 0.0f},
            quad_real{three[0].z, three[1].z, three[2].z, 0.0f}};
}

/// `along`, `side`, `beyond`, `kind`: as in Triangle
KERNEL_FN TriangleQuads triangle_quads(real3 normal, PRIVATE const real3* along, PRIVATE const real3* side,
                                       PRIVATE const real3* beyond, PRIVATE const u32* kind,
                                       PRIVATE const real3* faces, u32 face_count) {
    TriangleQuads q;
    q.normal = normal;
    q.side = quad3_of(side);
    const Quad3 edge = quad3_of(along);
    q.next = quad3_cross(edge, quad3_of(beyond));
    // a direction that leans over two sides may be the business of either
    const bool alike =
        dot3(side[0], side[1]) > 0.99f || dot3(side[1], side[2]) > 0.99f || dot3(side[2], side[0]) > 0.99f;
    for (u32 k = 0; k < 4; ++k) {
        q.sharp[k] = k < 3 && kind[k] < MESH_EDGE_FLAT ? -1 : 0;
        q.convex[k] = k < 3 && kind[k] == MESH_EDGE_CONVEX && !alike ? -1 : 0;
    }
    for (u32 j = 0; j < face_count; ++j) q.leaning[j] = quad3_along(edge, faces[j]);
    return q;
}

/// With which edges of the triangle edge j of the shape may have an axis that is the triangle's own: bits. Its direction d =
/// ±(edge of the triangle x edge of the shape) leans outwards and up, and not beyond the neighbour's normal; with unit
/// vectors e along the triangle's edge, n and m for the two normals, d·(e x n) = ±(edge of the shape)·n and
/// d·(m x e) = ∓(edge of the shape)·m.
KERNEL_FN u32 edges_sift(PRIVATE const TriangleQuads* q, PRIVATE const TurnedEdges* edges, u32 j) {
    const real3 e = edges->along[j];
    const real up = dot3(e, q->normal);
    const quad_real out = quad3_along(q->side, e), next = quad3_along(q->next, e);
    const real sign = up < 0.0f ? -1.0f : 1.0f;
    const quad_whole own =
        (out * sign < 0.0f) & q->sharp & ~(q->convex & (next * sign > (2.0f * MESH_LEAN) * edges->size[j]));
    const quad_whole across = q->leaning[edges->left[j]] * q->leaning[edges->right[j]] < 0.0f;
    return quad_bits(own & across);
}

#endif
