// SPDX-License-Identifier: MIT
// math.h — vectors, quaternions and poses: Vec3, Quat and Pose in float, DVec3, DQuat and DPose in double.
#pragma once

#include <cmath>
#include <type_traits>

namespace scree {

template <class T>
struct Vector3 {
    T x = 0, y = 0, z = 0;

    constexpr Vector3& operator+=(Vector3 b) { return x += b.x, y += b.y, z += b.z, *this; }
    constexpr Vector3& operator-=(Vector3 b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
    constexpr Vector3& operator*=(T s) { return x *= s, y *= s, z *= s, *this; }
    constexpr Vector3& operator/=(T s) { return x /= s, y /= s, z /= s, *this; }
    friend constexpr bool operator==(const Vector3&, const Vector3&) = default;
    /// A Vec3 is a DVec3; narrow() goes back.
    constexpr operator Vector3<double>() const
        requires std::is_same_v<T, float>
    {
        return {x, y, z};
    }
};
using Vec3 = Vector3<float>;
using DVec3 = Vector3<double>;

template <class T>
constexpr Vector3<T> operator+(Vector3<T> a, Vector3<T> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vector3<T> operator-(Vector3<T> a, Vector3<T> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vector3<T> operator-(Vector3<T> a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
constexpr Vector3<T> operator*(Vector3<T> a, std::type_identity_t<T> s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class T>
constexpr Vector3<T> operator*(std::type_identity_t<T> s, Vector3<T> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
constexpr Vector3<T> operator/(Vector3<T> a, std::type_identity_t<T> s) {
    return {a.x / s, a.y / s, a.z / s};
}

template <class T = float>
constexpr T dot(Vector3<T> a, Vector3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T = float>
constexpr Vector3<T> cross(Vector3<T> a, Vector3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T = float>
T length(Vector3<T> a) {
    return std::sqrt(dot(a, a));
}
/// The zero vector stays zero.
template <class T = float>
Vector3<T> normalized(Vector3<T> a) {
    const T size = length(a);
    return size > 0 ? (1 / size) * a : a;
}
/// The smaller of each component.
template <class T = float>
constexpr Vector3<T> min(Vector3<T> a, Vector3<T> b) {
    return {b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z};
}
/// The larger of each component.
template <class T = float>
constexpr Vector3<T> max(Vector3<T> a, Vector3<T> b) {
    return {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
}
template <class T = float>
bool is_finite(Vector3<T> a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A rotation: a unit quaternion, vector first and scalar last, as in World::rotations(). Default: the identity.
template <class T>
struct Quaternion {
    T x = 0, y = 0, z = 0, s = 1;
    friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};
using Quat = Quaternion<float>;
using DQuat = Quaternion<double>;

/// First b, then a.
template <class T>
constexpr Quaternion<T> operator*(Quaternion<T> a, Quaternion<T> b) {
    const Vector3<T> u{a.x, a.y, a.z}, v{b.x, b.y, b.z}, w = a.s * v + b.s * u + cross(u, v);
    return {w.x, w.y, w.z, a.s * b.s - dot(u, v)};
}
/// The inverse of a unit quaternion.
template <class T>
constexpr Quaternion<T> conjugate(Quaternion<T> q) {
    return {-q.x, -q.y, -q.z, q.s};
}
/// The zero quaternion becomes the identity.
template <class T>
Quaternion<T> normalized(Quaternion<T> q) {
    const T size = std::sqrt(q.s * q.s + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(size > 0)) return {};
    return {q.x / size, q.y / size, q.z / size, q.s / size};
}
template <class T = float>
constexpr Vector3<T> rotate(Quaternion<T> q, Vector3<T> v) {
    const Vector3<T> u{q.x, q.y, q.z}, t = T{2} * cross(u, v);
    return v + q.s * t + cross(u, t);
}
/// Counter-clockwise seen against the axis, which may have any length; a zero axis gives the identity.
template <class T = float>
Quaternion<T> rotation_about(Vector3<T> axis, std::type_identity_t<T> radians) {
    const T size = length(axis);
    if (!(size > 0)) return {};
    const Vector3<T> u = (std::sin(radians / 2) / size) * axis;
    return {u.x, u.y, u.z, std::cos(radians / 2)};
}

/// Position and rotation of a frame in another: of a body in the world, of a shape in its body.
template <class T>
struct BasicPose {
    Vector3<T> position{};
    Quaternion<T> rotation{};
    friend constexpr bool operator==(const BasicPose&, const BasicPose&) = default;
};
using Pose = BasicPose<float>;
using DPose = BasicPose<double>;

/// Transforms a point from the frame to its parent.
template <class T>
constexpr Vector3<T> apply(const BasicPose<T>& pose, std::type_identity_t<Vector3<T>> point) {
    return pose.position + rotate(pose.rotation, point);
}
/// Transforms a point from the parent to the frame.
template <class T>
constexpr Vector3<T> apply_inverse(const BasicPose<T>& pose, std::type_identity_t<Vector3<T>> point) {
    return rotate(conjugate(pose.rotation), point - pose.position);
}
/// First b, then a: a shape in the world is body * shape.
template <class T>
constexpr BasicPose<T> operator*(const BasicPose<T>& a, const BasicPose<T>& b) {
    return {apply(a, b.position), a.rotation * b.rotation};
}
template <class T>
constexpr BasicPose<T> inverse(const BasicPose<T>& pose) {
    return {apply_inverse(pose, {}), conjugate(pose.rotation)};
}

constexpr DVec3 wide(Vec3 v) { return {v.x, v.y, v.z}; }
constexpr DQuat wide(Quat q) { return {q.x, q.y, q.z, q.s}; }
constexpr DPose wide(const Pose& pose) { return {wide(pose.position), wide(pose.rotation)}; }
constexpr Vec3 narrow(DVec3 v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
constexpr Quat narrow(DQuat q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
            static_cast<float>(q.s)};
}
constexpr Pose narrow(const DPose& pose) { return {narrow(pose.position), narrow(pose.rotation)}; }

} // namespace scree
