// SPDX-License-Identifier: MIT
// cylinder.cpp — the cylinder; see shapes.h.
#include "geometry/shape_parts.h"

namespace scree {
namespace {

Bounds bounds(const Cylinder& c, const DQuat& turn) {
    const DVec3 axis = turned_axis(turn);
    return around(absolute(axis) * double{c.half_height} + rim(c.radius, axis));
}

MassProperties mass(const Cylinder& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h;
    return round_body(m, 0, m * (3 * r * r + 4 * h * h) / 12, m * r * r / 2);
}

/// The mantle, as if it were endless.
bool cut_mantle(RaySpan& span, double radius, const Ray& ray) {
    const DVec3 o = ray.origin, d = ray.direction;
    const double a = d.x * d.x + d.z * d.z, c = o.x * o.x + o.z * o.z - radius * radius;
    if (a < 1e-300) return c <= 0; // along the axis
    const auto t = roots(a, o.x * d.x + o.z * d.z, c);
    if (!t) return false;
    const DVec3 at = ray.at(t->first);
    span.enter_at(t->first, normalized(DVec3{at.x, 0, at.z}));
    span.leave_at(t->second);
    return true;
}

std::optional<RayHit> hit(const Cylinder& cylinder, const Ray& ray) {
    RaySpan span;
    if (!cut_mantle(span, cylinder.radius, ray)) return std::nullopt;
    span.cut({0, 1, 0}, cylinder.half_height, ray);
    span.cut({0, -1, 0}, cylinder.half_height, ray);
    return span.hit();
}

constexpr ShapeKind<Cylinder> kind{
    .name = "cylinder",
    .sizes = {{"half_height", &Cylinder::half_height, SizePlace::y},
              {"radius", &Cylinder::radius, SizePlace::radius}},
    .reach = [](const Cylinder& c) { return std::hypot(double{c.half_height}, double{c.radius}); },
    .radius = [](const Cylinder& c) { return rim_distance(c.half_height, c.radius); },
    .thickness = [](const Cylinder& c) { return std::min(c.radius, c.half_height); },
    .bounds = bounds,
    .mass = mass,
    .ray_hit = hit};

} // namespace

const ShapeKind<Cylinder>& kind_of(const Cylinder&) { return kind; }

} // namespace scree
