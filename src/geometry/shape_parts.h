// SPDX-License-Identifier: MIT
// shape_parts.h — what several shapes are computed with: extents, parts of rays, moments.
#pragma once

#include "geometry/shapes.h"
#include "kernels/host_rays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {

constexpr double infinity = std::numeric_limits<double>::infinity();

// bounds ---------------------------------------------------------------------------------------------------------------

inline DVec3 absolute(DVec3 v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

inline Bounds around(DVec3 half) { return {-half, half}; }

/// How far a disc of the radius, across the unit axis `a`, reaches along each coordinate.
inline DVec3 rim(double radius, DVec3 a) {
    return {radius * std::sqrt(a.y * a.y + a.z * a.z), radius * std::sqrt(a.z * a.z + a.x * a.x),
            radius * std::sqrt(a.x * a.x + a.y * a.y)};
}

/// From the middle of a cylinder or cone to its rim, as the kernels round it.
inline float rim_distance(float half_height, float radius) {
    return std::sqrt(half_height * half_height + radius * radius);
}

/// Where the shape's axis points.
inline DVec3 turned_axis(const DQuat& turn) { return rotate(turn, DVec3{0, 1, 0}); }

// rays -----------------------------------------------------------------------------------------------------------------

inline ray_kernels::RayLine kernel_line(const Ray& ray) {
    return {ray_kernels::kernel_vector(ray.origin), ray_kernels::kernel_vector(ray.direction)};
}

inline std::optional<RayHit> host_hit(const ray_kernels::RayEntry& entry) {
    if (!entry.found) return std::nullopt;
    return RayHit{entry.distance, ray_kernels::host_vector(entry.normal), entry.part};
}

// nearest points -------------------------------------------------------------------------------------------------------

/// The solid's point nearest to p is q.
inline NearestPoint nearest_at(const DVec3& q, const DVec3& p) { return {q, length(p - q), q == p}; }
/// Of a ball.
inline NearestPoint nearest_around(const DVec3& centre, double radius, const DVec3& p) {
    const double far = length(p - centre);
    return far <= radius ? NearestPoint{p, 0, true}
                         : NearestPoint{centre + (p - centre) * (radius / far), far - radius, false};
}
/// Of the segment from a to b.
inline DVec3 nearest_between(const DVec3& a, const DVec3& b, const DVec3& p) {
    const DVec3 ab = b - a;
    const double square = dot(ab, ab);
    return square > 0 ? a + ab * std::clamp(dot(p - a, ab) / square, 0.0, 1.0) : a;
}

// mass -----------------------------------------------------------------------------------------------------------------

constexpr double pi = 3.14159265358979323846;

/// xx yy zz xy xz yz
using Symmetric = std::array<double, 6>;

inline MassProperties mass_properties(double mass, DVec3 centre, const Symmetric& i) {
    return {static_cast<float>(mass), narrow(centre), narrow(DVec3{i[0], i[1], i[2]}),
            narrow(DVec3{i[3], i[4], i[5]})};
}

/// A body of revolution about y.
inline MassProperties round_body(double mass, double height, double across, double along) {
    return mass_properties(mass, {0, height, 0}, {across, along, across, 0, 0, 0});
}

} // namespace scree
