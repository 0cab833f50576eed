// SPDX-License-Identifier: MIT
// triangle_mesh.cpp — repair and inspection of triangle meshes. Integrals are exact for the polyhedron, in double.
#include "scree/triangle_mesh.h"

#include "scree/error.h"
#include "text/checks.h"
#include "text/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace scree {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

struct Key {
    std::int64_t x, y, z;
    friend bool operator==(const Key&, const Key&) = default;
};
struct Mix {
    std::size_t operator()(const Key& k) const {
        std::uint64_t h = static_cast<std::uint64_t>(k.x) * 0x9E3779B97F4A7C15ull;
        h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(k.y)) * 0xBF58476D1CE4E5B9ull;
        h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(k.z)) * 0x94D049BB133111EBull;
        return static_cast<std::size_t>(h ^ (h >> 31));
    }
};

/// For each vertex the first one that is at its place, or within the distance of it.
std::vector<std::uint32_t> first_nearby(const std::vector<Vec3>& vertices, double distance) {
    std::vector<std::uint32_t> out(vertices.size());
    std::unordered_multimap<Key, std::uint32_t, Mix> cells;
    cells.reserve(vertices.size());
    // cells are at least the distance wide, so that neighbours suffice, and not so narrow that numbers overflow
    double most = 0;
    for (const Vec3& v : vertices)
        most = std::max({most, std::fabs(double{v.x}), std::fabs(double{v.y}), std::fabs(double{v.z})});
    const double width = std::max({distance, most * 1e-12, 1e-300});
    const auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(x / width)); };
    const int reach = distance > 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        const DVec3 p = wide(vertices[i]);
        const Key at{cell(p.x), cell(p.y), cell(p.z)};
        std::uint32_t found = i;
        for (int dx = -reach; dx <= reach; ++dx)
            for (int dy = -reach; dy <= reach; ++dy)
                for (int dz = -reach; dz <= reach; ++dz) {
                    const auto [begin, end] = cells.equal_range({at.x + dx, at.y + dy, at.z + dz});
                    for (auto it = begin; it != end; ++it)
                        if (length(wide(vertices[it->second]) - p) <= distance)
                            found = std::min(found, it->second);
                }
        out[i] = found;
        if (found == i) cells.insert({at, i});
    }
    return out;
}

DVec3 doubled_area(const TriangleMesh& mesh, const Triangle& t) {
    const DVec3 a = wide(mesh.vertices[t[0]]);
    return cross(wide(mesh.vertices[t[1]]) - a, wide(mesh.vertices[t[2]]) - a);
}

/// Corners on a line, to the rounding of the coordinates.
bool is_degenerate(const TriangleMesh& mesh, const Triangle& t) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return true;
    const DVec3 a = wide(mesh.vertices[t[0]]), b = wide(mesh.vertices[t[1]]), c = wide(mesh.vertices[t[2]]);
    const double longest = std::max({length(b - a), length(c - b), length(a - c)});
    return length(doubled_area(mesh, t)) <= 1e-12 * longest * longest;
}

/// A set of numbers that grow together.
struct Groups {
    std::vector<std::uint32_t> parent;
    explicit Groups(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0u); }
    std::uint32_t of(std::uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = of(a), b = of(b);
        parent[std::max(a, b)] = std::min(a, b);
    }
};

/// One side of a triangle.
struct Side {
    std::uint32_t low, high, triangle;
    bool forward; ///< runs from low to high
};

std::vector<Side> sides_of(const TriangleMesh& mesh) {
    std::vector<Side> out;
    out.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            if (a != b) out.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::sort(out.begin(), out.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    return out;
}

/// Whether the triangles at each vertex are one fan: those that share an edge at the vertex hang together.
bool has_single_fans(const TriangleMesh& mesh, const std::vector<Side>& sides) {
    // corner 3 t + k; two corners at one vertex join over a common edge
    Groups corners(3 * mesh.triangles.size());
    const auto corner = [&](std::uint32_t t, std::uint32_t v) {
        const Triangle& of = mesh.triangles[t];
        return 3 * t + static_cast<std::uint32_t>(std::find(of.begin(), of.end(), v) - of.begin());
    };
    for (std::size_t i = 0; i + 1 < sides.size(); ++i)
        if (const Side &a = sides[i], &b = sides[i + 1]; a.low == b.low && a.high == b.high)
            for (const std::uint32_t v : {a.low, a.high})
                corners.join(corner(a.triangle, v), corner(b.triangle, v));
    std::vector<std::uint32_t> fan(mesh.vertices.size(), 0xffffffffu);
    for (std::uint32_t c = 0; c < 3 * mesh.triangles.size(); ++c) {
        std::uint32_t& known = fan[mesh.triangles[c / 3][c % 3]];
        if (known == 0xffffffffu) known = corners.of(c);
        else if (known != corners.of(c)) return false;
    }
    return true;
}

/// Volume, first and second moments of the tetrahedra from a point to the triangles.
void integrate(const TriangleMesh& mesh, MeshReport& out) {
    const DVec3 origin = 0.5 * (out.low + out.high); // near the mesh, so that little cancels
    double volume = 0;
    DVec3 first{};
    std::array<double, 6> second{}; // xx yy zz xy xz yz
    for (const Triangle& t : mesh.triangles) {
        const DVec3 a = wide(mesh.vertices[t[0]]) - origin, b = wide(mesh.vertices[t[1]]) - origin,
                    c = wide(mesh.vertices[t[2]]) - origin, s = a + b + c;
        const double six = dot(a, cross(b, c));
        volume += six / 6;
        first += (six / 24) * s;
        // of a tetrahedron at the origin: V / 20 (sum of x_i y_i + sum of x times sum of y)
        const auto moment = [&](auto x, auto y) {
            return six / 120 * (x(a) * y(a) + x(b) * y(b) + x(c) * y(c) + x(s) * y(s));
        };
        const auto x = [](const DVec3& p) { return p.x; };
        const auto y = [](const DVec3& p) { return p.y; };
        const auto z = [](const DVec3& p) { return p.z; };
        second[0] += moment(x, x), second[1] += moment(y, y), second[2] += moment(z, z);
        second[3] += moment(x, y), second[4] += moment(x, z), second[5] += moment(y, z);
    }
    out.volume = volume;
    out.centre = origin;
    if (volume == 0) return;
    const DVec3 m = first / volume;
    out.centre = origin + m;
    const double xx = second[0] - volume * m.x * m.x, yy = second[1] - volume * m.y * m.y,
                 zz = second[2] - volume * m.z * m.z;
    out.inertia = {yy + zz,
                   xx + zz,
                   xx + yy,
                   -(second[3] - volume * m.x * m.y),
                   -(second[4] - volume * m.x * m.z),
                   -(second[5] - volume * m.y * m.z)};
}

void check_entries(const std::vector<std::string>& names, const std::vector<std::uint32_t>& entries,
                   std::size_t triangles, const char* what, const std::string& where) {
    if (names.empty() && entries.empty()) return;
    if (entries.size() != triangles)
        throw Error(std::to_string(entries.size()) + " " + what + " for " + std::to_string(triangles) +
                        " triangles; expected one each",
                    where);
    for (const std::uint32_t e : entries)
        if (e >= names.size())
            throw Error("a triangle has entry " + std::to_string(e) + " of " + std::to_string(names.size()) +
                            " " + what,
                        where);
}

} // namespace

void check_mesh(const TriangleMesh& mesh, const std::string& where) {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (const Vec3 v = mesh.vertices[i]; !is_finite(v))
            throw Error("vertex " + std::to_string(i) + " is not finite: " + number_text(v.x) + " " +
                            number_text(v.y) + " " + number_text(v.z),
                        where);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t])
            if (v >= mesh.vertices.size())
                throw Error("triangle " + std::to_string(t) + " names vertex " + std::to_string(v) +
                                "; the mesh has " + std::to_string(mesh.vertices.size()) + " vertices",
                            where);
    check_entries(mesh.parts, mesh.triangle_parts, mesh.triangles.size(), "parts", where);
    check_entries(mesh.materials, mesh.triangle_materials, mesh.triangles.size(), "materials", where);
}

MeshRepair repair(TriangleMesh& mesh, float distance) {
    check_mesh(mesh, "repair");
    check_not_negative(distance, "repair: distance");
    MeshRepair done;
    const std::vector<std::uint32_t> place = first_nearby(mesh.vertices, distance);
    for (std::uint32_t i = 0; i < place.size(); ++i) done.merged_vertices += place[i] != i ? 1 : 0;

    std::vector<Triangle> seen; // beginning with the smallest corner
    std::size_t kept = 0;
    std::unordered_multimap<Key, std::size_t, Mix> known;
    const bool parts = !mesh.triangle_parts.empty(), materials = !mesh.triangle_materials.empty();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Triangle corners = mesh.triangles[t];
        for (std::uint32_t& v : corners) v = place[v];
        if (is_degenerate(mesh, corners)) {
            ++done.degenerate_triangles;
            continue;
        }
        Triangle turned = corners;
        std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
        if (!known.count({turned[0], turned[1], turned[2]})) {
            known.insert({{turned[0], turned[1], turned[2]}, t});
            mesh.triangles[kept] = corners;
            if (parts) mesh.triangle_parts[kept] = mesh.triangle_parts[t];
            if (materials) mesh.triangle_materials[kept] = mesh.triangle_materials[t];
            ++kept;
        } else {
            ++done.repeated_triangles;
        }
    }
    mesh.triangles.resize(kept);
    if (parts) mesh.triangle_parts.resize(kept);
    if (materials) mesh.triangle_materials.resize(kept);

    std::vector<std::uint32_t> number(mesh.vertices.size(), 0);
    for (const Triangle& t : mesh.triangles)
        for (const std::uint32_t v : t) number[v] = 1;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < number.size(); ++i) {
        if (number[i] == 0) continue;
        mesh.vertices[next] = mesh.vertices[i];
        number[i] = next++;
    }
    done.unused_vertices = mesh.vertices.size() - next - done.merged_vertices;
    mesh.vertices.resize(next);
    for (Triangle& t : mesh.triangles)
        for (std::uint32_t& v : t) v = number[v];
    return done;
}

MeshReport inspect(const TriangleMesh& mesh) {
    check_mesh(mesh, "inspect");
    MeshReport out;
    if (mesh.triangles.empty()) return out;
    const std::vector<Side> sides = sides_of(mesh);
    Groups groups(mesh.triangles.size());
    bool balanced = true, doubled = false;
    for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
        int forward = 0, backward = 0;
        for (;
             end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high;
             ++end) {
            groups.join(sides[begin].triangle, sides[end].triangle);
            ++(sides[end].forward ? forward : backward);
        }
        const int count = forward + backward;
        if (count == 1) ++out.open_edges;
        if (count > 2) ++out.crowded_edges;
        if (count == 2 && forward != backward) ++out.flipped_edges;
        balanced = balanced && (count == 2 || forward == backward);
        doubled = doubled || forward > 1 || backward > 1;
    }
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        out.components += groups.of(t) == t ? 1 : 0;
        out.degenerate_triangles += is_degenerate(mesh, mesh.triangles[t]) ? 1 : 0;
        out.area += 0.5 * length(doubled_area(mesh, mesh.triangles[t]));
    }
    out.closed = out.open_edges == 0 && balanced;
    out.oriented = !doubled;
    out.manifold = out.open_edges == 0 && out.crowded_edges == 0 && has_single_fans(mesh, sides);
    out.low = out.high = wide(mesh.vertices[mesh.triangles[0][0]]);
    for (const Triangle& t : mesh.triangles)
        for (const std::uint32_t v : t) {
            out.low = min(out.low, wide(mesh.vertices[v]));
            out.high = max(out.high, wide(mesh.vertices[v]));
        }
    integrate(mesh, out);
    return out;
}

} // namespace scree
