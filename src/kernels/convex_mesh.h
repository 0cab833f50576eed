// SPDX-License-Identifier: MIT
// convex_mesh.h — the contacts of a convex shape with the triangles of a mesh.   compiles as: host, cuda
//
// A triangle pushes along its normal, or, at a convex edge, along directions between its normal and its neighbour's (the
// edge's Voronoi region). Others are the neighbour's business: across a flat or concave edge the shape meets the neighbour's
// face first. So a shape that slides over a tessellated floor never sees the edges inside it. The axes of boxes and hulls
// are restricted to those directions while they are searched; those that GJK finds for round shapes are replaced by the
// triangle's normal where they do not fit.
//
// Triangles that push the same way form one cluster. At last MESH_SLOTS clusters of up to four points are left.
//
// The frame is along the mesh's axes about the origin of the shape.

#define MESH_UPRIGHT 0.01f // a direction nearer to the triangle's plane than this is not its own
#define MESH_SAME 0.9998f  // cosine: clusters' normals that are one
#define MESH_ALIKE 0.9f    // and that may be, when there are too many
#define MESH_CLUSTERS 8
#define MESH_DEPTH 64     // of the tree: halves of 2^24 triangles
#define MESH_SLACK 0.001f // of an edge, beside a triangle: rounding leaves no gap between neighbours
#define TRIANGLE_WORDS 25
#define LEAN_FACE 0
#define LEAN_OWN 1
#define LEAN_FOREIGN 2

struct Triangle_t {
    real3 corner[3];
    real3 normal;    // towards the shape
    real height;     // of the shape's core above the plane: triangle_apart
    real3 along[3];  // unit, edge k from corner k to k + 1
    real size[3];    // its length
    real3 side[3];   // unit, in the plane, away from the triangle
    real3 beyond[3]; // of a convex edge: the same of the neighbour
    u32 kind[3];     // MESH_EDGE_…
    u32 neighbour[3];
    bool behind; // seen from behind
    bool sharp;  // some edge can be felt
    u32 number;
    u32 words[TRIANGLE_WORDS]; // as a hull of one face
};
typedef struct Triangle_t Triangle;

/// normals of a box's or hull's faces along the mesh's axes, as many as there is room for
struct TurnedFaces_t {
    u32 count;
    real3 normal[MESH_FACES];
#if defined(KERNEL_QUADS)
    TurnedEdges edges;
#endif
};
typedef struct TurnedFaces_t TurnedFaces;

struct MeshCluster_t {
    real3 normal; // from the mesh to the shape
    real deepest;
    u32 number; // of the triangle with the deepest point
    ManifoldCandidates points;
};
typedef struct MeshCluster_t MeshCluster;

struct MeshClusters_t {
    u32 count;
    bool crowded; // normals were left out
    MeshCluster cluster[MESH_CLUSTERS];
};
typedef struct MeshClusters_t MeshClusters;

// triangles ------------------------------------------------------------------------------------------------------------

KERNEL_FN GLOBAL const u32* mesh_triangle(GLOBAL const u32* m, u32 t) {
    return m + MESH_HEAD + 8 * (m[2] + t);
}
KERNEL_FN real3 mesh_corner(GLOBAL const u32* m, u32 vertex, real3 scale, real3 centre) {
    GLOBAL const u32* at = m + MESH_HEAD + 8 * (m[2] + m[1]) + 4 * vertex;
    return make_real3(as_real((i32)at[0]) * scale.x, as_real((i32)at[1]) * scale.y,
                      as_real((i32)at[2]) * scale.z) -
           centre;
}
KERNEL_FN real3 corners_normal(real3 a, real3 b, real3 c) {
    return unit3(cross3(b - a, c - a), make_real3(0.0f, 1.0f, 0.0f));
}

/// the words of the material of the triangle of that number, where the mesh has materials
KERNEL_FN GLOBAL const u32* mesh_material(GLOBAL const u32* m, u32 number) {
    GLOBAL const u32* first = m + MESH_HEAD + 8 * (m[2] + m[1]) + 4 * m[0];
    return first + (m[11] ? 8 * first[8 * m[3] + number] : 0u);
}

/// a triangle as the words of a hull: three vertices, one face
KERNEL_FN void triangle_words(PRIVATE const real3* corner, real3 normal, PRIVATE u32* words) {
    words[0] = 3;
    words[1] = 1;
    words[2] = 0;
    words[3] = 3;
    for (u32 k = 0; k < 3; ++k) {
        words[4 + 4 * k] = (u32)as_whole(corner[k].x);
        words[5 + 4 * k] = (u32)as_whole(corner[k].y);
        words[6 + 4 * k] = (u32)as_whole(corner[k].z);
        words[7 + 4 * k] = 0;
        words[22 + k] = k;
    }
    words[16] = (u32)as_whole(normal.x);
    words[17] = (u32)as_whole(normal.y);
    words[18] = (u32)as_whole(normal.z);
    words[19] = (u32)as_whole(dot3(normal, corner[0]));
    words[20] = 0;
    words[21] = 3;
}

/// a triangle and a shape about the origin
KERNEL_FN ConvexPair triangle_pair(PRIVATE const u32* words, ConvexShape shape, mat3 rotation) {
    ConvexPair p;
    p.a.type = CONVEX_HULL;
    p.a.size = make_real3(0.0f, 0.0f, 0.0f);
    p.a.radius = 0.0f;
    p.a.hull = words;
    p.b = shape;
    p.rotation = rotation;
    p.position = make_real3(0.0f, 0.0f, 0.0f);
    return p;
}

/// Corners, normal and kinds of edges. False where the shape's middle is behind a triangle of one side.
KERNEL_FN bool triangle_load(GLOBAL const u32* m, u32 which, real3 scale, real3 centre, real3 middle,
                             PRIVATE Triangle* t) {
    GLOBAL const u32* words = mesh_triangle(m, which);
    for (u32 k = 0; k < 3; ++k) {
        t->corner[k] = mesh_corner(m, words[k], scale, centre);
        t->kind[k] = words[3] >> (24 + 2 * k) & 3u;
    }
    t->normal = corners_normal(t->corner[0], t->corner[1], t->corner[2]);
    t->number = words[3] & MESH_NUMBER;
    for (u32 k = 0; k < 3; ++k) t->neighbour[k] = words[4 + k];
    t->behind = !(dot3(t->normal, middle - t->corner[0]) > 0.0f);
    if (t->behind) {
        if (!m[7]) return false;
        // seen from behind: the other way round, and hills are valleys
        real3 corner = t->corner[1];
        t->corner[1] = t->corner[2];
        t->corner[2] = corner;
        t->normal = -t->normal;
        u32 kind = t->kind[0], other = t->neighbour[0];
        t->kind[0] = t->kind[2];
        t->kind[2] = kind;
        t->neighbour[0] = t->neighbour[2];
        t->neighbour[2] = other;
        for (u32 k = 0; k < 3; ++k)
            if (t->kind[k] == MESH_EDGE_CONVEX) t->kind[k] = MESH_EDGE_CONCAVE;
            else if (t->kind[k] == MESH_EDGE_CONCAVE) t->kind[k] = MESH_EDGE_CONVEX;
    }
    return true;
}

KERNEL_FN real3 solid_normal(ConvexShape s, u32 i) {
    real4 plane = solid_plane(s, i);
    return make_real3(plane.x, plane.y, plane.z);
}
KERNEL_FN void turn_faces(ConvexShape s, mat3 rotation, PRIVATE TurnedFaces* turned) {
    turned->count = 0;
#if defined(KERNEL_QUADS)
    turned->edges.count = 0;
#endif
    if (!convex_solid(s)) return;
    const u32 faces = solid_faces(s);
    turned->count = faces < MESH_FACES ? faces : MESH_FACES;
    for (u32 j = 0; j < turned->count; ++j) turned->normal[j] = mat3_times(rotation, solid_normal(s, j));
}
KERNEL_FN real3 turned_face(PRIVATE const ConvexPair* p, PRIVATE const TurnedFaces* turned, u32 j) {
    return j < turned->count ? turned->normal[j] : mat3_times(p->rotation, solid_normal(p->b, j));
}

/// Whether the triangle and the shape are farther apart than the margin along the triangle's normal, or that of a face of the
/// shape: most triangles within a shape's bounds are, and their edges need not be known.
KERNEL_FN bool triangle_apart(PRIVATE Triangle* t, PRIVATE const ConvexPair* p,
                              PRIVATE const TurnedFaces* turned, real margin) {
    real3 n = t->normal;
    t->height = dot3(n, pair_support_b(p, -n, 0.0f) - t->corner[0]);
    if (!(t->height - convex_round(p->b) <= margin)) return true;
#if defined(KERNEL_QUADS)
    const u32 first = turned->count; // leaf_sift has seen to those before
#else
    const u32 first = 0;
#endif
    u32 faces = convex_solid(p->b) ? solid_faces(p->b) : 0u;
    for (u32 j = first; j < faces; ++j) {
        real4 plane = solid_plane(p->b, j);
        real3 f = turned_face(p, turned, j);
        real low = least(dot3(f, t->corner[0]), least(dot3(f, t->corner[1]), dot3(f, t->corner[2])));
        if (low - plane.w > margin) return true;
    }
    return false;
}

/// The rest of a triangle that may touch.
KERNEL_FN void triangle_edges(GLOBAL const u32* m, real3 scale, real3 centre, PRIVATE Triangle* t) {
    t->sharp = false;
    for (u32 k = 0; k < 3; ++k) {
        real3 edge = t->corner[k < 2 ? k + 1 : 0] - t->corner[k];
        t->size[k] = length3(edge);
        t->along[k] = unit3(edge, make_real3(1.0f, 0.0f, 0.0f));
        t->side[k] = cross3(t->along[k], t->normal);
        t->beyond[k] = -t->side[k];
        t->sharp = t->sharp || t->kind[k] <= MESH_EDGE_CONVEX;
        if (t->kind[k] != MESH_EDGE_CONVEX) continue;
        GLOBAL const u32* next = mesh_triangle(m, t->neighbour[k]);
        real3 n =
            corners_normal(mesh_corner(m, next[0], scale, centre), mesh_corner(m, next[1], scale, centre),
                           mesh_corner(m, next[2], scale, centre));
        t->beyond[k] = cross3(t->behind ? -n : n, t->along[k]);
    }
    triangle_words(t->corner, t->normal, t->words);
}

/// Whose direction d is, from the mesh to the shape: that of the face, of one of the triangle's edges or corners, or a
/// neighbour's.
KERNEL_FN i32 triangle_lean(PRIVATE const Triangle* t, real3 d) {
    u32 most = 0;
    real lean = dot3(d, t->side[0]);
    for (u32 k = 1; k < 3; ++k) {
        real other = dot3(d, t->side[k]);
        most = other > lean ? k : most;
        lean = other > lean ? other : lean;
    }
    if (!(dot3(d, t->normal) > MESH_UPRIGHT)) return LEAN_FOREIGN;
    if (!(lean > MESH_LEAN)) return LEAN_FACE;
    // across the edge, and not over a corner: the other edges do not matter
    bool corner = magnitude(dot3(d, t->along[most])) > 0.05f;
    for (u32 k = 0; k < 3; ++k) {
        if (k != most && !(corner && dot3(d, t->side[k]) > MESH_LEAN)) continue;
        if (t->kind[k] >= MESH_EDGE_FLAT) return LEAN_FOREIGN;
        if (t->kind[k] == MESH_EDGE_CONVEX && dot3(d, t->beyond[k]) < -MESH_LEAN) return LEAN_FOREIGN;
    }
    return LEAN_OWN;
}

/// whether the point is above or below the triangle
KERNEL_FN bool triangle_covers(PRIVATE const Triangle* t, real3 point) {
    for (u32 k = 0; k < 3; ++k)
        if (dot3(t->side[k], point - t->corner[k]) > MESH_SLACK * t->size[k]) return false;
    return true;
}

// contacts of one triangle ---------------------------------------------------------------------------------------------

/// Points of the shape above the triangle, along its normal.
KERNEL_FN void triangle_face_points(PRIVATE const Triangle* t, PRIVATE const ConvexPair* p, real margin,
                                    PRIVATE ManifoldCandidates* out) {
    real3 n = t->normal;
    real round_b = convex_round(p->b);
    real gap = t->height;
    if (!(gap - round_b <= margin)) return;
    ConvexFeature a, b;
    pair_features(p, n, &a, &b);
    if (b.count > 1) {
        clip_faces(&a, &b, n, 1.0f, gap, 0.0f, round_b, margin, out);
        return;
    }
    gap = dot3(n, b.point[0] - t->corner[0]);
    if (triangle_covers(t, b.point[0]))
        manifold_offer(out, b.point[0] - n * gap, gap - round_b, WITNESS_FEATURE, margin);
}

KERNEL_FN void triangle_axis_points(PRIVATE const ConvexPair* p, ContactAxis axis, bool nearest, real margin,
                                    PRIVATE ManifoldCandidates* out) {
    ConvexFeature a, b;
    pair_features(p, axis.normal, &a, &b);
    axis.nearest = nearest || feature_covers(&b, b.normal, axis.on_a);
    axis_points(p, axis, &a, &b, margin, out);
}

/// a sphere about the origin
KERNEL_FN real3 triangle_sphere(PRIVATE const Triangle* t, real radius, real margin,
                                PRIVATE ManifoldCandidates* out) {
    real3 origin = make_real3(0.0f, 0.0f, 0.0f);
    real height = -dot3(t->normal, t->corner[0]);
    if (!(height - radius <= margin)) return t->normal;
    if (triangle_covers(t, origin)) {
        manifold_offer(out, -t->normal * height, height - radius, WITNESS_FEATURE, margin);
        return t->normal;
    }
    real nearest = 3e38f;
    real3 point = origin;
    for (u32 k = 0; k < 3; ++k) {
        real3 q = t->corner[k] + t->along[k] * clamped(-dot3(t->corner[k], t->along[k]), 0.0f, t->size[k]);
        real square = dot3(q, q);
        point = square < nearest ? q : point;
        nearest = square < nearest ? square : nearest;
    }
    real distance = root(nearest);
    real3 d = distance > 0.0f ? point * (to_real(-1.0f) / distance) : t->normal;
    if (triangle_lean(t, d) != LEAN_OWN) return t->normal;
    manifold_offer(out, point, distance - radius, WITNESS_FEATURE, margin);
    return d;
}

/// Boxes and hulls: of the triangle's own directions that in which they are farthest apart, or overlap least.
KERNEL_FN real3 triangle_solid(PRIVATE const Triangle* t, PRIVATE const ConvexPair* p,
                               PRIVATE const TurnedFaces* turned, real margin,
                               PRIVATE ManifoldCandidates* out) {
    real3 n = t->normal;
    ContactAxis axis;
    axis.found = true;
    axis.normal = n;
    axis.on_a = t->corner[0];
    axis.feature = WITNESS_FEATURE;
    real best = t->height;
    if (!(best <= margin)) return n;
    u32 found = 0; // 1: a face of the shape; 2: two edges
    u32 faces = solid_faces(p->b);
    for (u32 j = 0; j < faces; ++j) {
        real4 plane = solid_plane(p->b, j);
        real3 m = turned_face(p, turned, j);
        real h0 = dot3(m, t->corner[0]), h1 = dot3(m, t->corner[1]), h2 = dot3(m, t->corner[2]);
        u32 low = h0 <= h1 && h0 <= h2 ? 0u : (h1 <= h2 ? 1u : 2u);
        real separation = least(h0, least(h1, h2)) - plane.w;
        if (separation > margin) return n;
        if (!t->sharp || !(separation > best + (SAT_RELATIVE * magnitude(best) + 1e-5f))) continue;
        if (triangle_lean(t, -m) != LEAN_OWN) continue;
        best = separation;
        axis.normal = -m;
        axis.on_a = t->corner[low];
        found = 1;
    }
    u32 edges = t->sharp ? solid_edges(p->b) : 0u;
#if defined(KERNEL_QUADS)
    TriangleQuads quads;
    const bool in_quads = edges && edges <= turned->edges.count;
    if (in_quads)
        quads =
            triangle_quads(t->normal, t->along, t->side, t->beyond, t->kind, turned->normal, turned->count);
#endif
    for (u32 j = 0; j < edges; ++j) {
#if defined(KERNEL_QUADS)
        const u32 sifted = in_quads ? edges_sift(&quads, &turned->edges, j) : 7u;
        if (!sifted) continue;
#else
        const u32 sifted = 7u;
#endif
        SolidEdge e = solid_edge(p->b, j);
        real3 left = turned_face(p, turned, e.left), right = turned_face(p, turned, e.right);
        // the arcs of the two edges cross on the Gauss map where the direction is between both pairs of normals
        bool crossing[3], any_crossing = false;
        for (u32 k = 0; k < 3; ++k) {
            crossing[k] = (sifted >> k & 1u) && t->kind[k] < MESH_EDGE_FLAT &&
                          dot3(left, t->along[k]) * dot3(right, t->along[k]) < 0.0f;
            any_crossing = any_crossing || crossing[k];
        }
        if (!any_crossing) continue;
        real3 from = solid_vertex(p->b, e.from);
        real3 q = mat3_times(p->rotation, from);
        real3 along = mat3_times(p->rotation, solid_vertex(p->b, e.to) - from);
        real length = length3(along);
        for (u32 k = 0; k < 3; ++k) {
            if (!crossing[k]) continue;
            real3 d = cross3(t->along[k], along);
            real square = dot3(d, d);
            if (!(square > 1e-6f * length * length)) continue;
            d = d * (to_real(1.0f) / root(square));
            if (dot3(d, left + right) > 0.0f) d = -d;
            if (!(dot3(d, t->side[k]) > MESH_LEAN)) continue;
            real separation = dot3(d, q - t->corner[k]);
            real to_beat =
                found == 2
                    ? best
                    : best + (SAT_RELATIVE * magnitude(best) + SAT_ABSOLUTE * least(length, t->size[k]));
            if (!(separation > to_beat) || triangle_lean(t, d) != LEAN_OWN) continue;
            // Axes that are not the triangle's own are left out, so the best of the others may not be where the two touch: the
            // edges must cross, seen along it.
            real3 edge = t->along[k] * t->size[k], between = q - t->corner[k];
            real ee = t->size[k] * t->size[k], aa = length * length, ea = dot3(edge, along);
            real near_edge = dot3(between, edge), near_along = dot3(between, along);
            real on_edge = (near_edge * aa - near_along * ea) / (ee * aa - ea * ea);
            real on_along = (on_edge * ea - near_along) / aa;
            if (!(on_edge >= -0.01f && on_edge <= 1.01f && on_along >= -0.01f && on_along <= 1.01f)) continue;
            if (separation > margin) return n;
            best = separation;
            axis.normal = d;
            axis.on_a = t->corner[k] + edge * clamped(on_edge, 0.0f, 1.0f);
            axis.feature = 0x80000000u | (k << 12) | j;
            found = 2;
        }
    }
    axis.separation = best;
    if (found == 0) triangle_face_points(t, p, margin, out);
    else triangle_axis_points(p, axis, found == 2, margin, out);
    return axis.normal;
}

/// capsules, cylinders and cones
KERNEL_FN real3 triangle_round(PRIVATE const Triangle* t, PRIVATE const ConvexPair* p, real margin,
                               PRIVATE ManifoldCandidates* out) {
    if (!(t->height - convex_round(p->b) <= margin)) return t->normal;
    ConvexFeature a, b;
    ContactAxis axis = general_axis(p, margin, false, &a, &b);
    if (!axis.found || !(axis.separation <= margin)) return t->normal;
    if (triangle_lean(t, axis.normal) == LEAN_OWN) {
        triangle_axis_points(p, axis, true, margin, out);
        return axis.normal;
    }
    triangle_face_points(t, p, margin, out);
    return t->normal;
}

// clusters -------------------------------------------------------------------------------------------------------------

/// How much a point counts that is not the deepest: those of a rough surface that are hardly apart carry the shape, others may
/// be far out and never touch. Half at `near_points` above the deepest.
KERNEL_FN real point_worth(PRIVATE const MeshCluster* c, i32 i, real near_points) {
    return near_points / (near_points + (c->points.separation[i] - c->deepest));
}

/// Four of the points, as far apart as they are and as deep: as manifold_choose, but the choice begins far out, so that
/// which inner edges of the mesh cut the shape's face does not show.
KERNEL_FN void cluster_choose(PRIVATE MeshCluster* c, real near_points, PRIVATE Manifold* out) {
    PRIVATE const ManifoldCandidates* all = &c->points;
    out->normal = c->normal;
    out->count = 0;
    if (all->count <= MANIFOLD_POINTS) {
        for (i32 i = 0; i < all->count; ++i) manifold_keep(all, i, out);
        return;
    }
    real3 sum = make_real3(0.0f, 0.0f, 0.0f);
    for (i32 i = 0; i < all->count; ++i) sum = sum + all->point[i];
    real3 middle = sum * (to_real(1.0f) / to_real(all->count));
    i32 chosen[MANIFOLD_POINTS] = {0, -1, -1, -1};
    real most = -1.0f;
    for (i32 i = 0; i < all->count; ++i) {
        real3 off = all->point[i] - middle;
        real worth = point_worth(c, i, near_points);
        // twice: it must be among the deepest
        real score = dot3(off, off) * (worth * worth);
        if (!(score > most * 1.02f)) continue;
        most = score;
        chosen[0] = i;
    }
    real3 p = all->point[chosen[0]], pq = p, across = p, pr = p;
    real span = 0.0f, turn = 1.0f;
    for (u32 next = 1; next < MANIFOLD_POINTS; ++next) {
        most = next == 1 ? 0.0f : span * 1e-4f; // thinner triangles are as good as the segment
        for (i32 i = 0; i < all->count; ++i) {
            real3 d = all->point[i] - p;
            real score = dot3(d, d);
            real area = 0.0f;
            if (next == 2) {
                area = dot3(d, across);
                score = magnitude(area);
            } else if (next == 3) {
                // whichever lies farthest outside one of the triangle's sides
                real3 out_qr = cross3(c->normal, pr - pq) * turn, out_rp = cross3(pr, c->normal) * turn;
                score = greatest(dot3(d, across * turn), dot3(d, out_rp));
                score = greatest(score, dot3(d, out_qr) - dot3(pq, out_qr));
            }
            score = score * point_worth(c, i, near_points);
            if (!(score > most * 1.02f)) continue;
            most = score;
            chosen[next] = i;
            if (next == 2) turn = area > 0.0f ? -1.0f : 1.0f;
        }
        if (chosen[next] < 0) break;
        real3 found = all->point[chosen[next]] - p;
        if (next == 1) {
            pq = found;
            across = cross3(c->normal, pq);
            span = dot3(pq, pq);
        } else if (next == 2) {
            pr = found;
        }
    }
    for (u32 k = 0; k < MANIFOLD_POINTS; ++k)
        if (chosen[k] >= 0) manifold_keep(all, chosen[k], out);
}

KERNEL_FN void cluster_reduce(PRIVATE MeshCluster* c, real near_points) {
    Manifold four;
    cluster_choose(c, near_points, &four);
    c->points.count = four.count;
    for (i32 i = 0; i < four.count; ++i) {
        c->points.point[i] = four.point[i];
        c->points.separation[i] = four.separation[i];
        c->points.feature[i] = four.feature[i];
    }
}

/// `near`: points this close are one
KERNEL_FN void cluster_add(PRIVATE MeshCluster* c, PRIVATE const ManifoldCandidates* points, u32 number,
                           real near_points) {
    for (i32 i = 0; i < points->count; ++i) {
        if (points->separation[i] < c->deepest) {
            c->deepest = points->separation[i];
            c->number = number;
        }
        i32 same = 0;
        while (same < c->points.count) {
            real3 off = c->points.point[same] - points->point[i];
            if (dot3(off, off) < near_points * near_points) break;
            ++same;
        }
        if (same == c->points.count) {
            if (same == MANIFOLD_CANDIDATES) cluster_reduce(c, near_points);
            same = c->points.count;
            c->points.count = same + 1;
        } else if (!(points->separation[i] < c->points.separation[same])) {
            continue;
        }
        c->points.point[same] = points->point[i];
        c->points.separation[same] = points->separation[i];
        c->points.feature[same] = points->feature[i];
    }
}

KERNEL_FN void cluster_begin(PRIVATE MeshCluster* c, real3 normal) {
    c->normal = normal;
    c->deepest = 3e38f;
    c->number = 0;
    c->points.count = 0;
}

/// the cluster among the first `count` whose normal is nearest
KERNEL_FN u32 cluster_like(PRIVATE const MeshClusters* all, u32 count, real3 normal, PRIVATE real* cosine) {
    u32 best = 0;
    *cosine = -2.0f;
    for (u32 k = 0; k < count; ++k) {
        real along = dot3(all->cluster[k].normal, normal);
        best = along > *cosine ? k : best;
        *cosine = greatest(along, *cosine);
    }
    return best;
}

KERNEL_FN void clusters_add(PRIVATE MeshClusters* all, real3 normal, PRIVATE const ManifoldCandidates* points,
                            PRIVATE const Triangle* t, real near_points) {
    real cosine;
    u32 to = cluster_like(all, all->count, normal, &cosine);
    if (!(cosine > MESH_SAME) && all->count < MESH_CLUSTERS) {
        to = all->count;
        all->count = to + 1;
        cluster_begin(&all->cluster[to], normal);
    } else if (!(cosine > MESH_ALIKE)) {
        // the one that matters least makes room
        real deepest = 3e38f;
        for (i32 i = 0; i < points->count; ++i) deepest = least(deepest, points->separation[i]);
        to = 0;
        for (u32 k = 1; k < MESH_CLUSTERS; ++k)
            to = all->cluster[k].deepest > all->cluster[to].deepest ? k : to;
        all->crowded = true;
        if (!(deepest < all->cluster[to].deepest)) return;
        cluster_begin(&all->cluster[to], normal);
    }
    cluster_add(&all->cluster[to], points, t->number, near_points);
}

/// No more than MESH_SLOTS are left: of those whose normals are most alike, the deeper one takes over the points of the other,
/// so that the points still lie all around. `order`: the clusters that are left.
KERNEL_FN void clusters_join(PRIVATE MeshClusters* all, PRIVATE u32* order, real near_points) {
    for (u32 k = 0; k < all->count; ++k) order[k] = k;
    while (all->count > MESH_SLOTS) {
        u32 keep = 0, drop = 1;
        real cosine = -2.0f;
        for (u32 i = 0; i < all->count; ++i)
            for (u32 j = i + 1; j < all->count; ++j) {
                real along = dot3(all->cluster[order[i]].normal, all->cluster[order[j]].normal);
                if (!(along > cosine)) continue;
                cosine = along;
                keep = i;
                drop = j;
            }
        if (cosine > MESH_ALIKE) {
            if (all->cluster[order[drop]].deepest < all->cluster[order[keep]].deepest) {
                u32 other = keep;
                keep = drop;
                drop = other;
            }
            PRIVATE const MeshCluster* from = &all->cluster[order[drop]];
            cluster_add(&all->cluster[order[keep]], &from->points, from->number, near_points);
        } else {
            // all differ: the one that matters least goes
            all->crowded = true;
            drop = 0;
            for (u32 k = 1; k < all->count; ++k)
                if (all->cluster[order[k]].deepest > all->cluster[order[drop]].deepest) drop = k;
        }
        all->count = all->count - 1;
        for (u32 k = drop; k < all->count; ++k) order[k] = order[k + 1];
    }
}

// the mesh -------------------------------------------------------------------------------------------------------------

/// Whether a node of the tree lies outside of a box, both without the scale.
KERNEL_FN bool mesh_node_apart(GLOBAL const u32* m, u32 n, real3 from, real3 to) {
    GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
    // without branches
    const u32 beyond = (u32)(as_real((i32)node[0]) > to.x) | (u32)(as_real((i32)node[1]) > to.y) |
                       (u32)(as_real((i32)node[2]) > to.z);
    const u32 before = (u32)(as_real((i32)node[4]) < from.x) | (u32)(as_real((i32)node[5]) < from.y) |
                       (u32)(as_real((i32)node[6]) < from.z);
    return (beyond | before) != 0;
}

KERNEL_FN real3 mesh_unscaled(real3 at, real3 scale) {
    return make_real3(at.x / scale.x, at.y / scale.y, at.z / scale.z);
}

/// The contacts of a shape, turned by `rotation` about the origin, with the triangles of a mesh within its bounds `low` to
/// `high`. `centre`: of the shape, in the mesh's frame.
KERNEL_FN void mesh_contacts(ConvexShape shape, mat3 rotation, ConvexShape mesh, real3 centre, real3 low,
                             real3 high, real margin, real near_points, PRIVATE MeshClusters* all) {
    GLOBAL const u32* m = mesh.hull;
    real3 scale = mesh.size;
    real3 from = mesh_unscaled(centre + low, scale), to = mesh_unscaled(centre + high, scale);
    real3 middle = make_real3(0.0f, 0.0f, 0.0f);
    if (shape.type == CONVEX_HULL) middle = mat3_times(rotation, solid_middle(shape));
    all->count = 0;
    all->crowded = false;
    TurnedFaces turned;
    bool faces_turned = false;
    u32 stack[MESH_DEPTH];
    u32 depth = mesh_node_apart(m, 0, from, to) ? 0u : 1u;
    stack[0] = 0;
    while (depth) {
        u32 n = stack[--depth];
        GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
        if (node[3] == 0) {
            // no branch predictor guesses which of the two are near: both are written, and the depth tells which count
            stack[depth] = node[7];
            depth += mesh_node_apart(m, node[7], from, to) ? 0u : 1u;
            stack[depth] = n + 1;
            depth += mesh_node_apart(m, n + 1, from, to) ? 0u : 1u;
            continue;
        }
        if (!faces_turned) turn_faces(shape, rotation, &turned);
        faces_turned = true;
        u32 near_triangles = 0xffffffffu;
#if defined(KERNEL_QUADS)
        near_triangles = leaf_sift(m, node[7], node[3], scale, centre, shape, rotation, low, high, middle,
                                   turned.normal, turned.count, margin);
#endif
        for (u32 k = node[7]; k < node[7] + node[3]; ++k) {
            if (!(near_triangles >> (k - node[7]) & 1u)) continue;
            Triangle t;
            if (!triangle_load(m, k, scale, centre, middle, &t)) continue;
            ConvexPair p = triangle_pair(t.words, shape, rotation);
            if (triangle_apart(&t, &p, &turned, margin)) continue;
            triangle_edges(m, scale, centre, &t);
#if defined(KERNEL_QUADS)
            if (t.sharp && !turned.edges.count) turn_edges(shape, rotation, turned.count, &turned.edges);
#endif
            ManifoldCandidates points;
            points.count = 0;
            real3 normal;
            if (shape.type == CONVEX_SPHERE) normal = triangle_sphere(&t, shape.radius, margin, &points);
            else if (convex_solid(shape)) normal = triangle_solid(&t, &p, &turned, margin, &points);
            else normal = triangle_round(&t, &p, margin, &points);
            if (points.count == 0) continue;
            for (i32 i = 0; i < points.count; ++i) points.feature[i] ^= t.number * 0x9e3779b1u;
            clusters_add(all, normal, &points, &t, near_points);
        }
    }
}

// overlap --------------------------------------------------------------------------------------------------------------

/// Whether a shape, as in mesh_contacts, overlaps a triangle, from either side. What the surface encloses is not part of it.
KERNEL_FN bool mesh_overlaps(ConvexShape shape, mat3 rotation, ConvexShape mesh, real3 centre, real3 low,
                             real3 high) {
    GLOBAL const u32* m = mesh.hull;
    real3 from = mesh_unscaled(centre + low, mesh.size), to = mesh_unscaled(centre + high, mesh.size);
    u32 stack[MESH_DEPTH];
    u32 depth = 1;
    stack[0] = 0;
    while (depth) {
        u32 n = stack[--depth];
        GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
        if (mesh_node_apart(m, n, from, to)) continue;
        if (node[3] == 0) {
            stack[depth++] = node[7];
            stack[depth++] = n + 1;
            continue;
        }
        for (u32 k = node[7]; k < node[7] + node[3]; ++k) {
            GLOBAL const u32* own = mesh_triangle(m, k);
            real3 corner[3];
            for (u32 v = 0; v < 3; ++v) corner[v] = mesh_corner(m, own[v], mesh.size, centre);
            u32 words[TRIANGLE_WORDS];
            triangle_words(corner, corners_normal(corner[0], corner[1], corner[2]), words);
            ConvexPair p = triangle_pair(words, shape, rotation);
            if (pair_overlaps(&p, -((corner[0] + corner[1]) + corner[2]))) return true;
        }
    }
    return false;
}

/// Whether a corner of the mesh is not above a plane, whose point and unit normal are in the mesh's frame.
KERNEL_FN bool mesh_reaches_below(ConvexShape mesh, real3 point, real3 normal) {
    GLOBAL const u32* m = mesh.hull;
    real height = dot3(normal, point);
    // of the node's corner that lies deepest
    u32 x = normal.x > 0.0f ? 0u : 4u, y = normal.y > 0.0f ? 1u : 5u, z = normal.z > 0.0f ? 2u : 6u;
    real3 scaled = make_real3(normal.x * mesh.size.x, normal.y * mesh.size.y, normal.z * mesh.size.z);
    u32 stack[MESH_DEPTH];
    u32 depth = 1;
    stack[0] = 0;
    while (depth) {
        u32 n = stack[--depth];
        GLOBAL const u32* node = m + MESH_HEAD + 8 * n;
        real3 low = make_real3(as_real((i32)node[x]), as_real((i32)node[y]), as_real((i32)node[z]));
        if (dot3(scaled, low) > height) continue;
        if (node[3] == 0) {
            stack[depth++] = node[7];
            stack[depth++] = n + 1;
            continue;
        }
        for (u32 k = node[7]; k < node[7] + node[3]; ++k)
            for (u32 v = 0; v < 3; ++v) {
                GLOBAL const u32* at = m + MESH_HEAD + 8 * (m[2] + m[1]) + 4 * mesh_triangle(m, k)[v];
                real3 corner = make_real3(as_real((i32)at[0]), as_real((i32)at[1]), as_real((i32)at[2]));
                if (!(dot3(scaled, corner) > height)) return true;
            }
    }
    return false;
}
