// SPDX-License-Identifier: MIT
// fabric_ridges.h — nearest points of a part of a cloth and an edge of a mesh.   compiles as: host, cuda
//
// A part (a triangle, or a line) meets a mesh between its vertices only where the mesh turns outwards: at ridges, borders and their ends.
// Which side of an edge is outside follows from the triangles beside it: what is nearest to the edge, and not to one of them, is neither
// above the one nor above the other.
//
// All in one frame. Include it after fabric_contact.h.

#define FABRIC_RIDGE_FLAT 0.2f  // sum of two unit vectors: triangles beside an edge that hardly turns
#define FABRIC_RIDGE_SUNK 0.02f // cosine: a part that is so far past an edge has sunk
#define FABRIC_RIDGE_LEAN 0.3f // cosine: a part that leans more against the way out may come from either side
#define FABRIC_RIDGE_SLACK 0.05f // cosine: above a triangle beside the edge
#define FABRIC_RIDGE_AT 0.98f    // weight: there a vertex of the part is nearest, whose own contact does

struct FabricPartHit_t {
    real3 point;   // on the surface
    real3 normal;  // unit, out of the shape
    real distance; // of the part from there; below 0: inside
    real3 weight;  // of the part's vertices, where it is nearest
    bool found;    // within the limit
};
typedef struct FabricPartHit_t FabricPartHit;

struct FabricRidge_t {
    real3 from, to;  // its ends
    real3 beside[2]; // unit: across the edge into the triangles beside it; of a border twice the same
    real3 front;     // unit: of the border of a surface with one side, the triangle's normal; else 0
};
typedef struct FabricRidge_t FabricRidge;

/// weights of the point of the triangle that is nearest to q
KERNEL_FN real3 fabric_part_weights(PRIVATE const real3* corner, real3 q) {
    real weight[3];
    gjk_triangle(corner[0] - q, corner[1] - q, corner[2] - q, weight);
    return make_real3(weight[0], weight[1], weight[2]);
}
KERNEL_FN real3 fabric_part_point(PRIVATE const real3* corner, real3 weight) {
    return (corner[0] * weight.x + corner[1] * weight.y) + corner[2] * weight.z;
}

/// whether the pair of points is nearer than what was found
KERNEL_FN void fabric_ridge_keep(real3 on_part, real3 weight, real3 on_ridge, PRIVATE FabricPartHit* hit) {
    real3 apart = on_part - on_ridge;
    const real square = dot3(apart, apart);
    if (!(square < hit->distance)) return; // of the distance, until all are known
    hit->distance = square;
    hit->normal = apart;
    hit->weight = weight;
    hit->point = on_ridge;
}

/// one side of the part, from corner k, and the edge (Ericson 2005, 5.1.9)
KERNEL_FN void fabric_ridge_side(PRIVATE const FabricRidge* r, PRIVATE const real3* corner, u32 k,
                                 PRIVATE FabricPartHit* hit) {
    const u32 next = k < 2 ? k + 1 : 0;
    real3 along = r->to - r->from, side = corner[next] - corner[k], off = corner[k] - r->from;
    const real aa = dot3(side, side), ee = dot3(along, along), b = dot3(side, along), c = dot3(side, off),
               f = dot3(along, off), divisor = aa * ee - b * b;
    if (!(aa > 0.0f && ee > 0.0f)) return; // a line has one side of no length
    real s = divisor > 1e-6f * aa * ee ? clamped((b * f - c * ee) / divisor, 0.0f, 1.0f) : 0.0f;
    const real t = clamped((b * s + f) / ee, 0.0f, 1.0f);
    s = clamped((b * t - c) / aa, 0.0f, 1.0f);
    const real first = 1.0f - s;
    real3 weight =
        make_real3(k == 0 ? first : (next == 0 ? s : 0.0f), k == 1 ? first : (next == 1 ? s : 0.0f),
                   k == 2 ? first : (next == 2 ? s : 0.0f));
    fabric_ridge_keep(corner[k] + side * s, weight, r->from + along * t, hit);
}

/// The edge goes through the part: out along the part's normal, to where the triangles beside the edge are not.
KERNEL_FN bool fabric_ridge_through(PRIVATE const FabricRidge* r, PRIVATE const real3* corner, real limit,
                                    PRIVATE FabricPartHit* hit) {
    real3 ab = corner[1] - corner[0], ac = corner[2] - corner[0], across = cross3(ab, ac);
    const real area = dot3(across, across);
    if (!(area > FABRIC_THIN * greatest(dot3(ab, ab), dot3(ac, ac)) * dot3(ab, ab))) return false;
    real3 n = across * (1.0f / root(area));
    const real from = dot3(n, r->from - corner[0]), to = dot3(n, r->to - corner[0]);
    if (!((from < 0.0f) != (to < 0.0f))) return false;
    real3 x = r->from + (r->to - r->from) * (from / (from - to));
    real3 off = fabric_part_point(corner, fabric_part_weights(corner, x)) - x;
    if (!(dot3(off, off) <= FABRIC_TIE * FABRIC_TIE * dot3(ab, ab))) return false;
    hit->found = false; // nothing else is to be looked for
    real3 out = -(r->beside[0] + r->beside[1]);
    const real turns = length3(out), lean = dot3(n, out);
    if (!(turns > FABRIC_RIDGE_FLAT && magnitude(lean) > FABRIC_RIDGE_LEAN * turns)) return true;
    const real side = lean < 0.0f ? -1.0f : 1.0f;
    n = n * side;
    hit->point = from * side > to * side ? r->from : r->to;
    hit->weight = fabric_part_weights(corner, hit->point);
    hit->normal = n;
    hit->distance = dot3(n, fabric_part_point(corner, hit->weight) - hit->point);
    hit->found = hit->distance < 0.0f && hit->distance > -2.0f * limit;
    return true;
}

/// Whether the part is on both sides of a triangle beside the edge.
KERNEL_FN bool fabric_ridge_straddled(PRIVATE const FabricRidge* r, PRIVATE const real3* corner) {
    for (u32 j = 0; j < 2; ++j) {
        real3 n = cross3(r->to - r->from, r->beside[j]);
        const real a = dot3(n, corner[0] - r->from), b = dot3(n, corner[1] - r->from),
                   c = dot3(n, corner[2] - r->from);
        if (least(a, least(b, c)) < 0.0f && greatest(a, greatest(b, c)) > 0.0f) return true;
    }
    return false;
}

KERNEL_FN FabricPartHit fabric_ridge_near(PRIVATE const FabricRidge* r, PRIVATE const real3* corner,
                                          real limit) {
    FabricPartHit hit;
    hit.found = false;
    hit.distance = 3e38f;
    hit.normal = hit.weight = hit.point = r->from;
    if (fabric_ridge_through(r, corner, limit, &hit)) return hit;
    real3 weight = fabric_part_weights(corner, r->from);
    fabric_ridge_keep(fabric_part_point(corner, weight), weight, r->from, &hit);
    weight = fabric_part_weights(corner, r->to);
    fabric_ridge_keep(fabric_part_point(corner, weight), weight, r->to, &hit);
    for (u32 k = 0; k < 3; ++k) fabric_ridge_side(r, corner, k, &hit);
    hit.distance = root(hit.distance);
    hit.found = hit.distance <= limit && hit.distance > FABRIC_NOTHING;
    if (!hit.found) return hit;
    hit.normal = hit.normal * (1.0f / hit.distance);
    // it has sunk past the edge, and the triangles beside that go through it: back the shortest way
    real3 out = -(r->beside[0] + r->beside[1]);
    if (dot3(hit.normal, out) < -FABRIC_RIDGE_SUNK * length3(out) && fabric_ridge_straddled(r, corner)) {
        hit.normal = -hit.normal;
        hit.distance = -hit.distance;
    }
    return hit;
}

/// Whether the edge is what the part meets there: not a triangle beside it, nor the back of a surface with one side, nor a vertex of
/// the part, whose own contact does. `line`: the part has its second vertex twice.
KERNEL_FN bool fabric_ridge_counts(PRIVATE const FabricRidge* r, const FabricPartHit hit, bool line) {
    if (hit.distance < 0.0f) return true;
    const real second = line ? hit.weight.y + hit.weight.z : greatest(hit.weight.y, hit.weight.z);
    if (!(greatest(hit.weight.x, second) < FABRIC_RIDGE_AT)) return false;
    return dot3(hit.normal, r->beside[0]) < FABRIC_RIDGE_SLACK &&
           dot3(hit.normal, r->beside[1]) < FABRIC_RIDGE_SLACK &&
           dot3(hit.normal, r->front) > -FABRIC_RIDGE_SLACK;
}

/// across an edge to the corner of its triangle that is farthest from it: vertices at one place may have several numbers
KERNEL_FN real3 fabric_ridge_beside(GLOBAL const u32* m, GLOBAL const u32* triangle, real3 scale,
                                    real3 centre, real3 from, real3 along) {
    const real square = dot3(along, along);
    real3 inwards = make_real3(0.0f, 0.0f, 0.0f);
    real most = -1.0f;
    for (u32 v = 0; v < 3; ++v) {
        real3 off = mesh_corner(m, triangle[v], scale, centre) - from;
        off = off - along * (square > 0.0f ? dot3(off, along) / square : 0.0f);
        const real away = dot3(off, off);
        inwards = away > most ? off : inwards;
        most = greatest(away, most);
    }
    return fabric_unit(inwards, make_real3(0.0f, 0.0f, 0.0f));
}

/// Edge k of a triangle of a mesh, if the mesh turns outwards there: on both sides where it has two. Of the two triangles
/// beside it the first has it.
KERNEL_FN bool fabric_ridge(GLOBAL const u32* m, u32 which, u32 k, real3 scale, real3 centre,
                            PRIVATE FabricRidge* r) {
    GLOBAL const u32* triangle = mesh_triangle(m, which);
    const u32 kind = fabric_edge_kind(triangle, k), other = triangle[4 + k];
    const bool two_sided = m[7] != 0u;
    if (kind == MESH_EDGE_FLAT || (kind == MESH_EDGE_CONCAVE && !two_sided)) return false;
    if (kind != MESH_EDGE_BORDER && other < which) return false;
    r->from = mesh_corner(m, triangle[k], scale, centre);
    r->to = mesh_corner(m, triangle[k < 2 ? k + 1 : 0], scale, centre);
    real3 along = r->to - r->from;
    r->beside[0] = fabric_ridge_beside(m, triangle, scale, centre, r->from, along);
    r->beside[1] = r->beside[0];
    r->front = make_real3(0.0f, 0.0f, 0.0f);
    if (kind != MESH_EDGE_BORDER)
        r->beside[1] = fabric_ridge_beside(m, mesh_triangle(m, other), scale, centre, r->from, along);
    else if (!two_sided)
        r->front = fabric_unit(cross3(along, r->beside[0]), r->front) *
                   (scale.x * scale.y * scale.z < 0.0f ? -1.0f : 1.0f);
    return true;
}
