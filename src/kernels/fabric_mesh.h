// SPDX-License-Identifier: MIT
// fabric_mesh.h — how far a point is from the triangles of a mesh, and which of them it passed.   compiles as: host, cuda
//
// A triangle of one side pushes to its front whatever is within the margin; of a closed mesh that is the shortest way out. The
// side at edges and corners is that of the triangle that faces the point most (as the pseudonormals of Bærentzen and Aanæs 2005,
// without their sums). A two-sided triangle pushes to the side that the point is on, or was on before it passed the mesh.
//
// The frame is along the mesh's axes about the point; only results are about the mesh's origin. Triangles that the scale makes
// as thin as a line are not felt: their edges belong to others. A mirrored mesh keeps its front.
//
// Include it after fabric_convex.h.

#define FABRIC_THIN 1e-11f    // square of a sine: what is thinner has no normal
#define FABRIC_TIE 1e-6f      // of the coordinates: rounding of a distance
#define FABRIC_SLIP 2.5e-7f   // of the coordinates: rounding of a height
#define FABRIC_LOSS 1e-6f     // of the coordinates: rounding of a place without the scale
#define FABRIC_ALIKE 0.9f     // cosine: normals of two hits differ more
#define FABRIC_BESIDE 0.01f   // of the margin, and a sine: so far may triangles of one face be out of it
#define FABRIC_CONCAVE 0.001f // of the margin: so far may a hit be behind another one's face
#define FABRIC_MINIMA 6       // triangles that are nearer than those around them
#define FABRIC_NO_TRIANGLE 0xffffffffu
// what of a triangle is nearest: its face, edge k, or corner k
#define FABRIC_FACE 0u
#define FABRIC_EDGE 1u
#define FABRIC_CORNER 4u

struct FabricFacet_t {
    real3 normal;  // unit, to the front
    real3 nearest; // to the point
    real square;   // of the distance
    real noise;    // square of a distance that has no direction
    real now;      // height above the plane
    real before;   // the same of where the point was
    real3 beyond;  // of a triangle beside a valley's edge: unit normal of the one on the other side
    bool valley;   // it is one
    u32 region;    // FABRIC_FACE …
    u32 number;
};
typedef struct FabricFacet_t FabricFacet;

/// what a walk through the tree finds
struct FabricSearch_t {
    FabricFacet nearest;
    real border;       // square of the distance to the nearest border that the point is behind
    u32 passed;        // triangles between before and now, whichever way
    FabricFacet first; // of these that hold the point back
    real share;        // of the way back to it: from now to before
    u32 minima;
    FabricFacet minimum[FABRIC_MINIMA];
};
typedef struct FabricSearch_t FabricSearch;

/// Nearest point of a triangle to the origin, where the normal does not meet it: of its edges. `across`: its normal of
/// any length, by the order of its corners.
KERNEL_FN void fabric_facet_nearest(PRIVATE const real3* corner, real3 across, PRIVATE FabricFacet* f) {
    real3 best = f->nearest;
    real least_square = 3e38f, longest = 0.0f;
    for (u32 k = 0; k < 3; ++k) {
        u32 next = k < 2 ? k + 1 : 0;
        real3 a = corner[k], edge = corner[next] - a;
        longest = greatest(longest, dot3(edge, edge));
        if (!(dot3(cross3(edge, across), a) < 0.0f)) continue;
        // beyond this edge
        real share;
        real3 q = fabric_on_edge(a, edge, &share);
        real square = dot3(q, q);
        if (!(square < least_square)) continue;
        least_square = square;
        best = q;
        f->region =
            share <= 0.0f ? FABRIC_CORNER + k : (share >= 1.0f ? FABRIC_CORNER + next : FABRIC_EDGE + k);
    }
    f->noise = FABRIC_NOISE * FABRIC_NOISE * longest;
    if (f->region == FABRIC_FACE) return;
    // hardly beyond the edge: no gap is between the faces of a floor
    real3 beside = best - f->nearest;
    if (dot3(beside, beside) <= FABRIC_TIE * FABRIC_TIE * longest) {
        f->region = FABRIC_FACE;
        return;
    }
    f->nearest = best;
    f->square = least_square;
}

/// Whether a way meets a triangle: at x it passes the plane, whose unit normal is `up` by the order of the corners. `slack`: of x,
/// so that nothing passes between two triangles.
KERNEL_FN bool fabric_way_meets(PRIVATE const real3* corner, real3 up, real3 x, real slack) {
    for (u32 k = 0; k < 3; ++k) {
        real3 a = corner[k], edge = corner[k < 2 ? k + 1 : 0] - a;
        if (dot3(cross3(edge, up), x - a) > slack * length3(edge)) return false;
    }
    return true;
}

KERNEL_FN u32 fabric_edge_kind(GLOBAL const u32* triangle, u32 k) { return triangle[3] >> (24 + 2 * k) & 3u; }

/// Whether what is nearest is a border of the mesh.
KERNEL_FN bool fabric_at_border(GLOBAL const u32* triangle, u32 region) {
    if (region == FABRIC_FACE) return false;
    u32 k = region < FABRIC_CORNER ? region - FABRIC_EDGE : region - FABRIC_CORNER;
    if (fabric_edge_kind(triangle, k) == MESH_EDGE_BORDER) return true;
    return region >= FABRIC_CORNER && fabric_edge_kind(triangle, k ? k - 1 : 2) == MESH_EDGE_BORDER;
}

/// Whether no point around the nearest one of the triangle is nearer, or the triangle is one side of a valley and the point is
/// nearer to the other: then its plane counts. Not of corners: too many triangles meet there.
KERNEL_FN bool fabric_is_minimum(GLOBAL const u32* m, GLOBAL const u32* triangle, real3 scale, real3 centre,
                                 PRIVATE const real3* corner, PRIVATE FabricFacet* f) {
    if (f->region == FABRIC_FACE) return true;
    if (f->region >= FABRIC_CORNER) return false;
    u32 k = f->region - FABRIC_EDGE;
    if (fabric_edge_kind(triangle, k) == MESH_EDGE_BORDER) return true;
    GLOBAL const u32* other = mesh_triangle(m, triangle[4 + k]);
    real3 a = corner[k], edge = corner[k < 2 ? k + 1 : 0] - a;
    real square = dot3(edge, edge), most = -1.0f;
    // the neighbour's corner away from the edge: vertices at one place may have several numbers
    real3 inwards = make_real3(0.0f, 0.0f, 0.0f);
    for (u32 v = 0; v < 3; ++v) {
        real3 off = mesh_corner(m, other[v], scale, centre) - a;
        off = off - edge * (square > 0.0f ? dot3(off, edge) / square : 0.0f);
        real away = dot3(off, off);
        inwards = away > most ? off : inwards;
        most = greatest(away, most);
    }
    if (!(dot3(inwards, f->nearest) < 0.0f)) return true;
    f->valley = dot3(f->normal, inwards) * (f->now < 0.0f ? -1.0f : 1.0f) > FABRIC_BESIDE * root(most);
    f->beyond = fabric_unit(cross3(edge, inwards), f->normal);
    return f->valley;
}

/// Of two that are equally near, as at an edge of both, the one that faces the point more tells the side. `size`: of the
/// coordinates.
KERNEL_FN void fabric_keep_nearest(PRIVATE const FabricFacet* f, real size, PRIVATE FabricFacet* nearest) {
    real tie = FABRIC_TIE * size * (root(f->square) + FABRIC_TIE * size);
    real off = f->square - nearest->square;
    if (nearest->number == FABRIC_NO_TRIANGLE || off < -tie) {
        *nearest = *f;
        return;
    }
    if (off > tie) return;
    real facing = magnitude(f->now) - magnitude(nearest->now);
    FabricFacet old = *nearest;
    if (facing > 0.0f || (facing == 0.0f && f->now > old.now)) *nearest = *f;
    // at the nearer of the two places, but for what is above a face
    if (nearest->region == FABRIC_FACE) return;
    nearest->nearest = off > 0.0f ? old.nearest : f->nearest;
    nearest->square = least(old.square, f->square);
}

/// One triangle; `step`: from where the point is to where it was.
KERNEL_FN void fabric_search_triangle(GLOBAL const u32* m, u32 which, real3 scale, real3 centre, real3 step,
                                      real margin, PRIVATE FabricSearch* s) {
    GLOBAL const u32* words = mesh_triangle(m, which);
    const bool two_sided = m[7] != 0u;
    real3 corner[3];
    for (u32 k = 0; k < 3; ++k) corner[k] = mesh_corner(m, words[k], scale, centre);
    real3 ab = corner[1] - corner[0], ac = corner[2] - corner[0], across = cross3(ab, ac);
    real area = dot3(across, across), longest = greatest(dot3(ab, ab), dot3(ac, ac));
    if (!(area > FABRIC_THIN * longest * longest) || !(area > 1e-30f)) return;
    real mirrored = scale.x * scale.y * scale.z < 0.0f ? -1.0f : 1.0f;
    FabricFacet f;
    f.normal = across * (mirrored / root(area));
    f.now = -dot3(f.normal, corner[0]);
    f.before = f.now + dot3(f.normal, step);
    f.number = words[3] & MESH_NUMBER;
    f.valley = false;
    f.beyond = f.normal;
    f.nearest = -f.normal * f.now;
    f.square = f.now * f.now;
    f.noise = 0.0f;
    f.region = FABRIC_FACE;
    const bool down = f.before >= 0.0f && f.now < 0.0f, up = f.before < 0.0f && f.now >= 0.0f;
    real size = fabric_extent(corner[0]) + fabric_extent(ab) + fabric_extent(ac);
    if (down || up) {
        real height = magnitude(f.now) + magnitude(f.before), length = fabric_extent(step);
        real share = magnitude(f.now) / height;
        // heights are less sure above thin triangles, and flat ways make more of it
        real slack = FABRIC_SLIP * (size + length) * (1.0f + length / height) * (longest / root(area));
        if (fabric_way_meets(corner, f.normal * mirrored, step * share, slack)) {
            ++s->passed;
            bool holds = two_sided ? f.now != 0.0f && f.before != 0.0f : down;
            if (holds && (s->first.number == FABRIC_NO_TRIANGLE || share > s->share)) {
                s->first = f;
                s->share = share;
            }
        }
    }
    if (!(magnitude(f.now) <= margin)) return;
    fabric_facet_nearest(corner, across, &f);
    if (!(f.square <= margin * margin)) return;
    // behind the border of a surface with one side nothing pushes
    if (!two_sided && f.now < 0.0f && fabric_at_border(words, f.region)) {
        s->border = least(f.square, s->border);
        return;
    }
    fabric_keep_nearest(&f, size, &s->nearest);
    if (!fabric_is_minimum(m, words, scale, centre, corner, &f)) return;
    u32 to = s->minima;
    if (to < FABRIC_MINIMA) {
        s->minima = to + 1;
    } else {
        to = 0;
        for (u32 k = 1; k < FABRIC_MINIMA; ++k) to = s->minimum[k].square > s->minimum[to].square ? k : to;
        if (!(f.square < s->minimum[to].square)) return;
    }
    s->minimum[to] = f;
}

/// A triangle as a hit, about the point. `passed`: the point passed the mesh.
KERNEL_FN FabricHit fabric_facet_hit(PRIVATE const FabricFacet* f, bool two_sided, bool passed) {
    real side = 1.0f; // of the triangle that pushes
    bool inside = f->now < 0.0f;
    if (two_sided) {
        side = fabric_side(f->now, f->before);
        inside = passed && ((f->now < 0.0f && f->before > 0.0f) || (f->now > 0.0f && f->before < 0.0f));
        if (inside) side = -side;
    }
    real sign = inside ? -1.0f : 1.0f;
    FabricHit hit = fabric_hit(f->nearest, f->normal * side, sign * root(f->square));
    if (f->region == FABRIC_FACE || f->valley) {
        hit.distance = sign * magnitude(f->now);
        hit.point = -f->normal * f->now;
    } else if (f->square > f->noise) {
        hit.normal = fabric_unit(f->nearest * -sign, hit.normal);
    }
    hit.part = f->number;
    return hit;
}

/// Whether a point came from the front of what pushes it; `step`: from where it is to where it was.
KERNEL_FN bool fabric_came_from_front(PRIVATE const FabricHit* hit, real3 step) {
    return dot3(hit->normal, step - hit->point) >= 0.0f;
}

/// Up to two hits within the margin, or of a triangle that the point passed; the second, of a valley, is nearest among those
/// with another normal. `before`: where the point was when the step began.
KERNEL_FN u32 fabric_mesh_hits(const ConvexShape mesh, real3 point, real3 before, real margin,
                               PRIVATE FabricHit* hits) {
    GLOBAL const u32* m = mesh.hull;
    const bool two_sided = m[7] != 0u;
    real3 scale = mesh.size, step = before - point;
    real wide = margin + FABRIC_LOSS * (fabric_extent(point) + fabric_extent(before));
    real3 low = make_real3(least(point.x, before.x) - wide, least(point.y, before.y) - wide,
                           least(point.z, before.z) - wide);
    real3 high = make_real3(greatest(point.x, before.x) + wide, greatest(point.y, before.y) + wide,
                            greatest(point.z, before.z) + wide);
    real3 a = mesh_unscaled(low, scale), b = mesh_unscaled(high, scale);
    real3 from = make_real3(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z));
    real3 to = make_real3(greatest(a.x, b.x), greatest(a.y, b.y), greatest(a.z, b.z));
    FabricSearch s;
    s.nearest.number = s.first.number = FABRIC_NO_TRIANGLE;
    s.nearest.square = 3e38f;
    s.passed = s.minima = 0;
    s.share = 0.0f;
    s.border = 3e38f;
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
        for (u32 k = node[7]; k < node[7] + node[3]; ++k)
            fabric_search_triangle(m, k, scale, point, step, margin, &s);
    }
    const bool passed = s.first.number != FABRIC_NO_TRIANGLE;
    bool found = s.nearest.number != FABRIC_NO_TRIANGLE;
    // triangles beside that border
    if (found && s.nearest.now < 0.0f && s.nearest.region != FABRIC_FACE &&
        s.border < 1.0001f * s.nearest.square)
        found = false;
    if (!found && !passed) return 0;
    FabricHit hit = fabric_hit(point, make_real3(0.0f, 1.0f, 0.0f), 0.0f);
    if (found) hit = fabric_facet_hit(&s.nearest, two_sided, passed);
    // the shortest way out, where that is the side that it came from: not through a thin plate
    bool out = found && hit.distance < 0.0f && s.passed == 1 && fabric_came_from_front(&hit, step);
    if (passed && !out) {
        real side = s.first.before < 0.0f ? -1.0f : 1.0f;
        hit = fabric_hit(step * s.share, s.first.normal * side, -magnitude(s.first.now));
        hit.part = s.first.number;
    }
    hits[0] = hit;
    u32 count = 1;
    real square = 3e38f;
    for (u32 k = 0; k < s.minima; ++k) {
        PRIVATE const FabricFacet* f = &s.minimum[k];
        if (!(f->square < square)) continue;
        FabricHit other = fabric_facet_hit(f, two_sided, passed);
        if (f->valley) {
            // both triangles show the vertex the same side: beyond a ridge it is behind the other one
            if ((f->now < 0.0f) != (s.nearest.now < 0.0f)) continue;
            // the first hit is on the face across the edge: over that, the free space ends at both planes
            real3 off = hit.point - f->nearest;
            if (!(magnitude(dot3(f->beyond, off)) <= FABRIC_BESIDE * margin)) continue;
            if (!(magnitude(dot3(f->beyond, hit.normal)) > 1.0f - FABRIC_BESIDE)) continue;
        }
        // a ridge from outside is one contact
        if (f->region != FABRIC_FACE && !f->valley) continue;
        if (other.distance < 0.0f && !fabric_came_from_front(&other, step)) continue;
        if (!(dot3(other.normal, hit.normal) < FABRIC_ALIKE)) continue;
        // a valley: each is in front of the other
        if (!(dot3(other.normal, hit.point - other.point) >= -FABRIC_CONCAVE * margin)) continue;
        hits[1] = other;
        square = f->square;
        count = 2;
    }
    for (u32 k = 0; k < count; ++k) hits[k].point = hits[k].point + point;
    return count;
}
