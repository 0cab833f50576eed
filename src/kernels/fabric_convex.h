// SPDX-License-Identifier: MIT
// fabric_convex.h — how far a point is from a convex shape, and where it came in.   compiles as: host, cuda
//
// All in the shape's frame. Distances are exact outside; inside, the normal is the shortest way out. Where that is not unique
// (the centre of a sphere, an axis, the middle of a box), it is the way to where the point was before.
//
// Include it after convex_all.h.

#define FABRIC_FAR 1e9f       // m: squares of squares are finite
#define FABRIC_NOTHING 1e-18f // shorter vectors have no direction: their squares lose bits
#define FABRIC_NOISE 1e-5f    // of an edge: what is this close to it takes the normal of a face
#define FABRIC_TOUCH 5e-7f    // of the coordinates: rounding of points on a segment
#define FABRIC_LOOKS 32       // Newton steps along a segment

struct FabricHit_t {
    real3 point;   // on the surface
    real3 normal;  // unit, out of the shape
    real distance; // from there along the normal; below 0: inside
    u32 part;      // the triangle's number; 0 for other shapes
};
typedef struct FabricHit_t FabricHit;

KERNEL_FN FabricHit fabric_hit(real3 point, real3 normal, real distance) {
    FabricHit hit;
    hit.point = point;
    hit.normal = normal;
    hit.distance = distance;
    hit.part = 0;
    return hit;
}

/// as unit3, and unit to rounding however short a is
KERNEL_FN real3 fabric_unit(real3 a, real3 otherwise) {
    real length = length3(a);
    return length > FABRIC_NOTHING ? a * (1.0f / length) : otherwise;
}
/// away from the y axis
KERNEL_FN real3 fabric_radial(real3 p, real3 before) {
    real3 otherwise = fabric_unit(make_real3(before.x, 0.0f, before.z), make_real3(1.0f, 0.0f, 0.0f));
    return fabric_unit(make_real3(p.x, 0.0f, p.z), otherwise);
}
/// -1 or 1
KERNEL_FN real fabric_side(real at, real before) {
    return at < 0.0f || (!(at > 0.0f) && before < 0.0f) ? -1.0f : 1.0f;
}
KERNEL_FN real3 fabric_within(real3 p, real3 half) {
    return make_real3(clamped(p.x, -half.x, half.x), clamped(p.y, -half.y, half.y),
                      clamped(p.z, -half.z, half.z));
}
KERNEL_FN real fabric_extent(real3 p) {
    return greatest(greatest(magnitude(p.x), magnitude(p.y)), magnitude(p.z));
}

// shapes ---------------------------------------------------------------------------------------------------------------

KERNEL_FN FabricHit fabric_sphere(real radius, real3 p, real3 before) {
    real3 n = fabric_unit(p, fabric_unit(before, make_real3(0.0f, 1.0f, 0.0f)));
    return fabric_hit(n * radius, n, length3(p) - radius);
}

KERNEL_FN FabricHit fabric_capsule(real half, real radius, real3 p, real3 before) {
    real3 core = make_real3(0.0f, clamped(p.y, -half, half), 0.0f);
    real3 n = fabric_unit(p - core, fabric_radial(p, before));
    return fabric_hit(core + n * radius, n, length3(p - core) - radius);
}

KERNEL_FN FabricHit fabric_box(real3 half, real3 p, real3 before) {
    real3 q = fabric_within(p, half);
    real3 off = p - q;
    real distance = length3(off);
    if (distance > FABRIC_NOTHING) return fabric_hit(q, off * (1.0f / distance), distance);
    real x = half.x - magnitude(q.x), y = half.y - magnitude(q.y), z = half.z - magnitude(q.z);
    real3 n = make_real3(0.0f, 0.0f, 0.0f);
    if (x <= y && x <= z) {
        n.x = fabric_side(q.x, before.x);
        q.x = half.x * n.x;
        return fabric_hit(q, n, -x);
    }
    if (y <= z) {
        n.y = fabric_side(q.y, before.y);
        q.y = half.y * n.y;
        return fabric_hit(q, n, -y);
    }
    n.z = fabric_side(q.z, before.z);
    q.z = half.z * n.z;
    return fabric_hit(q, n, -z);
}

KERNEL_FN FabricHit fabric_cylinder(real half, real radius, real3 p, real3 before) {
    real across = root(p.x * p.x + p.z * p.z);
    real3 out = fabric_radial(p, before);
    real up = fabric_side(p.y, before.y);
    real beside = across - radius, above = magnitude(p.y) - half;
    real3 end = make_real3(0.0f, up, 0.0f);
    if (beside <= 0.0f && (above > 0.0f || above >= beside))
        return fabric_hit(make_real3(p.x, half * up, p.z), end, above);
    if (above <= 0.0f) {
        real3 q = out * radius;
        q.y = p.y;
        return fabric_hit(q, out, beside);
    }
    real3 q = out * radius + end * half;
    return fabric_hit(q, fabric_unit(out * beside + end * above, end), root(beside * beside + above * above));
}

/// in the half plane of the axis and the point: the base, and the slope from the rim to the tip
KERNEL_FN FabricHit fabric_cone(real half, real radius, real3 p, real3 before) {
    real across = root(p.x * p.x + p.z * p.z);
    real3 out = fabric_radial(p, before), up = make_real3(0.0f, 1.0f, 0.0f);
    real slant = root(4.0f * half * half + radius * radius);
    real sine = radius / slant, cosine = 2.0f * half / slant; // of half the angle at the tip
    real below_tip = half - p.y;
    real slope = across * cosine - below_tip * sine; // from the slope
    real along = across * sine + below_tip * cosine; // from the tip
    real below = -half - p.y;
    if (slope <= 0.0f && below <= 0.0f) {
        if (below >= slope) return fabric_hit(make_real3(p.x, -half, p.z), -up, below);
        return fabric_hit(p - (out * cosine + up * sine) * slope, out * cosine + up * sine, slope);
    }
    if (below > 0.0f && across <= radius) return fabric_hit(make_real3(p.x, -half, p.z), -up, below);
    if (slope > 0.0f && along >= 0.0f && along <= slant)
        return fabric_hit(p - (out * cosine + up * sine) * slope, out * cosine + up * sine, slope);
    const bool tip = along < 0.0f;
    real3 q = tip ? up * half : out * radius - up * half;
    real3 off = tip ? out * across - up * below_tip : out * (across - radius) - up * below;
    return fabric_hit(q, fabric_unit(off, out * cosine + up * sine), length3(off));
}

/// Nearest to the origin on the segment from a to a + edge; `share`: of the edge, not clamped. Upright on the edge to the last bit:
/// that is where the normal comes from.
KERNEL_FN real3 fabric_on_edge(real3 a, real3 edge, PRIVATE real* share) {
    real square = dot3(edge, edge);
    real scale = square > 0.0f ? 1.0f / square : 0.0f;
    real t = -dot3(a, edge) * scale;
    real3 q = a + edge * clamped(t, 0.0f, 1.0f);
    if (t > 0.0f && t < 1.0f) q = q - edge * (dot3(q, edge) * scale);
    *share = t;
    return q;
}

struct FabricNear_t {
    real square;  // of the distance
    real3 edge;   // that it is on
    real3 offset; // from the point
};
typedef struct FabricNear_t FabricNear;

/// Whether the point is above the face; otherwise its edges may be nearer than what was found.
KERNEL_FN bool fabric_above_face(GLOBAL const u32* h, u32 face, real3 normal, real3 p,
                                 PRIVATE FabricNear* found) {
    u32 starts = hull_face_starts(h), numbers = starts + h[1] + 1;
    u32 begin = h[starts + face], end = h[starts + face + 1];
    bool above = true;
    real3 from = hull_vertex(h, h[numbers + end - 1]) - p;
    for (u32 k = begin; k < end; ++k) {
        real3 to = hull_vertex(h, h[numbers + k]) - p;
        real3 edge = to - from;
        if (dot3(cross3(edge, normal), from) < 0.0f) { // the point lies beyond this edge
            above = false;
            real share;
            real3 q = fabric_on_edge(from, edge, &share);
            real square = dot3(q, q);
            if (square < found->square) {
                found->square = square;
                found->edge = edge;
                found->offset = q;
            }
        }
        from = to;
    }
    return above;
}

KERNEL_FN FabricHit fabric_face_hit(real4 plane, real3 p) {
    real3 n = make_real3(plane.x, plane.y, plane.z);
    real distance = dot3(n, p) - plane.w;
    return fabric_hit(p - n * distance, n, distance);
}

/// the face whose plane the point is farthest above
KERNEL_FN u32 fabric_hull_face(GLOBAL const u32* h, real3 p) {
    u32 top = 0;
    real most = -3e38f;
    for (u32 f = 0; f < h[1]; ++f) {
        real4 plane = hull_plane(h, f);
        real height = dot3(make_real3(plane.x, plane.y, plane.z), p) - plane.w;
        top = height > most ? f : top;
        most = height > most ? height : most;
    }
    return top;
}

/// `top`: fabric_hull_face of the point
KERNEL_FN FabricHit fabric_hull(GLOBAL const u32* h, u32 top, real3 p) {
    FabricHit hit = fabric_face_hit(hull_plane(h, top), p);
    if (!(hit.distance > 0.0f)) return hit;
    // The nearest point is on a face that the point is in front of. Above a face it is there: no other is nearer.
    FabricNear found;
    found.square = 3e38f;
    found.edge = found.offset = make_real3(0.0f, 0.0f, 0.0f);
    if (fabric_above_face(h, top, hit.normal, p, &found)) return hit;
    for (u32 f = 0; f < h[1]; ++f) {
        FabricHit other = fabric_face_hit(hull_plane(h, f), p);
        if (f == top || !(other.distance > 0.0f)) continue;
        if (!(other.distance * other.distance < found.square)) continue;
        if (fabric_above_face(h, f, other.normal, p, &found)) return other;
    }
    // all edges of a face seemed to have the point inside, by rounding
    if (!(found.square < 3e38f)) return hit;
    hit.distance = root(found.square);
    hit.point = p + found.offset;
    if (found.square > FABRIC_NOISE * FABRIC_NOISE * dot3(found.edge, found.edge))
        hit.normal = fabric_unit(-found.offset, hit.normal);
    return hit;
}

/// The signed distance of p from a shape that is no mesh.
KERNEL_FN FabricHit fabric_convex(const ConvexShape shape, real3 p, real3 before) {
    if (shape.type == CONVEX_SPHERE) return fabric_sphere(shape.radius, p, before);
    if (shape.type == CONVEX_CAPSULE) return fabric_capsule(shape.size.y, shape.radius, p, before);
    if (shape.type == CONVEX_BOX) return fabric_box(shape.size, p, before);
    if (shape.type == CONVEX_CYLINDER) return fabric_cylinder(shape.size.y, shape.radius, p, before);
    if (shape.type == CONVEX_CONE) return fabric_cone(shape.size.y, shape.radius, p, before);
    if (shape.type == CONVEX_HULL) return fabric_hull(shape.hull, fabric_hull_face(shape.hull, p), p);
    return fabric_hit(make_real3(p.x, 0.0f, p.z), make_real3(0.0f, 1.0f, 0.0f), p.y);
}

// segments -------------------------------------------------------------------------------------------------------------

/// Where a segment that begins outside enters the shape, to FABRIC_TOUCH; the distance is that of `to` from the tangent plane
/// there. Along a line the distance is a convex function, so Newton's method never passes the first root.
KERNEL_FN bool fabric_segment(const ConvexShape shape, real3 from, real3 to, PRIVATE FabricHit* out) {
    real3 way = to - from;
    real near_enough = FABRIC_TOUCH * (fabric_extent(from) + fabric_extent(to));
    real t = 0.0f;
    for (u32 look = 0; look < FABRIC_LOOKS; ++look) {
        FabricHit hit = fabric_convex(shape, from + way * t, from);
        real speed = dot3(hit.normal, way);
        if (!(speed < 0.0f)) return false;
        if (!(hit.distance > near_enough)) {
            hit.distance = dot3(hit.normal, to - hit.point);
            *out = hit;
            return true;
        }
        t = t - hit.distance / speed;
        if (!(t <= 1.0f)) return false;
    }
    return false;
}
