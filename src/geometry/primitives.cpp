// SPDX-License-Identifier: MIT
// primitives.cpp — sphere, capsule, box, cylinder, cone and plane; see shapes.h.
#include "geometry/shape_parts.h"
#include "scree/error.h"

namespace scree {

std::optional<RayHit> ray_hit_sphere(DVec3 centre, double radius, const Ray& ray) {
    return host_hit(ray_kernels::ray_sphere(ray_kernels::kernel_vector(centre), radius, kernel_line(ray)));
}

namespace {

// sphere ---------------------------------------------------------------------------------------------------------------

double reach(const Sphere& s) { return double{s.radius}; }
float radius(const Sphere& s) { return s.radius; }
float thickness(const Sphere& s) { return s.radius; }

Bounds bounds(const Sphere& s, const DQuat&) {
    const double r = s.radius;
    return around({r, r, r});
}

MassProperties mass(const Sphere& s, double density) {
    const double r = s.radius, m = density * 4 / 3 * pi * r * r * r, i = 0.4 * m * r * r;
    return round_body(m, 0, i, i);
}

std::optional<RayHit> hit(const Sphere& s, const Ray& ray) { return ray_hit_sphere({}, s.radius, ray); }

NearestPoint nearest(const Sphere& s, const DVec3& p) { return nearest_around({}, s.radius, p); }

// box ------------------------------------------------------------------------------------------------------------------

double reach(const Box& b) { return std::hypot(double{b.x}, double{b.y}, double{b.z}); }
float radius(const Box& b) { return length(Vec3{b.x, b.y, b.z}); }
float thickness(const Box& b) { return std::min({b.x, b.y, b.z}); }

Bounds bounds(const Box& b, const DQuat& turn) {
    return around(absolute(rotate(turn, DVec3{double{b.x}, 0, 0})) +
                  absolute(rotate(turn, DVec3{0, double{b.y}, 0})) +
                  absolute(rotate(turn, DVec3{0, 0, double{b.z}})));
}

MassProperties mass(const Box& b, double density) {
    const double x = b.x, y = b.y, z = b.z, m = density * 8 * x * y * z;
    return mass_properties(
        m, {}, {m / 3 * (y * y + z * z), m / 3 * (x * x + z * z), m / 3 * (x * x + y * y), 0, 0, 0});
}

std::optional<RayHit> hit(const Box& box, const Ray& ray) {
    return host_hit(ray_kernels::ray_box({box.x, box.y, box.z}, kernel_line(ray)));
}

NearestPoint nearest(const Box& b, const DVec3& p) {
    const DVec3 half{b.x, b.y, b.z};
    return nearest_at(max(min(p, half), -half), p);
}

// cylinder -------------------------------------------------------------------------------------------------------------

double reach(const Cylinder& c) { return std::hypot(double{c.half_height}, double{c.radius}); }
float radius(const Cylinder& c) { return rim_distance(c.half_height, c.radius); }
float thickness(const Cylinder& c) { return std::min(c.radius, c.half_height); }

Bounds bounds(const Cylinder& c, const DQuat& turn) {
    const DVec3 axis = turned_axis(turn);
    return around(absolute(axis) * double{c.half_height} + rim(c.radius, axis));
}

MassProperties mass(const Cylinder& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h;
    return round_body(m, 0, m * (3 * r * r + 4 * h * h) / 12, m * r * r / 2);
}

std::optional<RayHit> hit(const Cylinder& c, const Ray& ray) {
    return host_hit(ray_kernels::ray_cylinder(c.half_height, c.radius, kernel_line(ray)));
}

NearestPoint nearest(const Cylinder& c, const DVec3& p) {
    const double h = c.half_height, across = std::hypot(p.x, p.z);
    const double scale = across > c.radius ? c.radius / across : 1;
    return nearest_at({scale * p.x, std::clamp(p.y, -h, h), scale * p.z}, p);
}

// capsule --------------------------------------------------------------------------------------------------------------

double reach(const Capsule& c) { return double{c.half_height} + double{c.radius}; }
float radius(const Capsule& c) { return c.half_height + c.radius; }
float thickness(const Capsule& c) { return c.radius; }

Bounds bounds(const Capsule& c, const DQuat& turn) {
    const double r = c.radius;
    return around(absolute(turned_axis(turn)) * double{c.half_height} + DVec3{r, r, r});
}

MassProperties mass(const Capsule& c, double density) {
    const double r = c.radius, h = c.half_height;
    const double tube = density * pi * r * r * 2 * h, ball = density * 4 / 3 * pi * r * r * r;
    // a hemisphere's centre lies 3/8 r beyond its rim
    const double across = tube * (3 * r * r + 4 * h * h) / 12 + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    return round_body(tube + ball, 0, across, tube * r * r / 2 + ball * 0.4 * r * r);
}

std::optional<RayHit> hit(const Capsule& c, const Ray& ray) {
    return host_hit(ray_kernels::ray_capsule(c.half_height, c.radius, kernel_line(ray)));
}

NearestPoint nearest(const Capsule& c, const DVec3& p) {
    const double h = c.half_height;
    return nearest_around({0, std::clamp(p.y, -h, h), 0}, c.radius, p);
}

// cone -----------------------------------------------------------------------------------------------------------------

double reach(const Cone& c) { return std::hypot(double{c.half_height}, double{c.radius}); }
float radius(const Cone& c) { return rim_distance(c.half_height, c.radius); }
float thickness(const Cone& c) { return std::min(c.radius, c.half_height); }

Bounds bounds(const Cone& c, const DQuat& turn) {
    const DVec3 axis = turned_axis(turn), tip = axis * double{c.half_height}, disc = rim(c.radius, axis);
    return {min(tip, -tip - disc), max(tip, -tip + disc)};
}

MassProperties mass(const Cone& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h / 3;
    return round_body(m, -h / 2, 0.15 * m * (r * r + h * h), 0.3 * m * r * r);
}

std::optional<RayHit> hit(const Cone& c, const Ray& ray) {
    return host_hit(ray_kernels::ray_cone(c.half_height, c.radius, kernel_line(ray)));
}

NearestPoint nearest(const Cone& c, const DVec3& p) {
    const double h = c.half_height, r = c.radius, across = std::hypot(p.x, p.z);
    if (p.y >= -h && 2 * h * across <= r * (h - p.y)) return nearest_at(p, p);
    // in the half plane of the axis and the point: on the base, or on the side from its rim to the tip
    const DVec3 out = across > 0 ? DVec3{p.x / across, 0, p.z / across} : DVec3{1, 0, 0};
    const double along = std::clamp((2 * h * (p.y + h) - r * (across - r)) / (4 * h * h + r * r), 0.0, 1.0);
    const NearestPoint side = nearest_at(out * (r - along * r) + DVec3{0, 2 * h * along - h, 0}, p);
    const NearestPoint base = nearest_at(out * std::min(across, r) + DVec3{0, -h, 0}, p);
    return base.distance < side.distance ? base : side;
}

// plane: the half-space below it ---------------------------------------------------------------------------------------

double reach(const Plane&) { return infinity; }
float radius(const Plane&) { return std::numeric_limits<float>::max(); }
float thickness(const Plane&) { return 0; }

Bounds bounds(const Plane&, const DQuat&) { return around({infinity, infinity, infinity}); }

MassProperties mass(const Plane&, double) {
    throw Error("a plane has no mass; it belongs on fixed bodies", "mass_of");
}

std::optional<RayHit> hit(const Plane&, const Ray& ray) {
    ray_kernels::ConvexShape plane{};
    plane.type = CONVEX_PLANE;
    return host_hit(ray_kernels::ray_convex(plane, kernel_line(ray)));
}

NearestPoint nearest(const Plane&, const DVec3& p) { return nearest_at({p.x, std::min(p.y, 0.0), p.z}, p); }

// their kinds ----------------------------------------------------------------------------------------------------------

template <class Shape>
using Size = typename ShapeKind<Shape>::Size;

/// Of the functions above for this shape.
template <class Shape>
constexpr ShapeKind<Shape> kind(const char* name, Size<Shape> a = {}, Size<Shape> b = {},
                                Size<Shape> c = {}) {
    return {name, {a, b, c}, reach, radius, thickness, bounds, mass, hit, nearest};
}

template <class Round>
constexpr ShapeKind<Round> upright(const char* name) {
    return kind<Round>(name, {"half_height", &Round::half_height, SizePlace::y},
                       {"radius", &Round::radius, SizePlace::radius});
}

constexpr auto sphere = kind<Sphere>("sphere", {"radius", &Sphere::radius, SizePlace::radius});
constexpr auto capsule = upright<Capsule>("capsule");
constexpr auto box = kind<Box>("box", {"x", &Box::x, SizePlace::x}, {"y", &Box::y, SizePlace::y},
                               {"z", &Box::z, SizePlace::z});
constexpr auto cylinder = upright<Cylinder>("cylinder");
constexpr auto cone = upright<Cone>("cone");
constexpr auto plane = kind<Plane>("plane");

} // namespace

const ShapeKind<Sphere>& kind_of(const Sphere&) { return sphere; }
const ShapeKind<Capsule>& kind_of(const Capsule&) { return capsule; }
const ShapeKind<Box>& kind_of(const Box&) { return box; }
const ShapeKind<Cylinder>& kind_of(const Cylinder&) { return cylinder; }
const ShapeKind<Cone>& kind_of(const Cone&) { return cone; }
const ShapeKind<Plane>& kind_of(const Plane&) { return plane; }

} // namespace scree
