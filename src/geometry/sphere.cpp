// SPDX-License-Identifier: MIT
// sphere.cpp — the sphere; see shapes.h.
#include "geometry/shape_parts.h"

namespace scree {
namespace {

Bounds bounds(const Sphere& s, const DQuat&) {
    const double r = s.radius;
    return around({r, r, r});
}

MassProperties mass(const Sphere& s, double density) {
    const double r = s.radius, m = density * 4 / 3 * pi * r * r * r, i = 0.4 * m * r * r;
    return round_body(m, 0, i, i);
}

} // namespace

std::optional<RayHit> ray_hit_sphere(DVec3 centre, double radius, const Ray& ray) {
    const DVec3 o = ray.origin - centre;
    const double c = dot(o, o) - radius * radius;
    if (c < 0) return std::nullopt;
    const auto t = roots(dot(ray.direction, ray.direction), dot(o, ray.direction), c);
    if (!t || t->first < 0) return std::nullopt;
    return RayHit{t->first, normalized(o + t->first * ray.direction)};
}

constexpr ShapeKind<Sphere> kind{
    .name = "sphere",
    .sizes = {{"radius", &Sphere::radius, SizePlace::radius}},
    .reach = [](const Sphere& s) { return double{s.radius}; },
    .radius = [](const Sphere& s) { return s.radius; },
    .thickness = [](const Sphere& s) { return s.radius; },
    .bounds = bounds,
    .mass = mass,
    .ray_hit = [](const Sphere& s, const Ray& ray) { return ray_hit_sphere({}, s.radius, ray); }};

const ShapeKind<Sphere>& kind_of(const Sphere&) { return kind; }

} // namespace scree
