// SPDX-License-Identifier: MIT
// box.cpp — the box; see shapes.h.
#include "geometry/shape_parts.h"

namespace scree {
namespace {

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
    RaySpan span;
    span.cut({1, 0, 0}, box.x, ray);
    span.cut({-1, 0, 0}, box.x, ray);
    span.cut({0, 1, 0}, box.y, ray);
    span.cut({0, -1, 0}, box.y, ray);
    span.cut({0, 0, 1}, box.z, ray);
    span.cut({0, 0, -1}, box.z, ray);
    return span.hit();
}

constexpr ShapeKind<Box> kind{
    .name = "box",
    .sizes = {{"x", &Box::x, SizePlace::x}, {"y", &Box::y, SizePlace::y}, {"z", &Box::z, SizePlace::z}},
    .reach = [](const Box& b) { return std::hypot(double{b.x}, double{b.y}, double{b.z}); },
    .radius =
        [](const Box& b) {
            return length(Vec3{b.x, b.y, b.z});
        },
    .thickness =
        [](const Box& b) {
            return std::min({b.x, b.y, b.z});
        },
    .bounds = bounds,
    .mass = mass,
    .ray_hit = hit};

} // namespace

const ShapeKind<Box>& kind_of(const Box&) { return kind; }

} // namespace scree
