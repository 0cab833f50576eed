// SPDX-License-Identifier: MIT
// convex_sat.h — separating axes of boxes and hulls (Gregorius, GDC 2013).   compiles as: host, cuda, opencl
//
// Faces: any point of the other shape bounds the face's separation from above, so only faces whose bound still beats the
// best are evaluated. Edges: a pair is a face of the Minkowski difference only where its arcs cross on the Gauss map; and
// its axis lies between the normals of the edge's two faces, so an edge both of whose faces have a point of the other
// shape deeper below them than the best separation cannot beat it.
//
// A face is preferred to an edge, and A's face to B's, unless the other is better by a tolerance, lest the manifolds of
// shapes at rest alternate from step to step. `preference` is 1, or 0 for none.

#define SAT_FACES 128
#define SAT_EDGES 384
#define SAT_RELATIVE 0.005f
#define SAT_ABSOLUTE 0.0005f // of the shorter edge

struct SatAxis_t {
    real separation;
    real3 normal; // from A to B
    real3 on_a;   // a point of A's that touches
    u32 face;     // 0: A's; 1: B's; 2: edges
    u32 edges;    // 0: a face; or 0x80000000 with the edges' numbers, 12 bits for B's, 12 bits for A's
    u32 parting;  // of two hulls beyond the margin: the face that parts them, for sat_parted; or 0
};
typedef struct SatAxis_t SatAxis;

// a box as a polyhedron: vertex bits x y z; face 2 axis + side; edge 4 axis + sides of the two following axes ----------

KERNEL_FN real along_axis(real3 v, u32 axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }
KERNEL_FN u32 next_axis(u32 axis) { return axis == 2 ? 0 : axis + 1; }

KERNEL_FN u32 solid_faces(ConvexShape s) { return s.type == CONVEX_BOX ? 6u : s.hull[1]; }
KERNEL_FN u32 solid_edges(ConvexShape s) { return s.type == CONVEX_BOX ? 12u : s.hull[2]; }

KERNEL_FN real3 box_vertex(real3 h, u32 i) {
    return make_real3((i & 1u) ? h.x : -h.x, (i & 2u) ? h.y : -h.y, (i & 4u) ? h.z : -h.z);
}
KERNEL_FN real3 solid_vertex(ConvexShape s, u32 i) {
    return s.type == CONVEX_BOX ? box_vertex(s.size, i) : hull_vertex(s.hull, i);
}
KERNEL_FN real4 solid_plane(ConvexShape s, u32 i) {
    if (s.type != CONVEX_BOX) return hull_plane(s.hull, i);
    real side = (i & 1u) ? 1.0f : -1.0f;
    u32 axis = i >> 1;
    return make_real4(axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f,
                      along_axis(s.size, axis));
}
KERNEL_FN u32 solid_support(ConvexShape s, real3 d) {
    if (s.type != CONVEX_BOX) return hull_support(s.hull, d);
    return (d.x < 0.0f ? 0u : 1u) | (d.y < 0.0f ? 0u : 2u) | (d.z < 0.0f ? 0u : 4u);
}
/// any point inside
KERNEL_FN real3 solid_middle(ConvexShape s) {
    real3 sum = make_real3(0.0f, 0.0f, 0.0f);
    if (s.type == CONVEX_BOX) return sum;
    u32 count = s.hull[0];
    for (u32 i = 0; i < count; ++i) sum = sum + hull_vertex(s.hull, i);
    return sum * (to_real(1.0f) / to_real((i32)count));
}

struct SolidEdge_t {
    u32 from, to, left, right;
};
typedef struct SolidEdge_t SolidEdge;
KERNEL_FN SolidEdge solid_edge(ConvexShape s, u32 i) {
    SolidEdge e;
    if (s.type == CONVEX_BOX) {
        u32 axis = i >> 2, u = next_axis(axis), v = next_axis(u);
        u32 side_u = i & 1u, side_v = (i >> 1) & 1u;
        e.from = (side_u << u) | (side_v << v);
        e.to = e.from | (1u << axis);
        u32 face_u = 2 * u + side_u, face_v = 2 * v + side_v;
        e.left = side_u == side_v ? face_u : face_v;
        e.right = side_u == side_v ? face_v : face_u;
    } else {
        u32 at = hull_edges(s.hull) + 4 * i;
        e.from = s.hull[at];
        e.to = s.hull[at + 1];
        e.left = s.hull[at + 2];
        e.right = s.hull[at + 3];
    }
    return e;
}

#if defined(KERNEL_QUADS)
typedef long long quad_halves __attribute__((vector_size(16)));
/// one for each that is true
KERNEL_FN u32 quad_bits(quad_whole yes) {
#if defined(__SSE2__)
    return (u32)__builtin_ia32_movmskps((quad_real)yes);
#else
    const quad_whole bits = yes & quad_whole{1, 2, 4, 8};
    const quad_halves two = (quad_halves)bits;
    const long long one = two[0] | two[1];
    return (u32)(one | one >> 32) & 15u;
#endif
}
#endif

// faces ----------------------------------------------------------------------------------------------------------------

struct SatFace_t {
    real separation;
    u32 face, vertex; // of p; of q, its deepest below the face
    real3 point;      // that vertex in p's frame
};
typedef struct SatFace_t SatFace;

/// The face that p's point v is highest above, none higher than its bound, which v lowers.
KERNEL_FN void sat_highest(ConvexShape p, real3 v, PRIVATE real* bound, PRIVATE u32* most,
                           PRIVATE real* highest) {
    const u32 faces = solid_faces(p);
    u32 i = 0;
    *most = 0;
    *highest = -3e38f;
#if defined(KERNEL_QUADS)
    if (p.type != CONVEX_BOX) {
        quad_real far = quad_real{} + *highest;
        quad_whole which = {0, 0, 0, 0}, number = {0, 1, 2, 3};
        for (; i + 4 <= faces; i += 4) {
            const quad_columns plane = quads_at(p.hull + 4 + 4 * (p.hull[0] + i));
            quad_real height = ((plane.x * v.x + plane.y * v.y) + plane.z * v.z) - plane.w, before;
            __builtin_memcpy(&before, bound + i, sizeof before);
            height = height < before ? height : before;
            __builtin_memcpy(bound + i, &height, sizeof height);
            const quad_whole more = height > far;
            far = more ? height : far;
            which = more ? number : which;
            number += 4;
        }
        quad_most(far, which, most, highest);
    }
#endif
    for (; i < faces; ++i) {
        real4 plane = solid_plane(p, i);
        real height = dot3(make_real3(plane.x, plane.y, plane.z), v) - plane.w;
        height = least(height, bound[i]);
        bound[i] = height;
        *most = height > *highest ? i : *most;
        *highest = height > *highest ? height : *highest;
    }
}

/// p's best face against q, whose frame in p's is (rotation, position); at once when beyond the margin
KERNEL_FN SatFace sat_faces(ConvexShape p, ConvexShape q, mat3 rotation, real3 position, real margin) {
    real bound[SAT_FACES];
    SatFace best;
    best.separation = -3e38f;
    best.face = 0;
    best.vertex = 0;
    u32 faces = solid_faces(p);
    real3 v = mat3_times(rotation, solid_middle(q)) + position;
    best.point = v;
    for (u32 i = 0; i < faces; ++i) bound[i] = 3e38f;
    for (u32 pass = 0; pass <= faces; ++pass) {
        u32 most;
        real highest;
        sat_highest(p, v, bound, &most, &highest);
        if (!(highest > best.separation)) break;
        real4 plane = solid_plane(p, most);
        real3 n = make_real3(plane.x, plane.y, plane.z);
        u32 vertex = solid_support(q, mat3_transposed_times(rotation, -n));
        v = mat3_times(rotation, solid_vertex(q, vertex)) + position;
        real separation = dot3(n, v) - plane.w;
        bound[most] = separation;
        if (separation > best.separation) {
            best.separation = separation;
            best.face = most;
            best.vertex = vertex;
            best.point = v;
        }
        if (separation > margin) break;
    }
    return best;
}

// edges ----------------------------------------------------------------------------------------------------------------

/// the bits of p's faces that do not have the other shape's point deeper below them than the threshold
KERNEL_FN void sat_near_faces(ConvexShape p, real3 point, real threshold, PRIVATE u32* bits) {
    u32 faces = solid_faces(p), i = 0;
    for (u32 k = 0; k < SAT_FACES / 32; ++k) bits[k] = 0;
#if defined(KERNEL_QUADS)
    if (p.type != CONVEX_BOX)
        for (; i + 4 <= faces; i += 4) {
            const quad_columns plane = quads_at(p.hull + 4 + 4 * (p.hull[0] + i));
            const quad_real height = ((plane.x * point.x + plane.y * point.y) + plane.z * point.z) - plane.w;
            bits[i >> 5] |= quad_bits(height >= threshold) << (i & 31u);
        }
#endif
    for (; i < faces; ++i) {
        real4 plane = solid_plane(p, i);
        bool near_face = dot3(make_real3(plane.x, plane.y, plane.z), point) - plane.w >= threshold;
        bits[i >> 5] |= (near_face ? 1u : 0u) << (i & 31u);
    }
}
KERNEL_FN bool sat_edge_near(PRIVATE const u32* bits, SolidEdge e) {
    return (((bits[e.left >> 5] >> (e.left & 31u)) | (bits[e.right >> 5] >> (e.right & 31u))) & 1u) != 0;
}

/// where lines (p, d) and (q, e) are nearest: the point of the first, kept on its segment
KERNEL_FN real3 nearest_on_segment(real3 p, real3 d, real3 q, real3 e) {
    real3 r = q - p;
    real dd = dot3(d, d), ee = dot3(e, e), de = dot3(d, e);
    real denominator = dd * ee - de * de;
    real t = denominator > 0.0f ? (dot3(r, d) * ee - dot3(r, e) * de) / denominator : 0.5f;
    return p + d * clamped(t, 0.0f, 1.0f);
}

/// A's edges that count, and the normals beside them.
struct SatEdges_t {
    u32 count;
    u32 number[SAT_EDGES];
#if defined(KERNEL_QUADS)
    // four in a row; what fills up the last four crosses nothing
    struct Four {
        quad_real along[3], left[3], right[3];
    } four[SAT_EDGES / 4];
#endif
};
typedef struct SatEdges_t SatEdges;

KERNEL_FN void sat_near_edges(ConvexShape a, PRIVATE const u32* near_faces, PRIVATE SatEdges* list) {
    list->count = 0;
    const u32 edges = solid_edges(a);
    for (u32 i = 0; i < edges; ++i) {
        list->number[list->count] = i;
        list->count += sat_edge_near(near_faces, solid_edge(a, i)) ? 1 : 0;
    }
#if defined(KERNEL_QUADS)
    for (u32 k = 0; k < (list->count + 3) / 4 * 4; ++k) {
        PRIVATE SatEdges::Four* at = &list->four[k / 4];
        real3 along = make_real3(0.0f, 0.0f, 0.0f), left = along, right = along;
        if (k < list->count) {
            const SolidEdge e = solid_edge(a, list->number[k]);
            along = solid_vertex(a, e.to) - solid_vertex(a, e.from);
            const real4 l = solid_plane(a, e.left), r = solid_plane(a, e.right);
            left = make_real3(l.x, l.y, l.z);
            right = make_real3(r.x, r.y, r.z);
        }
        const real from[9] = {along.x, along.y, along.z, left.x, left.y, left.z, right.x, right.y, right.z};
        for (u32 i = 0; i < 3; ++i) {
            at->along[i][k % 4] = from[i];
            at->left[i][k % 4] = from[3 + i];
            at->right[i][k % 4] = from[6 + i];
        }
    }
#endif
}

#if defined(KERNEL_QUADS)
/// Which of four edges of A cross B's edge on the Gauss map, as sat_edges asks: bits. `along`: B's
KERNEL_FN u32 sat_crossing(PRIVATE const SatEdges::Four* a, real3 along, real3 left, real3 right) {
    const quad_real lb = -((a->along[0] * left.x + a->along[1] * left.y) + a->along[2] * left.z);
    const quad_real rb = -((a->along[0] * right.x + a->along[1] * right.y) + a->along[2] * right.z);
    const quad_real la = (a->left[0] * along.x + a->left[1] * along.y) + a->left[2] * along.z;
    const quad_real ra = (a->right[0] * along.x + a->right[1] * along.y) + a->right[2] * along.z;
    return quad_bits((lb * rb < 0.0f) & (la * ra < 0.0f) & (lb * ra > 0.0f));
}
#endif

/// improves the axis where a pair of edges beats it
KERNEL_FN void sat_edges(PRIVATE const ConvexPair* p, SatFace face_a, SatFace face_b, real preference,
                         PRIVATE SatAxis* axis) {
    ConvexShape a = p->a, b = p->b;
    u32 near_a[SAT_FACES / 32], near_b[SAT_FACES / 32];
    real threshold = least(axis->separation, 0.0f);
    sat_near_faces(a, face_a.point, threshold, near_a);
    sat_near_faces(b, face_b.point, threshold, near_b);
    SatEdges list;
    sat_near_edges(a, near_a, &list);
    u32 edges_b = solid_edges(b);
    real best = axis->separation;
    for (u32 j = 0; j < edges_b; ++j) {
        SolidEdge eb = solid_edge(b, j);
        if (!sat_edge_near(near_b, eb)) continue;
        real3 q = mat3_times(p->rotation, solid_vertex(b, eb.from)) + p->position;
        real3 db = mat3_times(p->rotation, solid_vertex(b, eb.to) - solid_vertex(b, eb.from));
        real4 l = solid_plane(b, eb.left), r = solid_plane(b, eb.right);
        real3 left_b = mat3_times(p->rotation, make_real3(l.x, l.y, l.z));
        real3 right_b = mat3_times(p->rotation, make_real3(r.x, r.y, r.z));
#if defined(KERNEL_QUADS)
        u32 crossing = 0;
#endif
        for (u32 k = 0; k < list.count; ++k) {
#if defined(KERNEL_QUADS)
            // hardly any edges cross: four at a time
            if (k % 4 == 0) crossing = sat_crossing(&list.four[k / 4], db, left_b, right_b);
            if (!crossing) {
                k += 3;
                continue;
            }
            if (!(crossing >> (k % 4) & 1u)) continue;
#endif
            SolidEdge ea = solid_edge(a, list.number[k]);
            real3 from = solid_vertex(a, ea.from);
            real3 da = solid_vertex(a, ea.to) - from;
            // A's arc left-right and B's mirrored arc cross: each arc's ends lie on both sides of the other's plane, and the
            // arcs are on the same half of the sphere
            real lb = -dot3(left_b, da), rb = -dot3(right_b, da);
            if (!(lb * rb < 0.0f)) continue;
            real4 pl = solid_plane(a, ea.left), pr = solid_plane(a, ea.right);
            real3 left_a = make_real3(pl.x, pl.y, pl.z), right_a = make_real3(pr.x, pr.y, pr.z);
            real la = dot3(left_a, db), ra = dot3(right_a, db);
            if (!(la * ra < 0.0f) || !(lb * ra > 0.0f)) continue;
            real3 n = cross3(da, db);
            real square = dot3(n, n);
            real length_a = dot3(da, da), length_b = dot3(db, db);
            if (!(square > 1e-6f * length_a * length_b)) continue;
            n = n * (to_real(1.0f) / root(square));
            if (dot3(n, left_a + right_a) < 0.0f) n = -n;
            real separation = dot3(n, q - from);
            if (!(separation > best)) continue;
            // beats the best face by the tolerance, or an edge that already does
            real to_beat = axis->edges != 0
                               ? best
                               : best + preference * (SAT_RELATIVE * magnitude(best) +
                                                      SAT_ABSOLUTE * root(least(length_a, length_b)));
            if (!(separation > to_beat)) continue;
            best = separation;
            axis->separation = separation;
            axis->normal = n;
            axis->on_a = nearest_on_segment(from, da, q, db);
            axis->face = 2;
            axis->edges = 0x80000000u | (list.number[k] << 12) | j;
        }
    }
}

/// Whether a face that has parted the two before, `parting` of SatAxis or any number, still does, whatever rounding makes of
/// it: then solid_axis would find them beyond the margin.
KERNEL_FN bool sat_parted(PRIVATE const ConvexPair* p, u32 parting, real margin) {
    const bool of_b = parting > SAT_FACES;
    const u32 face = parting - (of_b ? SAT_FACES + 1u : 1u);
    const ConvexShape own = of_b ? p->b : p->a, other = of_b ? p->a : p->b;
    if (parting == 0 || face >= solid_faces(own)) return false;
    const mat3 back = mat3_transposed(p->rotation);
    const mat3 rotation = of_b ? back : p->rotation;
    const real3 position = of_b ? -mat3_times(back, p->position) : p->position;
    const real4 plane = solid_plane(own, face);
    const real3 n = make_real3(plane.x, plane.y, plane.z);
    const u32 vertex = solid_support(other, mat3_transposed_times(rotation, -n));
    const real3 v = mat3_times(rotation, solid_vertex(other, vertex)) + position;
    const real3 sum =
        make_real3(magnitude(v.x) + magnitude(position.x), magnitude(v.y) + magnitude(position.y),
                   magnitude(v.z) + magnitude(position.z));
    const real slack = 1e-5f * (((sum.x + sum.y) + sum.z) + magnitude(plane.w));
    return dot3(n, v) - plane.w > margin + slack;
}

/// the axis of least overlap of two boxes or hulls; of a box or hull each
KERNEL_FN SatAxis solid_axis(PRIVATE const ConvexPair* p, real margin, real preference) {
    SatAxis axis;
    axis.edges = 0;
    axis.face = 0;
    axis.parting = 0;
    SatFace face_a = sat_faces(p->a, p->b, p->rotation, p->position, margin);
    real4 plane = solid_plane(p->a, face_a.face);
    axis.separation = face_a.separation;
    axis.normal = make_real3(plane.x, plane.y, plane.z);
    axis.on_a = face_a.point - axis.normal * face_a.separation;
    if (axis.separation > margin) {
        axis.parting = 1u + face_a.face;
        return axis;
    }

    mat3 back = mat3_transposed(p->rotation);
    SatFace face_b = sat_faces(p->b, p->a, back, -mat3_times(back, p->position), margin);
    if (face_b.separation > margin ||
        face_b.separation >
            axis.separation + preference * (SAT_RELATIVE * magnitude(axis.separation) + 1e-6f)) {
        plane = solid_plane(p->b, face_b.face);
        axis.separation = face_b.separation;
        axis.normal = -mat3_times(p->rotation, make_real3(plane.x, plane.y, plane.z));
        axis.on_a = solid_vertex(p->a, face_b.vertex);
        axis.face = 1;
        if (axis.separation > margin) {
            axis.parting = 1u + SAT_FACES + face_b.face;
            return axis;
        }
    }
    sat_edges(p, face_a, face_b, preference, &axis);
    return axis;
}

// two boxes: fifteen axes ------------------------------------------------------------------------------------------------

KERNEL_FN real3 unit_axis(u32 axis) {
    return make_real3(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
}

KERNEL_FN SatAxis box_axis(PRIVATE const ConvexPair* p, real margin, real preference) {
    real3 ha = p->a.size, hb = p->b.size, t = p->position;
    mat3 r = p->rotation;
    mat3 c = mat3_transposed(r); // rows: B's axes in A's frame
    real3 tb = mat3_times(c, t);
    SatAxis axis;
    axis.edges = 0;
    axis.face = 0;
    axis.parting = 0;
    axis.normal = make_real3(1.0f, 0.0f, 0.0f);
    axis.on_a = make_real3(0.0f, 0.0f, 0.0f);

    // A's faces, then B's
    real m[3][3] = {{magnitude(r.x.x), magnitude(r.x.y), magnitude(r.x.z)},
                    {magnitude(r.y.x), magnitude(r.y.y), magnitude(r.y.z)},
                    {magnitude(r.z.x), magnitude(r.z.y), magnitude(r.z.z)}};
    real side_a[3] = {ha.x, ha.y, ha.z}, side_b[3] = {hb.x, hb.y, hb.z};
    real along_a[3] = {t.x, t.y, t.z}, along_b[3] = {tb.x, tb.y, tb.z};
    real face = -3e38f;
    u32 which = 0;
    for (u32 i = 0; i < 3; ++i) {
        real reach = (side_b[0] * m[i][0] + side_b[1] * m[i][1]) + side_b[2] * m[i][2];
        real s = magnitude(along_a[i]) - (side_a[i] + reach);
        if (i == 0 || s > face + preference * SAT_RELATIVE * magnitude(face)) {
            which = i;
            face = s;
        }
    }
    axis.separation = face;
    if (face > margin) return axis;
    for (u32 i = 0; i < 3; ++i) {
        real reach = (side_a[0] * m[0][i] + side_a[1] * m[1][i]) + side_a[2] * m[2][i];
        real s = magnitude(along_b[i]) - (side_b[i] + reach);
        if (s > margin || s > face + preference * (SAT_RELATIVE * magnitude(face) + 1e-6f)) {
            which = 3 + i;
            face = s;
        }
    }
    axis.separation = face;
    if (face > margin) return axis;

    // edges: A's axis i against B's axis j; the axis is A_i x B_j, of length sqrt(1 - r_ij^2)
    real best = face;
    real shortest = least(least(least(ha.x, ha.y), ha.z), least(least(hb.x, hb.y), hb.z));
    real to_beat = face + preference * (SAT_RELATIVE * magnitude(face) + SAT_ABSOLUTE * 2.0f * shortest);
    real e[3][3] = {{r.x.x, r.x.y, r.x.z}, {r.y.x, r.y.y, r.y.z}, {r.z.x, r.z.y, r.z.z}};
    for (u32 i = 0; i < 3; ++i) {
        u32 u = next_axis(i), v = next_axis(u);
        for (u32 j = 0; j < 3; ++j) {
            u32 k = next_axis(j), l = next_axis(k);
            real far_a = side_a[u] * m[v][j] + side_a[v] * m[u][j];
            real far_b = side_b[k] * m[i][l] + side_b[l] * m[i][k];
            real s = magnitude(along_a[v] * e[u][j] - along_a[u] * e[v][j]) - (far_a + far_b);
            // the length only makes it worse
            if (s <= to_beat && s <= 0.0f) continue;
            real square = 1.0f - e[i][j] * e[i][j];
            if (!(square > 1e-5f)) continue;
            s = s / root(square);
            if (s > to_beat) {
                to_beat = s;
                best = s;
                which = 6 + 3 * i + j;
            }
        }
    }
    axis.separation = best;
    if (best > margin) return axis;

    if (which < 3) {
        axis.normal = unit_axis(which) * (along_axis(t, which) < 0.0f ? -1.0f : 1.0f);
        real3 on_b = pair_support_b(p, -axis.normal, 0.0f);
        axis.on_a = on_b - axis.normal * axis.separation;
    } else if (which < 6) {
        u32 j = which - 3;
        real3 n = j == 0 ? c.x : (j == 1 ? c.y : c.z);
        axis.normal = n * (along_axis(tb, j) < 0.0f ? -1.0f : 1.0f);
        axis.on_a = convex_support(p->a, axis.normal, 0.0f);
        axis.face = 1;
    } else {
        u32 i = (which - 6) / 3, j = (which - 6) - 3 * i;
        real3 da = unit_axis(i), db = j == 0 ? c.x : (j == 1 ? c.y : c.z);
        real3 n = unit3(cross3(da, db), da);
        if (dot3(n, t) < 0.0f) n = -n;
        u32 va = solid_support(p->a, n) & ~(1u << i);
        u32 vb = solid_support(p->b, mat3_transposed_times(r, -n)) & ~(1u << j);
        real3 from = box_vertex(ha, va);
        real3 q = mat3_times(r, box_vertex(hb, vb)) + t;
        axis.normal = n;
        axis.on_a = nearest_on_segment(from, da * (2.0f * along_axis(ha, i)), q, db);
        axis.face = 2;
        axis.edges = 0x80000000u | ((8 * i + va) << 12) | (8 * j + vb);
    }
    return axis;
}
