// SPDX-License-Identifier: MIT
// meshes.h — closed meshes whose volume, inertia and shape are known.
#pragma once

#include "scree/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace scree::testing {

inline void quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

inline TriangleMesh box_mesh(Vec3 low, Vec3 high) {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    quad(mesh, 0, 2, 3, 1), quad(mesh, 4, 5, 7, 6), quad(mesh, 0, 1, 5, 4);
    quad(mesh, 2, 6, 7, 3), quad(mesh, 0, 4, 6, 2), quad(mesh, 1, 3, 7, 5);
    return mesh;
}

inline void append(TriangleMesh& mesh, const TriangleMesh& other) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (auto t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// A polygon of the plane z = 0, counter-clockwise, from z = 0 to `depth`. It must be seen whole from its first corner.
inline TriangleMesh extruded(const std::vector<Vec3>& polygon, float depth) {
    TriangleMesh mesh;
    const auto n = static_cast<std::uint32_t>(polygon.size());
    for (const float z : {0.0f, depth})
        for (const Vec3& p : polygon) mesh.vertices.push_back({p.x, p.y, z});
    for (std::uint32_t i = 0; i < n; ++i) quad(mesh, i, (i + 1) % n, n + (i + 1) % n, n + i);
    for (std::uint32_t i = 1; i + 1 < n; ++i) {
        mesh.triangles.push_back({0, i + 1, i});
        mesh.triangles.push_back({n, n + i, n + i + 1});
    }
    return mesh;
}

/// Two boxes in an L, 2 m tall and wide, 1 m thick and deep: 3 m^3.
inline TriangleMesh l_shape() {
    return extruded({{1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 1, 0}}, 1);
}

/// A closed curve of (radius, height) turned about y. A curve that runs counter-clockwise in the plane of radius and height
/// faces outward.
inline TriangleMesh turned(const std::vector<std::array<double, 2>>& curve, std::uint32_t around) {
    TriangleMesh mesh;
    const auto n = static_cast<std::uint32_t>(curve.size());
    for (std::uint32_t i = 0; i < around; ++i) {
        const double angle = 2 * std::numbers::pi * i / around;
        for (const auto& [r, y] : curve)
            mesh.vertices.push_back(narrow(DVec3{r * std::cos(angle), y, r * std::sin(angle)}));
    }
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t j = (i + 1) % around, l = (k + 1) % n;
            quad(mesh, i * n + k, i * n + l, j * n + l, j * n + k);
        }
    return mesh;
}

inline TriangleMesh torus_mesh(double radius, double tube, std::uint32_t around = 48,
                               std::uint32_t along = 24) {
    std::vector<std::array<double, 2>> curve;
    for (std::uint32_t k = 0; k < along; ++k) {
        const double angle = 2 * std::numbers::pi * k / along;
        curve.push_back({radius + tube * std::cos(angle), tube * std::sin(angle)});
    }
    return turned(curve, around);
}

/// A cup 1 m tall with a radius of 0.5 m, walls and a floor of 0.08 m, open at the top.
inline TriangleMesh cup_mesh(std::uint32_t around = 32) {
    return turned({{1e-3, 0}, {0.5, 0}, {0.5, 1}, {0.42, 1}, {0.42, 0.08}, {1e-3, 0.08}}, around);
}

/// An octahedron, each face cut into four `levels` times and pushed out to the sphere.
inline TriangleMesh sphere_mesh(float radius, int levels) {
    TriangleMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::array<std::uint32_t, 2>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [it, fresh] = middles.insert({{std::min(a, b), std::max(a, b)}, 0});
            if (fresh) {
                it->second = static_cast<std::uint32_t>(mesh.vertices.size());
                mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
            }
            return it->second;
        };
        std::vector<std::array<std::uint32_t, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
    }
    for (Vec3& v : mesh.vertices) v *= radius;
    return mesh;
}

/// Each triangle with corners of its own, as an STL file gives them.
inline TriangleMesh soup(const TriangleMesh& mesh) {
    TriangleMesh out;
    for (const auto& t : mesh.triangles) {
        const auto n = static_cast<std::uint32_t>(out.vertices.size());
        for (const std::uint32_t v : t) out.vertices.push_back(mesh.vertices[v]);
        out.triangles.push_back({n, n + 1, n + 2});
    }
    return out;
}

} // namespace scree::testing
