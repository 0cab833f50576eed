// SPDX-License-Identifier: MIT
// double_vector.h — vectors and quaternions in double precision, apart from the engine's, to judge it.
#pragma once

#include "scree/vector.h"

#include <array>
#include <cmath>

namespace scree::test {

struct D3 {
    double x = 0, y = 0, z = 0;
};

inline D3 operator+(D3 a, D3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline D3 operator-(D3 a, D3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline D3 operator-(D3 a) { return {-a.x, -a.y, -a.z}; }
inline D3 operator*(double s, D3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline D3& operator+=(D3& a, D3 b) { return a = a + b; }
inline double dot(D3 a, D3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline D3 cross(D3 a, D3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(D3 a) { return std::sqrt(dot(a, a)); }
inline bool is_finite(D3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
inline D3 wide(Vec3 a) { return {a.x, a.y, a.z}; }
inline Vec3 narrow(D3 a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// Scalar first, as everywhere in Scree.
struct DQuat {
    double s = 1, x = 0, y = 0, z = 0;
};

inline DQuat wide(Quat q) { return {q.s, q.x, q.y, q.z}; }
inline Quat narrow(DQuat q) {
    return {static_cast<float>(q.s), static_cast<float>(q.x), static_cast<float>(q.y),
            static_cast<float>(q.z)};
}
inline double norm2(DQuat q) { return q.s * q.s + q.x * q.x + q.y * q.y + q.z * q.z; }
inline DQuat unit(DQuat q) {
    const double n = std::sqrt(norm2(q));
    return {q.s / n, q.x / n, q.y / n, q.z / n};
}
inline DQuat operator*(DQuat a, DQuat b) {
    const D3 u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
    const D3 w = a.s * v + b.s * u + cross(u, v);
    return {a.s * b.s - dot(u, v), w.x, w.y, w.z};
}
inline DQuat turn(D3 axis, double angle) {
    const D3 a = (std::sin(angle / 2) / length(axis)) * axis;
    return {std::cos(angle / 2), a.x, a.y, a.z};
}

/// Rows.
using DMatrix = std::array<D3, 3>;

inline DMatrix matrix(DQuat q) {
    return {D3{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.s * q.z), 2 * (q.x * q.z + q.s * q.y)},
            D3{2 * (q.x * q.y + q.s * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.s * q.x)},
            D3{2 * (q.x * q.z - q.s * q.y), 2 * (q.y * q.z + q.s * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}
inline D3 operator*(const DMatrix& m, D3 v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
inline DMatrix transposed(const DMatrix& m) {
    return {D3{m[0].x, m[1].x, m[2].x}, D3{m[0].y, m[1].y, m[2].y}, D3{m[0].z, m[1].z, m[2].z}};
}

/// R diag(d) R^T v.
inline D3 rotated_diagonal(const DMatrix& r, D3 d, D3 v) {
    const D3 local = transposed(r) * v;
    return r * D3{d.x * local.x, d.y * local.y, d.z * local.z};
}

} // namespace scree::test
