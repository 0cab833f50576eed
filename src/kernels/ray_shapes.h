// SPDX-License-Identifier: MIT
// ray_shapes.h — where a ray enters a shape, in the shape's frame.   compiles as: host, cuda, in double precision (dialect_double.h)
//
// Include it after convex_support.h. Directions are unit vectors; a ray that begins inside a solid enters nothing.

#define RAY_FAR 1e300

struct RayLine_t {
    real3 origin, direction;
};
typedef struct RayLine_t RayLine;

struct RayEntry_t {
    bool found;
    real distance;
    real3 normal; // unit, against the ray
    u32 part;     // triangle of a mesh
};
typedef struct RayEntry_t RayEntry;

KERNEL_FN RayEntry no_entry() { return {false, 0, {0, 0, 0}, 0}; }
KERNEL_FN real3 ray_at(RayLine ray, real distance) { return ray.origin + ray.direction * distance; }
KERNEL_FN real3 ray_unit(real3 v) {
    real size = length3(v);
    return size > 0 ? v * (1 / size) : v;
}

/// Roots of a t^2 + 2 b t + c, smaller first, without cancellation; false when there are none.
KERNEL_FN bool ray_roots(real a, real b, real c, PRIVATE real* first, PRIVATE real* second) {
    real d = b * b - a * c;
    if (!(d >= 0) || a == 0) return false;
    real q = b < 0 ? root(d) - b : -(b + root(d));
    real x = q / a, y = q != 0 ? c / q : x;
    *first = least(x, y);
    *second = greatest(x, y);
    return true;
}

// convex shapes: the part of the ray inside, bounded by one surface after another ------------------------------------------

struct RaySpan_t {
    real enter, leave;
    real3 normal;
};
typedef struct RaySpan_t RaySpan;

KERNEL_FN RaySpan span_begin() { return {-RAY_FAR, RAY_FAR, {0, 0, 0}}; }
KERNEL_FN void span_enter(PRIVATE RaySpan* s, real distance, real3 outward) {
    if (distance > s->enter) s->enter = distance, s->normal = outward;
}
/// keeps what lies where dot(outward, x) <= offset
KERNEL_FN void span_cut(PRIVATE RaySpan* s, real3 outward, real offset, RayLine ray) {
    real speed = dot3(outward, ray.direction), gap = offset - dot3(outward, ray.origin);
    if (speed < 0) span_enter(s, gap / speed, outward);
    else if (speed > 0) s->leave = least(s->leave, gap / speed);
    else if (gap < 0) s->leave = -RAY_FAR;
}
KERNEL_FN RayEntry span_entry(RaySpan s) {
    if (!(s.enter <= s.leave) || s.enter < 0) return no_entry();
    return {true, s.enter, s.normal, 0};
}

KERNEL_FN RayEntry ray_sphere(real3 centre, real radius, RayLine ray) {
    real3 o = ray.origin - centre;
    real c = dot3(o, o) - radius * radius, first, second;
    if (c < 0 || !ray_roots(dot3(ray.direction, ray.direction), dot3(o, ray.direction), c, &first, &second) ||
        first < 0)
        return no_entry();
    return {true, first, ray_unit(o + ray.direction * first), 0};
}

KERNEL_FN RayEntry ray_box(real3 half, RayLine ray) {
    RaySpan span = span_begin();
    span_cut(&span, make_real3(1, 0, 0), half.x, ray);
    span_cut(&span, make_real3(-1, 0, 0), half.x, ray);
    span_cut(&span, make_real3(0, 1, 0), half.y, ray);
    span_cut(&span, make_real3(0, -1, 0), half.y, ray);
    span_cut(&span, make_real3(0, 0, 1), half.z, ray);
    span_cut(&span, make_real3(0, 0, -1), half.z, ray);
    return span_entry(span);
}

KERNEL_FN RayEntry ray_cylinder(real half_height, real radius, RayLine ray) {
    RaySpan span = span_begin();
    // the mantle, as if it were endless
    real3 o = ray.origin, d = ray.direction;
    real a = d.x * d.x + d.z * d.z, c = o.x * o.x + o.z * o.z - radius * radius;
    if (a < 1e-300) {
        if (c > 0) return no_entry(); // along the axis
    } else {
        real first, second;
        if (!ray_roots(a, o.x * d.x + o.z * d.z, c, &first, &second)) return no_entry();
        real3 at = ray_at(ray, first);
        span_enter(&span, first, ray_unit(make_real3(at.x, 0, at.z)));
        span.leave = least(span.leave, second);
    }
    span_cut(&span, make_real3(0, 1, 0), half_height, ray);
    span_cut(&span, make_real3(0, -1, 0), half_height, ray);
    return span_entry(span);
}

/// The nearest entry of its three parts, unless the ray begins inside one of them.
KERNEL_FN RayEntry ray_capsule(real half_height, real radius, RayLine ray) {
    real3 onto = make_real3(0, clamped(ray.origin.y, -half_height, half_height), 0);
    if (length3(ray.origin - onto) < radius) return no_entry();
    RayEntry best = ray_sphere(make_real3(0, half_height, 0), radius, ray);
    RayEntry other = ray_sphere(make_real3(0, -half_height, 0), radius, ray);
    if (other.found && (!best.found || other.distance < best.distance)) best = other;
    other = ray_cylinder(half_height, radius, ray);
    if (other.found && (!best.found || other.distance < best.distance)) best = other;
    return best;
}

KERNEL_FN void cone_offer(PRIVATE RayEntry* best, real t, real3 normal, real3 direction) {
    if (t >= 0 && dot3(normal, direction) < 0 && (!best->found || t < best->distance))
        *best = {true, t, ray_unit(normal), 0};
}
KERNEL_FN void cone_side(PRIVATE RayEntry* best, real t, real h, real k, RayLine ray) {
    real3 at = ray_at(ray, t);
    if (at.y <= h && at.y >= -h)
        cone_offer(best, t, make_real3(at.x, k * k * (h - at.y), at.z), ray.direction);
}
/// x^2 + z^2 = k^2 (h - y)^2 for y <= h, and the base at -h.
KERNEL_FN RayEntry ray_cone(real h, real radius, RayLine ray) {
    real k = radius / (2 * h);
    real3 o = ray.origin, d = ray.direction;
    RayEntry best = no_entry();
    if (d.y > 0) {
        real t = (-h - o.y) / d.y;
        real3 at = ray_at(ray, t);
        if (at.x * at.x + at.z * at.z <= radius * radius) cone_offer(&best, t, make_real3(0, -1, 0), d);
    }
    real w = h - o.y;
    real a = d.x * d.x + d.z * d.z - k * k * d.y * d.y, b = o.x * d.x + o.z * d.z + k * k * w * d.y,
         c = o.x * o.x + o.z * o.z - k * k * w * w;
    real first, second;
    if (ray_roots(a, b, c, &first, &second)) {
        cone_side(&best, first, h, k, ray);
        cone_side(&best, second, h, k, ray);
    } else if (a == 0 && b != 0) {
        cone_side(&best, -c / (2 * b), h, k, ray);
    }
    return best;
}

/// Newell's normal: right for any polygon, however thin its corners. Face f has the vertices first … end - 1 of the list.
KERNEL_FN real3 hull_face_normal(GLOBAL const u32* h, u32 f, PRIVATE u32* corner) {
    GLOBAL const u32* starts = h + hull_face_starts(h);
    GLOBAL const u32* list = starts + h[1] + 1;
    u32 first = starts[f], end = starts[f + 1];
    real3 normal = make_real3(0, 0, 0);
    for (u32 i = first; i < end; ++i)
        normal = normal + cross3(hull_vertex(h, list[i]), hull_vertex(h, list[i + 1 < end ? i + 1 : first]));
    *corner = list[first];
    return ray_unit(normal);
}

KERNEL_FN RayEntry ray_hull(GLOBAL const u32* h, RayLine ray) {
    RaySpan span = span_begin();
    for (u32 f = 0; f < h[1]; ++f) {
        u32 corner;
        real3 normal = hull_face_normal(h, f, &corner);
        span_cut(&span, normal, dot3(normal, hull_vertex(h, corner)), ray);
    }
    return span_entry(span);
}

KERNEL_FN RayEntry ray_convex(ConvexShape s, RayLine ray) {
    if (s.type == CONVEX_SPHERE) return ray_sphere(make_real3(0, 0, 0), s.radius, ray);
    if (s.type == CONVEX_CAPSULE) return ray_capsule(s.size.y, s.radius, ray);
    if (s.type == CONVEX_BOX) return ray_box(s.size, ray);
    if (s.type == CONVEX_CYLINDER) return ray_cylinder(s.size.y, s.radius, ray);
    if (s.type == CONVEX_CONE) return ray_cone(s.size.y, s.radius, ray);
    if (s.type == CONVEX_HULL) return ray_hull(s.hull, ray);
    RaySpan span = span_begin();
    if (s.type == CONVEX_PLANE) span_cut(&span, make_real3(0, 1, 0), 0, ray);
    return span_entry(span);
}

/// Whether a point lies in a solid.
KERNEL_FN bool convex_contains(ConvexShape s, real3 p) {
    real across = root(p.x * p.x + p.z * p.z);
    if (s.type == CONVEX_SPHERE) return length3(p) <= s.radius;
    if (s.type == CONVEX_CAPSULE)
        return length3(p - make_real3(0, clamped(p.y, -s.size.y, s.size.y), 0)) <= s.radius;
    if (s.type == CONVEX_BOX)
        return magnitude(p.x) <= s.size.x && magnitude(p.y) <= s.size.y && magnitude(p.z) <= s.size.z;
    if (s.type == CONVEX_CYLINDER) return across <= s.radius && magnitude(p.y) <= s.size.y;
    if (s.type == CONVEX_CONE)
        return p.y >= -s.size.y && 2 * s.size.y * across <= s.radius * (s.size.y - p.y);
    if (s.type == CONVEX_PLANE) return p.y <= 0;
    if (s.type != CONVEX_HULL) return false;
    for (u32 f = 0; f < s.hull[1]; ++f) {
        u32 corner;
        real3 normal = hull_face_normal(s.hull, f, &corner);
        if (dot3(normal, p - hull_vertex(s.hull, corner)) > 0) return false;
    }
    return true;
}

// triangles ------------------------------------------------------------------------------------------------------------

/// A ray as triangles see it, watertight (Woop, Benthin and Wald 2013): neighbours compute the same bits for the edge they share.
struct RayShear_t {
    u32 x, y, z; // axes; z: the longest of the direction
    real sx, sy; // shear along z
    real along;  // the direction's z
};
typedef struct RayShear_t RayShear;

KERNEL_FN real axis_of(real3 v, u32 axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

KERNEL_FN RayShear shear_of(real3 direction) {
    real3 m = make_real3(magnitude(direction.x), magnitude(direction.y), magnitude(direction.z));
    RayShear s;
    s.z = m.x >= m.y && m.x >= m.z ? 0 : m.y >= m.z ? 1 : 2;
    s.x = s.z == 2 ? 0 : s.z + 1;
    s.y = s.x == 2 ? 0 : s.x + 1;
    s.along = axis_of(direction, s.z);
    s.sx = axis_of(direction, s.x) / s.along;
    s.sy = axis_of(direction, s.y) / s.along;
    return s;
}

/// Where the line meets a triangle, whose corners a, b, c are given from the ray's origin by the axes of the shear: the distance,
/// less than 0 where it does not, NaN where it lies in the triangle. `behind`: positive where the ray comes from behind.
/// R: real, or a vector of them for as many triangles.
template <class R>
KERNEL_FN void shear_meet(real sx, real sy, real along, const R* a, const R* b, const R* c, R* distance,
                          R* behind) {
    const R ax = a[0] - sx * a[2], ay = a[1] - sy * a[2], bx = b[0] - sx * b[2], by = b[1] - sy * b[2],
            cx = c[0] - sx * c[2], cy = c[1] - sy * c[2];
    const R u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    const R low_uv = u < v ? u : v, high_uv = u > v ? u : v;
    const R lowest = low_uv < w ? low_uv : w, highest = high_uv > w ? high_uv : w;
    const R scaled = (u + v + w) * along, none = u * 0.0 - 1.0;
    const R far = (u * a[2] + v * b[2] + w * c[2]) / scaled;
    *behind = -scaled;
    // on one side of all three edges
    const R crossed = lowest < 0.0 ? none : far;
    *distance = highest > 0.0 ? crossed : far;
}

/// The normal of a triangle's front.
KERNEL_FN real3 triangle_front(real3 a, real3 b, real3 c) { return ray_unit(cross3(b - a, c - a)); }
