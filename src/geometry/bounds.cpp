// SPDX-License-Identifier: MIT
// bounds.cpp — see bounds.h.
#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace scree {
namespace {

DVec3 absolute(DVec3 v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

/// How far a disc of the radius, across the unit axis `a`, reaches along each coordinate.
DVec3 rim(double radius, DVec3 a) {
    return {radius * std::sqrt(a.y * a.y + a.z * a.z), radius * std::sqrt(a.z * a.z + a.x * a.x),
            radius * std::sqrt(a.x * a.x + a.y * a.y)};
}

Bounds around(DVec3 half) { return {-half, half}; }

/// Of a geometry that is turned but not moved.
Bounds turned_bounds(const Geometry& geometry, const DQuat& turn) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const DVec3 axis = rotate(turn, DVec3{0, 1, 0});
    return std::visit(
        [&](const auto& shape) -> Bounds {
            using Shape = std::decay_t<decltype(shape)>;
            if constexpr (std::is_same_v<Shape, Sphere>) {
                const double r = shape.radius;
                return around({r, r, r});
            } else if constexpr (std::is_same_v<Shape, Capsule>) {
                const double r = shape.radius;
                return around(absolute(axis) * double{shape.half_height} + DVec3{r, r, r});
            } else if constexpr (std::is_same_v<Shape, Box>) {
                return around(absolute(rotate(turn, DVec3{double{shape.x}, 0, 0})) +
                              absolute(rotate(turn, DVec3{0, double{shape.y}, 0})) +
                              absolute(rotate(turn, DVec3{0, 0, double{shape.z}})));
            } else if constexpr (std::is_same_v<Shape, Cylinder>) {
                return around(absolute(axis) * double{shape.half_height} + rim(shape.radius, axis));
            } else if constexpr (std::is_same_v<Shape, Cone>) {
                const DVec3 tip = axis * double{shape.half_height}, disc = rim(shape.radius, axis);
                return {min(tip, -tip - disc), max(tip, -tip + disc)};
            } else if constexpr (std::is_same_v<Shape, Hull>) {
                Bounds bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
                for (const Vec3& vertex : shape.vertices()) {
                    const DVec3 at = rotate(turn, wide(vertex));
                    bounds.low = min(bounds.low, at);
                    bounds.high = max(bounds.high, at);
                }
                return bounds;
            } else {
                return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
            }
        },
        geometry);
}

} // namespace

bool is_plane(const Geometry& geometry) { return std::holds_alternative<Plane>(geometry); }

Bounds bounds_of(const Geometry& geometry, const Pose& pose) {
    const Bounds turned = turned_bounds(geometry, wide(pose.rotation));
    return {wide(pose.position) + turned.low, wide(pose.position) + turned.high};
}

} // namespace scree
