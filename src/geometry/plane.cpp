// SPDX-License-Identifier: MIT
// plane.cpp — the half-space below a plane; see shapes.h.
#include "geometry/shape_parts.h"
#include "scree/error.h"

namespace scree {
namespace {

Bounds bounds(const Plane&, const DQuat&) { return around({infinity, infinity, infinity}); }

MassProperties mass(const Plane&, double) {
    throw Error("a plane has no mass; it belongs on fixed bodies", "mass_of");
}

std::optional<RayHit> hit(const Plane&, const Ray& ray) {
    RaySpan span;
    span.cut({0, 1, 0}, 0, ray);
    return span.hit();
}

constexpr ShapeKind<Plane> kind{.name = "plane",
                                .sizes = {},
                                .reach = [](const Plane&) { return infinity; },
                                .radius = [](const Plane&) { return std::numeric_limits<float>::max(); },
                                .thickness = [](const Plane&) { return 0.0f; },
                                .bounds = bounds,
                                .mass = mass,
                                .ray_hit = hit};

} // namespace

const ShapeKind<Plane>& kind_of(const Plane&) { return kind; }

} // namespace scree
