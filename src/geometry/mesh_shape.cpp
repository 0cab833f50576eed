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

struct Span {
    double enter, leave;
};

/// The stretch of a ray within a node's box.
Span through(const std::uint32_t* node, const Vec3& scale, const Ray& ray) {
    const double origin[3] = {ray.origin.x, ray.origin.y, ray.origin.z},
                 way[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    const double by[3] = {scale.x, scale.y, scale.z};
    Span span{0, infinity};
    for (int k = 0; k < 3; ++k) {
        const double low = std::bit_cast<float>(node[k]) * by[k],
                     high = std::bit_cast<float>(node[4 + k]) * by[k];
        if (way[k] == 0) {
            if (origin[k] < low || origin[k] > high) return {infinity, -infinity};
            continue;
        }
        double a = (low - origin[k]) / way[k], b = (high - origin[k]) / way[k];
        if (a > b) std::swap(a, b);
        // flat boxes are thick enough for rounding
        span.enter = std::max(span.enter, a - 1e-12 * std::fabs(a));
        span.leave = std::min(span.leave, b + 1e-12 * std::fabs(b));
    }
    return span;
}

/// Watertight (Woop, Benthin and Wald 2013): neighbours compute the same bits for the edge they share.
std::optional<RayHit> hit(const MeshTriangle& triangle, bool two_sided, const Ray& ray) {
    const DVec3 a = triangle.corner[0] - ray.origin, b = triangle.corner[1] - ray.origin,
                c = triangle.corner[2] - ray.origin;
    const DVec3 d = ray.direction;
    const DVec3 m = absolute(d);
    const int z = m.x >= m.y && m.x >= m.z ? 0 : m.y >= m.z ? 1 : 2;
    const auto part = [](const DVec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    const int x = (z + 1) % 3, y = (z + 2) % 3;
    const double sx = part(d, x) / part(d, z), sy = part(d, y) / part(d, z);
    const double ax = part(a, x) - sx * part(a, z), ay = part(a, y) - sy * part(a, z);
    const double bx = part(b, x) - sx * part(b, z), by = part(b, y) - sy * part(b, z);
    const double cx = part(c, x) - sx * part(c, z), cy = part(c, y) - sy * part(c, z);
    const double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return std::nullopt;
    const double sum = u + v + w;
    if (sum == 0) return std::nullopt;
    const double distance = (u * part(a, z) + v * part(b, z) + w * part(c, z)) / (sum * part(d, z));
    if (!(distance >= 0)) return std::nullopt;
    DVec3 normal = triangle.normal();
    const bool behind = dot(normal, d) > 0;
    if (behind && !two_sided) return std::nullopt;
    return RayHit{distance, behind ? -normal : normal, triangle.number};
}

std::optional<RayHit> hit(const Mesh& mesh, const Ray& ray) {
    if (!mesh) return std::nullopt;
    const MeshGeometry& g = mesh.geometry();
    std::optional<RayHit> best;
    for (std::uint32_t stack[64], depth = (stack[0] = 0, 1); depth;) {
        const std::uint32_t n = stack[--depth];
        const std::uint32_t* node = g.node(n);
        const Span span = through(node, mesh.scale(), ray);
        if (!(span.enter <= span.leave) || (best && span.enter > best->distance)) continue;
        if (!node[3]) {
            // the nearer child first
            const bool left_first = through(g.node(n + 1), mesh.scale(), ray).enter <=
                                    through(g.node(node[7]), mesh.scale(), ray).enter;
            stack[depth++] = left_first ? node[7] : n + 1;
            stack[depth++] = left_first ? n + 1 : node[7];
            continue;
        }
        for (std::uint32_t t = node[7]; t < node[7] + node[3]; ++t) {
            const auto found = hit(triangle_of(mesh, t), g.options.two_sided, ray);
            if (found && (!best || found->distance < best->distance ||
                          (found->distance == best->distance && found->sub_shape < best->sub_shape)))
                best = found;
        }
    }
    return best;
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
