// SPDX-License-Identifier: MIT
// mesh_shape.cpp — the surface of triangles as a shape; see shapes.h. mesh_builder.cpp makes it.

#include "geometry/mesh_geometry.h"
#include "geometry/shape_parts.h"
#include "kernels/mesh_words.h"
#include "scree/error.h"

namespace scree {

MeshTriangle triangle_of(const Mesh& mesh, std::uint32_t t) {
    const MeshGeometry& g = mesh.geometry();
    const std::uint32_t* words = g.triangle(t);
    MeshTriangle triangle;
    for (int k = 0; k < 3; ++k) triangle.corner[k] = scaled(wide(g.vertices[words[k]]), mesh.scale());
    triangle.number = words[3] & MESH_NUMBER;
    return triangle;
}

namespace {

Bounds bounds(const Mesh& mesh, const DQuat& turn) {
    const MeshGeometry& g = mesh.geometry();
    const DVec3 low = scaled(wide(g.low), mesh.scale()), high = scaled(wide(g.high), mesh.scale());
    // of the turned box: a pose changes and a million vertices do not
    Bounds out{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (int k = 0; k < 8; ++k) {
        const DVec3 at =
            rotate(turn, DVec3{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
        out.low = min(out.low, at);
        out.high = max(out.high, at);
    }
    return out;
}

double reach(const Mesh& mesh) {
    const MeshGeometry& g = mesh.geometry();
    const DVec3 low = absolute(wide(g.low)), high = absolute(wide(g.high));
    return length(scaled(max(low, high), mesh.scale()));
}

float radius(const Mesh& mesh) { return static_cast<float>(reach(mesh)); }

MassProperties mass(const Mesh&, double) {
    throw Error("a mesh has no mass; for a dynamic body, use hulls: Hull::from_points, or parts of the mesh",
                "geometry");
}

std::optional<RayHit> hit(const Mesh& mesh, const Ray& ray) {
    return host_hit(mesh_entry(mesh, kernel_line(ray), infinity));
}

/// Ericson 2005, 5.1.5.
DVec3 nearest_of(const MeshTriangle& triangle, const DVec3& p) {
    const DVec3 a = triangle.corner[0], b = triangle.corner[1], c = triangle.corner[2];
    const DVec3 n = cross(b - a, c - a);
    bool inside = true;
    DVec3 best;
    double least = infinity;
    for (int k = 0; k < 3; ++k) {
        const DVec3 from = triangle.corner[k], to = triangle.corner[(k + 1) % 3];
        if (dot(cross(to - from, p - from), n) < 0) inside = false;
        const DVec3 q = nearest_between(from, to, p);
        if (const double far = length(q - p); far < least) least = far, best = q;
    }
    return inside ? p - n * (dot(n, p - a) / dot(n, n)) : best;
}

NearestPoint nearest(const Mesh& mesh, const DVec3& p) {
    const MeshGeometry& g = mesh.geometry();
    NearestPoint best{p, infinity, false};
    const auto away = [&](std::uint32_t n) {
        const std::uint32_t* node = g.node(n);
        const Vec3 low{std::bit_cast<float>(node[0]), std::bit_cast<float>(node[1]),
                       std::bit_cast<float>(node[2])};
        const Vec3 high{std::bit_cast<float>(node[4]), std::bit_cast<float>(node[5]),
                        std::bit_cast<float>(node[6])};
        const DVec3 near = max(scaled(wide(low), mesh.scale()), min(scaled(wide(high), mesh.scale()), p));
        return length(near - p) * (1 - 1e-12);
    };
    for (std::uint32_t stack[64], depth = (stack[0] = 0, 1); depth;) {
        const std::uint32_t n = stack[--depth];
        if (away(n) > best.distance) continue;
        const std::uint32_t* node = g.node(n);
        if (!node[3]) {
            const bool left_first = away(n + 1) <= away(node[7]);
            stack[depth++] = left_first ? node[7] : n + 1;
            stack[depth++] = left_first ? n + 1 : node[7];
            continue;
        }
        for (std::uint32_t t = node[7]; t < node[7] + node[3]; ++t) {
            const MeshTriangle triangle = triangle_of(mesh, t);
            NearestPoint found = nearest_at(nearest_of(triangle, p), p);
            found.inside = false; // a surface has no inside
            found.sub_shape = triangle.number;
            if (found.distance < best.distance ||
                (found.distance == best.distance && found.sub_shape < best.sub_shape))
                best = found;
        }
    }
    return best;
}

constexpr ShapeKind<Mesh> kind{.name = "mesh",
                               .sizes = {},
                               .reach = reach,
                               .radius = radius,
                               .thickness = radius,
                               .bounds = bounds,
                               .mass = mass,
                               .ray_hit = hit,
                               .nearest = nearest};

} // namespace

const ShapeKind<Mesh>& kind_of(const Mesh&) { return kind; }

} // namespace scree
