// SPDX-License-Identifier: MIT
// capsule.cpp — the capsule; see shapes.h.
#include "geometry/shape_parts.h"

namespace scree {
namespace {

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

std::optional<RayHit> hit(const Capsule& capsule, const Ray& ray) {
    // the nearest entry of its three parts, unless the ray begins inside one of them
    const double h = capsule.half_height, r = capsule.radius;
    const DVec3 o = ray.origin, onto{0, std::clamp(o.y, -h, h), 0};
    if (length(o - onto) < r) return std::nullopt;
    std::optional<RayHit> best = ray_hit_sphere({0, h, 0}, r, ray);
    for (const auto& other :
         {ray_hit_sphere({0, -h, 0}, r, ray), ray_hit(Cylinder{capsule.half_height, capsule.radius}, ray)})
        if (other && (!best || other->distance < best->distance)) best = other;
    return best;
}

constexpr ShapeKind<Capsule> kind{
    .name = "capsule",
    .sizes = {{"half_height", &Capsule::half_height, SizePlace::y},
              {"radius", &Capsule::radius, SizePlace::radius}},
    .reach = [](const Capsule& c) { return double{c.half_height} + double{c.radius}; },
    .radius = [](const Capsule& c) { return c.half_height + c.radius; },
    .thickness = [](const Capsule& c) { return c.radius; },
    .bounds = bounds,
    .mass = mass,
    .ray_hit = hit};

} // namespace

const ShapeKind<Capsule>& kind_of(const Capsule&) { return kind; }

} // namespace scree
