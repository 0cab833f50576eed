// SPDX-License-Identifier: MIT
// mesh_shapes.cpp — the meshes of the world's shapes; see mesh.h.
#include "render/mesh.h"

#include "geometry/obj.h"
#include "render/linear.h"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace scree::render::meshes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

std::array<float, 3> array_of(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 vector_of(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

MeshVertex vertex(Vec3 position, Vec3 normal, float u = 0, float v = 0, Vec3 inset = {}, float end = 0) {
    MeshVertex result;
    result.position = array_of(position);
    result.normal = array_of(normal);
    result.inset = array_of(inset);
    result.uv = {u, v};
    result.end = end;
    return result;
}

void triangle(MeshData& mesh, std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) mesh.indices.push_back(static_cast<std::uint32_t>(i));
}
void quad(MeshData& mesh, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    triangle(mesh, a, b, c);
    triangle(mesh, a, c, d);
}

float volume(const MeshData& mesh) {
    double sum = 0;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const Vec3 a = vector_of(mesh.vertices[mesh.indices[i]].position);
        const Vec3 b = vector_of(mesh.vertices[mesh.indices[i + 1]].position);
        const Vec3 c = vector_of(mesh.vertices[mesh.indices[i + 2]].position);
        sum += static_cast<double>(dot(a, cross(b, c)));
    }
    return static_cast<float>(sum / 6);
}

/// A ring of n + 1 columns; the last repeats the first with u = 1.
Vec3 around(int i, int n) {
    const float angle = 2 * pi * static_cast<float>(i % n) / static_cast<float>(n);
    return {std::sin(angle), 0, std::cos(angle)};
}
float share(int i, int n) { return static_cast<float>(i) / static_cast<float>(n); }

} // namespace

MeshData sphere(int level) {
    const float t = (1 + std::sqrt(5.0f)) / 2;
    std::vector<Vec3> points;
    for (const Vec3 p : {Vec3{-1, t, 0},
                         {1, t, 0},
                         {-1, -t, 0},
                         {1, -t, 0},
                         {0, -1, t},
                         {0, 1, t},
                         {0, -1, -t},
                         {0, 1, -t},
                         {t, 0, -1},
                         {t, 0, 1},
                         {-t, 0, -1},
                         {-t, 0, 1}})
        points.push_back(normalized(p));
    std::vector<std::uint32_t> faces{0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                     4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                     6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    if (level < 0) {
        points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        faces = {2, 4, 0, 2, 0, 5, 2, 5, 1, 2, 1, 4, 3, 0, 4, 3, 5, 0, 3, 1, 5, 3, 4, 1};
    }
    for (int i = 0; i < level; ++i) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, added] =
                middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(points.size()));
            if (added) points.push_back(normalized(points[a] + points[b]));
            return at->second;
        };
        std::vector<std::uint32_t> finer;
        for (std::size_t f = 0; f < faces.size(); f += 3) {
            const std::uint32_t a = faces[f], b = faces[f + 1], c = faces[f + 2];
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca});
        }
        faces = std::move(finer);
    }
    MeshData mesh;
    for (const Vec3 p : points)
        mesh.vertices.push_back(
            vertex(p, p, 0.5f + std::atan2(p.x, p.z) / (2 * pi), 0.5f + std::asin(p.y) / pi));
    mesh.indices = std::move(faces);
    // a polyhedron inside the sphere looks too small; this one is as large
    const float grow = std::cbrt(4 * pi / 3 / volume(mesh));
    for (MeshVertex& v : mesh.vertices)
        for (float& c : v.position) c *= grow;
    add_tangents(mesh);
    return mesh;
}

MeshData capsule(int segments) {
    MeshData mesh;
    const int rings = segments / 4;
    // corners of a polygon with the circle's area
    const float step = 2 * pi / static_cast<float>(segments);
    const float grow = std::sqrt(step / std::sin(step));
    // from the upper pole down; the equator is there twice, once for each end
    for (int ring = 0; ring <= 2 * rings + 1; ++ring) {
        const bool top = ring <= rings;
        const float angle = pi * share(top ? ring : ring - 1, 2 * rings);
        for (int i = 0; i <= segments; ++i) {
            const Vec3 out = around(i, segments) * std::sin(angle) + Vec3{0, std::cos(angle), 0};
            mesh.vertices.push_back(vertex(out * grow, out, share(i, segments),
                                           1 - share(ring, 2 * rings + 1), {}, top ? 1.0f : -1.0f));
        }
    }
    const auto at = [&](int ring, int i) { return static_cast<std::size_t>(ring * (segments + 1) + i); };
    for (int ring = 0; ring <= 2 * rings; ++ring)
        for (int i = 0; i < segments; ++i) {
            if (ring > 0) triangle(mesh, at(ring, i), at(ring + 1, i), at(ring, i + 1));
            if (ring < 2 * rings) triangle(mesh, at(ring, i + 1), at(ring + 1, i), at(ring + 1, i + 1));
        }
    add_tangents(mesh);
    return mesh;
}

MeshData box(bool bevel) {
    MeshData mesh;
    // corner c has the signs of its bits; its vertex on the face along `axis` is 3 c + axis
    const auto sign = [](int corner, int axis) { return corner >> axis & 1 ? 1.0f : -1.0f; };
    for (int c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 s{sign(c, 0), sign(c, 1), sign(c, 2)};
            const Vec3 n = axis == 0 ? Vec3{s.x, 0, 0} : axis == 1 ? Vec3{0, s.y, 0} : Vec3{0, 0, s.z};
            const float out = sign(c, axis);
            const float u = axis == 0 ? -s.z * out : axis == 1 ? s.x : s.x * out;
            const float v = axis == 1 ? -s.z * out : s.y;
            mesh.vertices.push_back(vertex(s, n, u * 0.5f + 0.5f, v * 0.5f + 0.5f, n - s));
        }
    const auto at = [](int corner, int axis) { return static_cast<std::size_t>(3 * corner + axis); };
    for (int axis = 0; axis < 3; ++axis) {
        const int a = 1 << (axis + 1) % 3, b = 1 << (axis + 2) % 3, top = 1 << axis;
        quad(mesh, at(top, axis), at(top | a, axis), at(top | a | b, axis), at(top | b, axis));
        quad(mesh, at(0, axis), at(b, axis), at(a | b, axis), at(a, axis));
    }
    if (bevel) {
        const std::size_t plain = mesh.indices.size();
        for (int axis = 0; axis < 3; ++axis) {
            // the four edges along this axis lie between faces p and q
            const int p = (axis + 1) % 3, q = (axis + 2) % 3, along = 1 << axis;
            for (int k = 0; k < 4; ++k) {
                const int low = (k & 1 ? 1 << p : 0) | (k & 2 ? 1 << q : 0), high = low | along;
                quad(mesh, at(low, p), at(low, q), at(high, q), at(high, p));
            }
        }
        for (int c = 0; c < 8; ++c) triangle(mesh, at(c, 0), at(c, 1), at(c, 2));
        // turn those that look inwards, judged with a bevel of 0.2
        for (std::size_t i = plain; i < mesh.indices.size(); i += 3) {
            const auto corner = [&](std::size_t k) {
                const MeshVertex& v = mesh.vertices[mesh.indices[i + k]];
                return vector_of(v.position) + vector_of(v.inset) * 0.2f;
            };
            const Vec3 a = corner(0), b = corner(1), c = corner(2);
            if (dot(cross(b - a, c - a), a + b + c) < 0) std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
        }
    }
    add_tangents(mesh);
    return mesh;
}

MeshData facing_box() {
    MeshData mesh = box(false);
    mesh.edges = mesh.indices;
    mesh.indices.clear();
    for (int axis = 0; axis < 3; ++axis) {
        const int a = 1 << (axis + 1) % 3, b = 1 << (axis + 2) % 3, top = 1 << axis;
        const std::size_t first = mesh.vertices.size();
        for (const int corner : {top, top | a, top | a | b, top | b}) {
            MeshVertex turning = mesh.vertices[static_cast<std::size_t>(3 * corner + axis)];
            turning.end = 2;
            mesh.vertices.push_back(turning);
        }
        quad(mesh, first, first + 1, first + 2, first + 3);
    }
    return mesh;
}

MeshData point(PointForm form, Vec3 areas) {
    MeshData mesh;
    mesh.points = true;
    const float kind = form == PointForm::round ? 1.0f : 0.0f;
    mesh.vertices.push_back(vertex({kind, 0, 0}, {0, 1, 0}, 0.5f, 0.5f, areas, 3));
    mesh.vertices.back().tangent = {1, 0, 0, 1};
    mesh.indices = {0};
    return mesh;
}

MeshData point_of(const MeshData& convex) {
    // half of what all faces show: those in front
    Vec3 areas{};
    const auto corner = [&](std::size_t i) {
        const auto& p = convex.vertices[convex.indices[i]].position;
        return Vec3{p[0], p[1], p[2]};
    };
    for (std::size_t i = 0; i + 2 < convex.indices.size(); i += 3) {
        const Vec3 twice = cross(corner(i + 1) - corner(i), corner(i + 2) - corner(i));
        areas = areas + Vec3{std::abs(twice.x), std::abs(twice.y), std::abs(twice.z)} * 0.25f;
    }
    return point(PointForm::round, areas);
}

MeshData cylinder(int segments, bool bevel) {
    MeshData mesh;
    const float step = 2 * pi / static_cast<float>(segments);
    const float grow = std::sqrt(step / std::sin(step));
    for (const float side : {1.0f, -1.0f})
        for (int i = 0; i <= segments; ++i) {
            const Vec3 out = around(i, segments), rim = out * grow + Vec3{0, side, 0};
            mesh.vertices.push_back(vertex(rim, out, share(i, segments), side * 0.5f + 0.5f, {0, -side, 0}));
            mesh.vertices.push_back(vertex(rim, {0, side, 0}, 0.5f + out.x / 2, 0.5f + out.z / 2, -out));
        }
    const auto at = [&](bool top, int i, bool cap) {
        return static_cast<std::size_t>(((top ? 0 : segments + 1) + i) * 2 + (cap ? 1 : 0));
    };
    for (int i = 0; i < segments; ++i) {
        quad(mesh, at(true, i, false), at(false, i, false), at(false, i + 1, false), at(true, i + 1, false));
        if (i > 0 && i + 1 < segments) {
            triangle(mesh, at(true, 0, true), at(true, i, true), at(true, i + 1, true));
            triangle(mesh, at(false, 0, true), at(false, i + 1, true), at(false, i, true));
        }
        if (bevel) {
            quad(mesh, at(true, i, true), at(true, i, false), at(true, i + 1, false), at(true, i + 1, true));
            quad(mesh, at(false, i, false), at(false, i, true), at(false, i + 1, true),
                 at(false, i + 1, false));
        }
    }
    add_tangents(mesh);
    return mesh;
}

MeshData cone(int segments) {
    MeshData mesh;
    const float step = 2 * pi / static_cast<float>(segments);
    const float grow = std::sqrt(step / std::sin(step));
    // normals of the cone of radius 1 and height 2; sizes turn them in the shader
    for (int i = 0; i <= segments; ++i) {
        const Vec3 out = around(i, segments), normal = normalized(out * 2 + Vec3{0, 1, 0});
        mesh.vertices.push_back(vertex(out * grow + Vec3{0, -1, 0}, normal, share(i, segments), 0));
        mesh.vertices.push_back(vertex({0, 1, 0}, normal, share(i, segments), 1));
        mesh.vertices.push_back(
            vertex(out * grow + Vec3{0, -1, 0}, {0, -1, 0}, 0.5f + out.x / 2, 0.5f + out.z / 2));
    }
    const auto at = [](int i, int which) { return static_cast<std::size_t>(3 * i + which); };
    for (int i = 0; i < segments; ++i) {
        triangle(mesh, at(i, 1), at(i, 0), at(i + 1, 0));
        if (i > 0 && i + 1 < segments) triangle(mesh, at(0, 2), at(i + 1, 2), at(i, 2));
    }
    add_tangents(mesh);
    return mesh;
}

// squares within each other, each a quarter as wide as the next: a large plane's depth is exact only where its corners are near
MeshData plane() {
    constexpr int rings = 8, around = 16;
    MeshData mesh;
    float size = 1;
    for (int ring = 0; ring < rings; ++ring, size /= 4)
        for (int i = 0; i < around; ++i) {
            // from corner to corner along the sides -x, z, x, -z
            const float along = static_cast<float>(i % 4) / 2 - 1;
            const float xs[] = {-1, along, 1, -along}, zs[] = {along, 1, -along, -1};
            const float x = size * xs[i / 4], z = size * zs[i / 4];
            mesh.vertices.push_back(vertex({x, 0, z}, {0, 1, 0}, x * 0.5f + 0.5f, 0.5f - z * 0.5f));
        }
    mesh.vertices.push_back(vertex({0, 0, 0}, {0, 1, 0}, 0.5f, 0.5f));
    const auto at = [](int ring, int i) { return static_cast<std::size_t>(ring * around + i % around); };
    for (int i = 0; i < around; ++i) {
        for (int ring = 0; ring + 1 < rings; ++ring)
            quad(mesh, at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i));
        triangle(mesh, at(rings - 1, i), at(rings - 1, i + 1), mesh.vertices.size() - 1);
    }
    add_tangents(mesh);
    return mesh;
}

MeshData hull(const Hull& hull) {
    MeshData mesh;
    const auto points = hull.vertices();
    for (const auto& face : hull.faces()) {
        const Vec3 a = points[face[0]], b = points[face[1]];
        Vec3 normal{};
        for (std::size_t i = 1; i + 1 < face.size(); ++i)
            normal = normal + cross(points[face[i]] - a, points[face[i + 1]] - a);
        normal = normalized(normal);
        const Vec3 u = normalized(b - a), v = cross(normal, u);
        const std::size_t first = mesh.vertices.size();
        for (const std::uint32_t i : face)
            mesh.vertices.push_back(vertex(points[i], normal, dot(points[i] - a, u), dot(points[i] - a, v)));
        for (std::size_t i = 1; i + 1 < face.size(); ++i) triangle(mesh, first, first + i, first + i + 1);
    }
    add_tangents(mesh);
    return mesh;
}

MeshData surface(const Mesh& surface) {
    MeshData mesh;
    const auto points = surface.vertices();
    const auto corners = surface.indices();
    // smooth where the faces at a vertex hardly differ
    std::vector<Vec3> smooth(points.size());
    const auto normal_of = [&](std::size_t i) {
        return cross(points[corners[i + 1]] - points[corners[i]],
                     points[corners[i + 2]] - points[corners[i]]);
    };
    for (std::size_t i = 0; i < corners.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) smooth[corners[i + k]] = smooth[corners[i + k]] + normal_of(i);
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        const Vec3 across = normal_of(i);
        if (!(length(across) > 0)) continue;
        const Vec3 normal = normalized(across);
        for (int side = 0; side < (surface.options().two_sided ? 2 : 1); ++side) {
            const std::size_t first = mesh.vertices.size();
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t v = corners[i + (side ? 2 - k : k)];
                const Vec3 mean = normalized(smooth[v]);
                const Vec3 n = dot(mean, normal) > 0.8f ? mean : normal;
                mesh.vertices.push_back(vertex(points[v], side ? -1.0f * n : n, points[v].x, points[v].z));
            }
            triangle(mesh, first, first + 1, first + 2);
        }
    }
    add_tangents(mesh);
    return mesh;
}

MeshData from_obj(const std::string& text, const std::string& name) {
    const TriangleMesh read = parse_obj(text, name);
    std::vector<MeshVertex> corners;
    for (const auto& t : read.triangles) {
        const Vec3 a = read.vertices[t[0]], b = read.vertices[t[1]], c = read.vertices[t[2]];
        const Vec3 normal = normalized(cross(b - a, c - a));
        for (const Vec3 p : {a, b, c}) corners.push_back(vertex(p, normal));
    }
    MeshData mesh = indexed(corners);
    add_tangents(mesh);
    return mesh;
}

} // namespace scree::render::meshes
