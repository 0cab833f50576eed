// SPDX-License-Identifier: MIT
// linear.h — the vectors and matrices of drawing. Pictures promise no bits, so this is plain float arithmetic.
#pragma once

#include "scree/vector.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::render {

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3 operator*(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
/// A zero vector stays zero.
inline Vec3 normalized(Vec3 a) {
    const float size = length(a);
    return size > 0 ? a * (1 / size) : a;
}
inline Vec3 least(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline Vec3 greatest(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

inline Vec3 rotated(Quat q, Vec3 v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = cross(u, v) * 2;
    return v + t * q.s + cross(u, t);
}
/// First b, then a.
inline Quat operator*(Quat a, Quat b) {
    return {a.s * b.s - a.x * b.x - a.y * b.y - a.z * b.z, a.s * b.x + a.x * b.s + a.y * b.z - a.z * b.y,
            a.s * b.y - a.x * b.z + a.y * b.s + a.z * b.x, a.s * b.z + a.x * b.y - a.y * b.x + a.z * b.s};
}
inline Quat conjugate(Quat q) { return {q.s, -q.x, -q.y, -q.z}; }
/// Turns by `angle` (rad) about a unit axis.
inline Quat turn(Vec3 axis, float angle) {
    const float s = std::sin(angle / 2);
    return {std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

/// A place in space: scaled, then turned, then moved.
struct Transform {
    Vec3 position{};
    Quat rotation{};
    float scale = 1;
};
inline Vec3 apply(const Transform& t, Vec3 v) { return t.position + rotated(t.rotation, v * t.scale); }
/// First b, then a: world = parent * local.
inline Transform operator*(const Transform& a, const Transform& b) {
    return {apply(a, b.position), a.rotation * b.rotation, a.scale * b.scale};
}

/// An axis-aligned box; empty until something is added.
struct Bounds {
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
    bool empty() const { return low.x > high.x; }
    void add(Vec3 point, float radius = 0) {
        low = least(low, point - Vec3{radius, radius, radius});
        high = greatest(high, point + Vec3{radius, radius, radius});
    }
    void add(const Bounds& other) { low = least(low, other.low), high = greatest(high, other.high); }
    Vec3 centre() const { return (low + high) * 0.5f; }
    float radius() const { return empty() ? 0 : length(high - low) * 0.5f; }
};

/// Column-major, as the shaders read it; vectors are columns.
struct Mat4 {
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float& at(int row, int column) { return m[static_cast<std::size_t>(column * 4 + row)]; }
    float at(int row, int column) const { return m[static_cast<std::size_t>(column * 4 + row)]; }
};
inline Mat4 operator*(const Mat4& a, const Mat4& b) {
    Mat4 product;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) {
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += a.at(row, k) * b.at(k, column);
            product.at(row, column) = sum;
        }
    return product;
}
struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
};
inline Vec4 operator*(const Mat4& a, Vec4 v) {
    const auto row = [&](int r) {
        return a.at(r, 0) * v.x + a.at(r, 1) * v.y + a.at(r, 2) * v.z + a.at(r, 3) * v.w;
    };
    return {row(0), row(1), row(2), row(3)};
}
Mat4 inverse(const Mat4& a);
/// Right-handed, looking along -z, depth from -1 to 1.
Mat4 perspective(float fov_y, float aspect, float near_plane, float far_plane);
Mat4 orthographic(float left, float right, float bottom, float top, float near_plane, float far_plane);
Mat4 look_at(Vec3 eye, Vec3 target, Vec3 up);

} // namespace scree::render
