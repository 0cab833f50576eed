// SPDX-License-Identifier: MIT
// rigid_solid.h — vectors in double precision and convex polyhedra, for what the benchmark measures itself.
#pragma once

#include "scree/vector.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace scree::bench {

struct Vec3d {
    double x = 0, y = 0, z = 0;

    Vec3d() = default;
    Vec3d(double ax, double ay, double az) : x(ax), y(ay), z(az) {}
    Vec3d(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}

    friend Vec3d operator+(const Vec3d& a, const Vec3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec3d operator-(const Vec3d& a, const Vec3d& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3d operator-(const Vec3d& a) { return {-a.x, -a.y, -a.z}; }
    friend Vec3d operator*(double s, const Vec3d& a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline Vec3 narrowed(const Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
inline double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3d& a) { return std::sqrt(dot(a, a)); }

/// A rotation, scalar first.
struct Quatd {
    double s = 1;
    Vec3d v;

    Quatd() = default;
    Quatd(double as, const Vec3d& av) : s(as), v(av) {}
    Quatd(const Quat& q) : s(q.s), v(q.x, q.y, q.z) {}

    friend Quatd operator*(const Quatd& a, const Quatd& b) {
        return {a.s * b.s - dot(a.v, b.v), a.s * b.v + b.s * a.v + cross(a.v, b.v)};
    }
};

inline Vec3d rotate(const Quatd& q, const Vec3d& a) {
    const Vec3d t = 2.0 * cross(q.v, a);
    return a + q.s * t + cross(q.v, t);
}
inline Vec3d unrotate(const Quatd& q, const Vec3d& a) { return rotate({q.s, -q.v}, a); }

/// A convex polyhedron with the directions in which two of them can be separated.
struct Solid {
    struct Face {
        Vec3d normal; ///< outwards
        double offset = 0;
        std::vector<std::size_t> corners; ///< counter-clockwise seen from outside
    };
    std::vector<Vec3d> vertices; ///< those that are corners of a face
    std::vector<Face> faces;
    std::vector<Vec3d> normals, edges; ///< directions, each once whatever its sign

    double volume = 0;
    Vec3d second_moment; ///< integrals of x², y², z² over the volume
};

/// The hull of a few dozen points by trying every triple as a face. Throws Error when they lie in one plane.
Solid solid_of(std::span<const Vec3> points);

} // namespace scree::bench
