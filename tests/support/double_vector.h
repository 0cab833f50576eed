// SPDX-License-Identifier: MIT
// double_vector.h — rotations and matrices in double precision, to judge the engine's.
#pragma once

#include "scree/math.h"

#include <array>
#include <cmath>

namespace scree::test {

inline double norm2(DQuat q) { return q.s * q.s + q.x * q.x + q.y * q.y + q.z * q.z; }
inline DQuat turn(DVec3 axis, double angle) { return rotation_about(axis, angle); }

/// Rows.
using DMatrix = std::array<DVec3, 3>;

inline DMatrix matrix(DQuat q) {
    return {DVec3{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.s * q.z), 2 * (q.x * q.z + q.s * q.y)},
            DVec3{2 * (q.x * q.y + q.s * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.s * q.x)},
            DVec3{2 * (q.x * q.z - q.s * q.y), 2 * (q.y * q.z + q.s * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}
inline DVec3 operator*(const DMatrix& m, DVec3 v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
inline DMatrix transposed(const DMatrix& m) {
    return {DVec3{m[0].x, m[1].x, m[2].x}, DVec3{m[0].y, m[1].y, m[2].y}, DVec3{m[0].z, m[1].z, m[2].z}};
}

/// R diag(d) R^T v.
inline DVec3 rotated_diagonal(const DMatrix& r, DVec3 d, DVec3 v) {
    const DVec3 local = transposed(r) * v;
    return r * DVec3{d.x * local.x, d.y * local.y, d.z * local.z};
}

} // namespace scree::test
