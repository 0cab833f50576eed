// SPDX-License-Identifier: MIT
// linear.h — transforms, bounds and matrices of drawing, in plain float arithmetic: pictures promise no bits.
#pragma once

#include "scree/math.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::render {

/// A place in space: scaled, then turned, then moved.
struct Transform {
    Vec3 position{};
    Quat rotation{};
    float scale = 1;
};
inline Vec3 apply(const Transform& t, Vec3 v) { return t.position + rotate(t.rotation, v * t.scale); }
/// First b, then a: world = parent * local.
inline Transform operator*(const Transform& a, const Transform& b) {
    return {apply(a, b.position), a.rotation * b.rotation, a.scale * b.scale};
}

/// An axis-aligned box; empty until something is added.
struct Bounds {
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
    bool empty() const { return low.x > high.x; }
    void add(Vec3 point, float radius = 0) {
        low = min(low, point - Vec3{radius, radius, radius});
        high = max(high, point + Vec3{radius, radius, radius});
    }
    void add(const Bounds& other) { low = min(low, other.low), high = max(high, other.high); }
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
