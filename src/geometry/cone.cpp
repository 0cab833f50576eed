// SPDX-License-Identifier: MIT
// cone.cpp — the cone; see shapes.h.
#include "geometry/shape_parts.h"

namespace scree {
namespace {

Bounds bounds(const Cone& c, const DQuat& turn) {
    const DVec3 axis = turned_axis(turn), tip = axis * double{c.half_height}, disc = rim(c.radius, axis);
    return {min(tip, -tip - disc), max(tip, -tip + disc)};
}

MassProperties mass(const Cone& c, double density) {
    const double r = c.radius, h = c.half_height, m = density * pi * r * r * 2 * h / 3;
    return round_body(m, -h / 2, 0.15 * m * (r * r + h * h), 0.3 * m * r * r);
}

std::optional<RayHit> hit(const Cone& cone, const Ray& ray) {
    // x² + z² = k² (h - y)² for y <= h, and the base at -h
    const double h = cone.half_height, k = cone.radius / (2 * h);
    const DVec3 o = ray.origin, d = ray.direction;
    std::optional<RayHit> best;
    const auto offer = [&](double t, DVec3 normal) {
        if (t >= 0 && dot(normal, d) < 0 && (!best || t < best->distance))
            best = RayHit{t, normalized(normal)};
    };
    if (d.y > 0) {
        const double t = (-h - o.y) / d.y;
        const DVec3 at = ray.at(t);
        if (at.x * at.x + at.z * at.z <= double{cone.radius} * cone.radius) offer(t, {0, -1, 0});
    }
    const double w = h - o.y;
    const double a = d.x * d.x + d.z * d.z - k * k * d.y * d.y, b = o.x * d.x + o.z * d.z + k * k * w * d.y,
                 c = o.x * o.x + o.z * o.z - k * k * w * w;
    const auto side = [&](double t) {
        const DVec3 at = ray.at(t);
        if (at.y <= h && at.y >= -h) offer(t, {at.x, k * k * (h - at.y), at.z});
    };
    if (const auto t = roots(a, b, c)) {
        side(t->first);
        side(t->second);
    } else if (a == 0 && b != 0) {
        side(-c / (2 * b));
    }
    return best;
}

constexpr ShapeKind<Cone> kind{
    .name = "cone",
    .sizes = {{"half_height", &Cone::half_height, SizePlace::y},
              {"radius", &Cone::radius, SizePlace::radius}},
    .reach = [](const Cone& c) { return std::hypot(double{c.half_height}, double{c.radius}); },
    .radius = [](const Cone& c) { return rim_distance(c.half_height, c.radius); },
    .thickness = [](const Cone& c) { return std::min(c.radius, c.half_height); },
    .bounds = bounds,
    .mass = mass,
    .ray_hit = hit};

} // namespace

const ShapeKind<Cone>& kind_of(const Cone&) { return kind; }

} // namespace scree
