// SPDX-License-Identifier: MIT
// space.h — vectors, rotations and rays in double precision, for what the viewer computes beside the physics.
#pragma once

#include "scree/vector.h"

#include <array>
#include <cmath>

namespace scree::view {

constexpr double pi = 3.14159265358979323846;

struct Double3 {
    double x = 0, y = 0, z = 0;
    friend bool operator==(const Double3&, const Double3&) = default;
};

inline Double3 operator+(Double3 a, Double3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Double3 operator-(Double3 a) { return {-a.x, -a.y, -a.z}; }
inline Double3 operator*(double s, Double3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Double3 cross(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Double3 a) { return std::sqrt(dot(a, a)); }
/// Zero stays zero.
inline Double3 unit(Double3 a) {
    const double l = length(a);
    return l > 0 ? (1 / l) * a : a;
}
inline Double3 wide(Vec3 a) { return {a.x, a.y, a.z}; }
inline Vec3 narrow(Double3 a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
inline bool finite(Double3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// v turned by q, a unit quaternion.
inline Double3 rotated(const Quat& q, Double3 v) {
    const Double3 u{q.x, q.y, q.z};
    const Double3 t = 2.0 * cross(u, v);
    return v + double{q.s} * t + cross(u, t);
}
inline Quat inverse(const Quat& q) { return {q.s, -q.x, -q.y, -q.z}; }
inline Double3 rotated_back(const Quat& q, Double3 v) { return rotated(inverse(q), v); }
/// First b, then a.
inline Quat times(const Quat& a, const Quat& b) {
    return {a.s * b.s - a.x * b.x - a.y * b.y - a.z * b.z, a.s * b.x + a.x * b.s + a.y * b.z - a.z * b.y,
            a.s * b.y - a.x * b.z + a.y * b.s + a.z * b.x, a.s * b.z + a.x * b.y - a.y * b.x + a.z * b.s};
}

/// Where a frame lies in another.
struct Pose {
    Vec3 position{};
    Quat rotation{};
    friend bool operator==(const Pose&, const Pose&) = default;
};
inline Double3 to_world(const Pose& pose, Double3 v) {
    return wide(pose.position) + rotated(pose.rotation, v);
}
inline Double3 to_local(const Pose& pose, Double3 v) {
    return rotated_back(pose.rotation, v - wide(pose.position));
}

struct Ray {
    Double3 origin, direction; ///< direction of length 1
    Double3 at(double distance) const { return origin + distance * direction; }
};

/// Column by column, as OpenGL reads it.
using Matrix = std::array<double, 16>;
inline Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return c;
}

} // namespace scree::view
