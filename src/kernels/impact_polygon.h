// SPDX-License-Identifier: MIT
// impact_polygon.h — convex polygons: where they are, whether they overlap, when they meet.   compiles as: host, cuda, opencl, glsl

struct FlatBody_t {
    real x, y, c, s;    // pose: centre, cosine and sine of the angle
    real vx, vy, omega; // velocities
    i32 first, count;   // vertices
    real inv_mass, inv_inertia, radius;
};
typedef struct FlatBody_t FlatBody;

/// body i after a time
KERNEL_FN FlatBody polygon_body(u32 i, real time, ImpactView w) {
    real4 place = load4(w.place, i), motion = load4(w.motion, i), index = load4(w.index, i);
    real angle = motion.x + motion.y * time;
    FlatBody b;
    b.x = place.x + place.z * time;
    b.y = place.y + place.w * time;
    b.c = cosine(angle);
    b.s = sine(angle);
    b.vx = place.z;
    b.vy = place.w;
    b.omega = motion.y;
    b.radius = motion.z;
    b.first = to_whole(index.x);
    b.count = to_whole(index.y);
    b.inv_mass = impact_inverse(index.z);
    b.inv_inertia = impact_inverse(index.w);
    return b;
}

/// vertex k in the frame of its body
KERNEL_FN Flat polygon_vertex(i32 first, i32 k, ImpactView w) {
    real4 two = load4(w.vertex, word_of(first + k / 2));
    return flat2(pick(k % 2 == 0, two.x, two.z), pick(k % 2 == 0, two.y, two.w));
}

KERNEL_FN Flat flat_turned(Flat p, real c, real s) { return flat2(p.x * c - p.y * s, p.x * s + p.y * c); }
/// of the body's frame, in the world
KERNEL_FN Flat polygon_out(Flat p, FlatBody b) {
    Flat r = flat_turned(p, b.c, b.s);
    return flat2(r.x + b.x, r.y + b.y);
}
/// of the world, in the body's frame
KERNEL_FN Flat polygon_in(Flat p, FlatBody b) { return flat_turned(flat2(p.x - b.x, p.y - b.y), b.c, -b.s); }

/// the frame of b seen from a
KERNEL_FN FlatBody polygon_seen(FlatBody b, FlatBody a) {
    Flat at = polygon_in(flat2(b.x, b.y), a);
    FlatBody seen = b;
    seen.x = at.x;
    seen.y = at.y;
    seen.c = a.c * b.c + a.s * b.s;
    seen.s = a.c * b.s - a.s * b.c;
    return seen;
}

/// how far p is on the outer side of the edge from q to r, times its length
KERNEL_FN real flat_outside(Flat p, Flat q, Flat r) {
    return flat_cross(flat_difference(p, q), flat_difference(r, q));
}

/// whether an edge of b has all of a on its outer side
KERNEL_FN mask polygon_parted(FlatBody a, FlatBody b, ImpactView w) {
    FlatBody seen = polygon_seen(b, a);
    Flat q = polygon_out(polygon_vertex(b.first, b.count - 1, w), seen);
    for (i32 k = 0; k < b.count; ++k) {
        Flat r = polygon_out(polygon_vertex(b.first, k, w), seen);
        mask parted = truth(true);
        for (i32 v = 0; v < a.count; ++v)
            if (flat_outside(polygon_vertex(a.first, v, w), q, r) < 0.0f) {
                parted = truth(false);
                break;
            }
        if (any(parted)) return parted;
        q = r;
    }
    return truth(false);
}

/// whether a vertex of a is inside b
KERNEL_FN mask polygon_has_vertex(FlatBody a, FlatBody b, ImpactView w) {
    FlatBody seen = polygon_seen(a, b);
    for (i32 v = 0; v < a.count; ++v) {
        Flat p = polygon_out(polygon_vertex(a.first, v, w), seen);
        mask inside = truth(true);
        Flat q = polygon_vertex(b.first, b.count - 1, w);
        for (i32 k = 0; k < b.count; ++k) {
            Flat r = polygon_vertex(b.first, k, w);
            if (flat_outside(p, q, r) >= 0.0f) {
                inside = truth(false);
                break;
            }
            q = r;
        }
        if (any(inside)) return inside;
    }
    return truth(false);
}

/// Loops rather than calls where it can be: drivers put every call in place, and compile long.
KERNEL_FN mask polygons_overlap(u32 i, u32 j, real time, ImpactView w, ImpactParams p) {
    FlatBody a = polygon_body(i, time, w), b = polygon_body(j, time, w);
    for (i32 side = 0; side < 2; ++side) {
        if (p.by_vertices == 0) {
            if (any(polygon_parted(a, b, w))) return truth(false);
        } else {
            // vertices alone miss shapes that cross, such as a star of two triangles
            if (any(polygon_has_vertex(a, b, w))) return truth(true);
            if (p.one_way != 0) return truth(false); // as printed, both tests are of the same order
        }
        FlatBody other = a;
        a = b;
        b = other;
    }
    return truth(p.by_vertices == 0);
}

/// the box of a body at the end of the step
KERNEL_FN void polygon_box(u32 item, ImpactView w, ImpactParams p) {
    FlatBody b = polygon_body(item, to_real(p.time), w);
    Flat q = polygon_out(polygon_vertex(b.first, 0, w), b);
    real4 box = make_real4(q.x, q.y, q.x, q.y);
    for (i32 k = 1; k < b.count; ++k) {
        q = polygon_out(polygon_vertex(b.first, k, w), b);
        box = make_real4(least(box.x, q.x), least(box.y, q.y), greatest(box.z, q.x), greatest(box.w, q.y));
    }
    store4(w.box, item, box);
}
