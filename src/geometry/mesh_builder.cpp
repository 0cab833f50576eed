// SPDX-License-Identifier: MIT
// mesh_builder.cpp — makes a mesh: neighbours, kinds of edges, and the tree; see mesh_geometry.h.

#include "geometry/mesh_geometry.h"

#include "geometry/material.h"
#include "kernels/mesh_words.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace scree {

namespace {

constexpr double least_edge = 1e-5; // m: shorter ones span no triangle
constexpr double least_sine = 1e-5; // thinner triangles have no normal in floats
constexpr double flat_sine = 0.01;  // of the angle between two faces
constexpr float most_place = 1e8f;  // m
constexpr std::uint32_t leaf_most = 4;

void check_materials(const MeshOptions& options, std::size_t triangles) {
    if (options.materials.size() > 256)
        throw Error("the mesh has " + std::to_string(options.materials.size()) +
                        " materials; expected at most 256",
                    "materials");
    for (std::size_t m = 0; m < options.materials.size(); ++m) try {
            check(options.materials[m]);
        } catch (const Error& error) {
            const std::string what = error.what();
            throw Error(what.substr(error.where().size() + 2),
                        "materials[" + std::to_string(m) + "]." + error.where());
        }
    if (options.material_of.empty()) return;
    if (options.material_of.size() != triangles)
        throw Error("there are " + std::to_string(options.material_of.size()) + " numbers for " +
                        std::to_string(triangles) + " triangles; expected one for each, or none",
                    "material_of");
    for (std::size_t t = 0; t < triangles; ++t)
        if (options.material_of[t] >= options.materials.size())
            throw Error("triangle " + std::to_string(t) + " has material " +
                            std::to_string(options.material_of[t]) + "; expected one of " +
                            std::to_string(options.materials.size()),
                        "material_of");
}

void check_mesh(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices) {
    if (indices.empty() || indices.size() % 3)
        throw Error("there are " + std::to_string(indices.size()) +
                        " indices; expected three for each triangle, and one triangle at least",
                    "indices");
    if (indices.size() / 3 > Mesh::max_triangles)
        throw Error("the mesh has " + std::to_string(indices.size() / 3) + " triangles; expected at most " +
                        std::to_string(Mesh::max_triangles),
                    "indices");
    for (std::size_t v = 0; v < vertices.size(); ++v)
        for (const float x : {vertices[v].x, vertices[v].y, vertices[v].z})
            if (!(std::abs(x) <= most_place))
                refuse(x, "vertices[" + std::to_string(v) + "]", "finite coordinates of at most 1e8");
    for (std::size_t k = 0; k < indices.size(); ++k)
        if (indices[k] >= vertices.size())
            throw Error("index " + std::to_string(indices[k]) + " is out of range; expected less than " +
                            std::to_string(vertices.size()),
                        "indices[" + std::to_string(k) + "]");
}

class Builder {
public:
    explicit Builder(MeshGeometry& mesh) : mesh_(mesh) {}

    void build() {
        weld();
        keep_triangles();
        grow_tree();
        find_neighbours();
        write();
    }

private:
    struct Triangle {
        std::uint32_t corner[3]; // vertices
        std::uint32_t number;
        std::uint32_t neighbour[3] = {~0u, ~0u, ~0u};
        std::uint32_t edges = 0;
    };
    struct Node {
        Vec3 low, high;
        std::uint32_t count, next;
    };

    DVec3 at(std::uint32_t vertex) const { return wide(mesh_.vertices[vertex]); }
    DVec3 normal(const Triangle& t) const {
        return normalized(cross(at(t.corner[1]) - at(t.corner[0]), at(t.corner[2]) - at(t.corner[0])));
    }

    /// Vertices at one place are one: files list them once for each triangle.
    void weld() {
        std::vector<std::uint32_t> order(mesh_.vertices.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto place = [&](std::uint32_t v) {
            const Vec3& p = mesh_.vertices[v];
            return std::array{p.x, p.y, p.z}; // -0 equals 0
        };
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto p = place(a), q = place(b);
            return p != q ? p < q : a < b;
        });
        welded_.resize(order.size());
        for (std::size_t k = 0; k < order.size(); ++k)
            welded_[order[k]] =
                k && place(order[k]) == place(order[k - 1]) ? welded_[order[k - 1]] : order[k];
    }

    void keep_triangles() {
        const auto count = static_cast<std::uint32_t>(mesh_.indices.size() / 3);
        triangles_.reserve(count);
        for (std::uint32_t t = 0; t < count; ++t) {
            const std::uint32_t* corner = &mesh_.indices[3 * std::size_t{t}];
            const DVec3 a = at(corner[0]), b = at(corner[1]), c = at(corner[2]);
            const double longest = std::max({length(b - a), length(c - b), length(a - c)});
            if (!(longest > least_edge) || !(length(cross(b - a, c - a)) > least_sine * longest * longest))
                continue;
            triangles_.push_back({{corner[0], corner[1], corner[2]}, t});
        }
        mesh_.dropped = count - static_cast<std::uint32_t>(triangles_.size());
        if (triangles_.empty())
            throw Error("none of " + std::to_string(count) + " triangles has an area", "indices");
    }

    /// Halves along the longest side of the bounds of the triangles' middles, down to a few in a leaf.
    void grow_tree() {
        const std::size_t count = triangles_.size();
        std::vector<std::array<float, 3>> middle(count);
        for (std::size_t t = 0; t < count; ++t) {
            const DVec3 m =
                (at(triangles_[t].corner[0]) + at(triangles_[t].corner[1])) + at(triangles_[t].corner[2]);
            middle[t] = {static_cast<float>(m.x), static_cast<float>(m.y), static_cast<float>(m.z)};
        }
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0u);
        struct Range {
            std::uint32_t begin, end, parent; // the parent whose right child it is, or none
        };
        std::vector<Range> open{{0, static_cast<std::uint32_t>(count), ~0u}};
        while (!open.empty()) {
            const Range range = open.back();
            open.pop_back();
            const auto n = static_cast<std::uint32_t>(nodes_.size());
            if (range.parent != ~0u) nodes_[range.parent].next = n;
            Node node{mesh_.vertices[triangles_[order[range.begin]].corner[0]], {}, 0, 0};
            node.high = node.low;
            std::array<float, 3> low = middle[order[range.begin]], high = low;
            for (std::uint32_t k = range.begin; k < range.end; ++k) {
                for (const std::uint32_t v : triangles_[order[k]].corner) {
                    const Vec3& p = mesh_.vertices[v];
                    node.low = {std::min(node.low.x, p.x), std::min(node.low.y, p.y),
                                std::min(node.low.z, p.z)};
                    node.high = {std::max(node.high.x, p.x), std::max(node.high.y, p.y),
                                 std::max(node.high.z, p.z)};
                }
                for (std::size_t a = 0; a < 3; ++a) {
                    low[a] = std::min(low[a], middle[order[k]][a]);
                    high[a] = std::max(high[a], middle[order[k]][a]);
                }
            }
            if (range.end - range.begin <= leaf_most) {
                // nth_element leaves them in an order of the library's own
                std::sort(order.begin() + range.begin, order.begin() + range.end);
                node.count = range.end - range.begin;
                node.next = range.begin;
                nodes_.push_back(node);
                continue;
            }
            nodes_.push_back(node);
            std::size_t axis = 0;
            for (std::size_t a = 1; a < 3; ++a)
                if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
            const std::uint32_t half = range.begin + (range.end - range.begin) / 2;
            std::nth_element(order.begin() + range.begin, order.begin() + half, order.begin() + range.end,
                             [&](std::uint32_t a, std::uint32_t b) {
                                 return middle[a][axis] != middle[b][axis] ? middle[a][axis] < middle[b][axis]
                                                                           : a < b;
                             });
            // the left one is next
            open.push_back({half, range.end, n});
            open.push_back({range.begin, half, ~0u});
        }
        std::vector<Triangle> sorted;
        sorted.reserve(count);
        for (const std::uint32_t t : order) sorted.push_back(triangles_[t]);
        triangles_.swap(sorted);
    }

    void find_neighbours() {
        struct Side {
            std::uint32_t from, to; // from < to, welded
            std::uint32_t triangle, edge;
            bool reversed;
        };
        std::vector<Side> sides;
        sides.reserve(3 * triangles_.size());
        for (std::uint32_t t = 0; t < triangles_.size(); ++t)
            for (std::uint32_t e = 0; e < 3; ++e) {
                std::uint32_t a = welded_[triangles_[t].corner[e]];
                std::uint32_t b = welded_[triangles_[t].corner[(e + 1) % 3]];
                sides.push_back({std::min(a, b), std::max(a, b), t, e, a > b});
            }
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            if (a.from != b.from) return a.from < b.from;
            return a.to != b.to ? a.to < b.to : 3 * a.triangle + a.edge < 3 * b.triangle + b.edge;
        });
        for (std::size_t k = 0; k < sides.size();) {
            std::size_t end = k + 1;
            while (end < sides.size() && sides[end].from == sides[k].from && sides[end].to == sides[k].to)
                ++end;
            // three and more, or two that face different ways, are borders
            if (end == k + 2 && sides[k].reversed != sides[k + 1].reversed) {
                join(sides[k].triangle, sides[k].edge, sides[k + 1].triangle, sides[k + 1].edge);
                join(sides[k + 1].triangle, sides[k + 1].edge, sides[k].triangle, sides[k].edge);
            }
            k = end;
        }
    }

    void join(std::uint32_t t, std::uint32_t edge, std::uint32_t other, std::uint32_t other_edge) {
        Triangle& mine = triangles_[t];
        const Triangle& theirs = triangles_[other];
        const DVec3 n = normal(mine), from = at(mine.corner[edge]);
        const DVec3 along = normalized(at(mine.corner[(edge + 1) % 3]) - from);
        const DVec3 tip = at(theirs.corner[(other_edge + 2) % 3]) - from;
        const double sine = dot(n, tip) / length(tip - along * dot(along, tip));
        std::uint32_t kind = sine < -flat_sine  ? MESH_EDGE_CONVEX
                             : sine > flat_sine ? MESH_EDGE_CONCAVE
                                                : MESH_EDGE_FLAT;
        // folded back onto itself: a blade
        if (kind == MESH_EDGE_FLAT && dot(n, normal(theirs)) < 0) kind = MESH_EDGE_CONVEX;
        mine.neighbour[edge] = other;
        mine.edges |= kind << (2 * edge);
    }

    void write() {
        std::vector<std::uint32_t>& words = mesh_.words;
        const MeshOptions& options = mesh_.options;
        words.reserve(12 + 8 * (nodes_.size() + triangles_.size() + options.materials.size()) +
                      4 * mesh_.vertices.size());
        const auto number = [&](float x) { words.push_back(std::bit_cast<std::uint32_t>(x)); };
        for (const std::size_t count :
             {mesh_.vertices.size(), triangles_.size(), nodes_.size(), options.materials.size()})
            words.push_back(static_cast<std::uint32_t>(count));
        const Vec3 low = mesh_.low = nodes_[0].low, high = mesh_.high = nodes_[0].high;
        for (const float x : {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)})
            number(x);
        words.push_back(options.two_sided ? 1u : 0u);
        // a little more: both are rounded
        const auto half = [](float from, float to) {
            return 0.5f * (to - from) + 1e-6f * std::max(std::abs(from), std::abs(to));
        };
        for (const float x : {half(low.x, high.x), half(low.y, high.y), half(low.z, high.z)}) number(x);
        words.push_back(options.material_of.empty() ? 0u : 1u);
        for (const Node& node : nodes_) {
            number(node.low.x), number(node.low.y), number(node.low.z), words.push_back(node.count);
            number(node.high.x), number(node.high.y), number(node.high.z), words.push_back(node.next);
        }
        for (const Triangle& t : triangles_) {
            words.insert(words.end(), t.corner, t.corner + 3);
            words.push_back(t.number | t.edges << 24);
            words.insert(words.end(), t.neighbour, t.neighbour + 3);
            words.push_back(0);
        }
        for (const Vec3& v : mesh_.vertices) number(v.x), number(v.y), number(v.z), number(0);
        for (const Material& m : options.materials) {
            number(m.friction), number(m.restitution), number(m.rolling_resistance);
            words.push_back(static_cast<std::uint32_t>(m.friction_rule) |
                            static_cast<std::uint32_t>(m.restitution_rule) << 8);
            number(m.surface_velocity.x), number(m.surface_velocity.y), number(m.surface_velocity.z),
                number(0);
        }
        words.insert(words.end(), options.material_of.begin(), options.material_of.end());
    }

    MeshGeometry& mesh_;
    std::vector<std::uint32_t> welded_;
    std::vector<Triangle> triangles_;
    std::vector<Node> nodes_;
};

} // namespace

struct Mesh::Scaled {
    Scaled(std::shared_ptr<const MeshGeometry> of, Vec3 by) : geometry(std::move(of)), scale(by) {}
    std::shared_ptr<const MeshGeometry> geometry;
    Vec3 scale;
};

Mesh Mesh::from_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                          const MeshOptions& options) {
    check_mesh(vertices, indices);
    check_materials(options, indices.size() / 3);
    auto mesh = std::make_shared<MeshGeometry>();
    mesh->vertices.assign(vertices.begin(), vertices.end());
    mesh->indices.assign(indices.begin(), indices.end());
    mesh->options = options;
    Builder(*mesh).build();
    return Mesh(std::make_shared<const Scaled>(std::move(mesh), Vec3{1, 1, 1}));
}

Mesh Mesh::from_heights(const HeightField& field, const MeshOptions& options) {
    if (field.columns < 2 || field.rows < 2)
        throw Error("the field has " + std::to_string(field.columns) + " columns and " +
                        std::to_string(field.rows) + " rows; expected two of each at least",
                    "columns");
    const std::uint64_t points = std::uint64_t{field.columns} * field.rows;
    const std::uint64_t cells = std::uint64_t{field.columns - 1} * (field.rows - 1);
    if (2 * cells > max_triangles)
        throw Error("the field has " + std::to_string(2 * cells) + " triangles; expected at most " +
                        std::to_string(max_triangles),
                    "columns");
    if (field.heights.size() != points)
        throw Error("there are " + std::to_string(field.heights.size()) + " heights; expected " +
                        std::to_string(points),
                    "heights");
    check_positive(field.spacing, "spacing");
    std::vector<Vec3> vertices;
    vertices.reserve(points);
    const float left = -0.5f * static_cast<float>(field.columns - 1) * field.spacing,
                near = -0.5f * static_cast<float>(field.rows - 1) * field.spacing;
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column) {
            const float height = field.heights[std::size_t{row} * field.columns + column];
            vertices.push_back({left + static_cast<float>(column) * field.spacing,
                                std::isnan(height) ? 0 : height,
                                near + static_cast<float>(row) * field.spacing});
        }
    std::vector<std::uint32_t> indices;
    indices.reserve(6 * cells);
    for (std::uint32_t row = 0; row + 1 < field.rows; ++row)
        for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
            const std::uint32_t a = row * field.columns + column, b = a + 1, c = a + field.columns, d = c + 1;
            bool hole = false;
            for (const std::uint32_t v : {a, b, c, d}) hole = hole || std::isnan(field.heights[v]);
            // one without area keeps the numbers of the others
            if (hole) indices.insert(indices.end(), {a, a, a, a, a, a});
            else indices.insert(indices.end(), {a, c, b, b, c, d});
        }
    return from_triangles(vertices, indices, options);
}

Mesh Mesh::scaled(Vec3 scale) const {
    const auto check = [](float x, const char* where) {
        check_within(x, 0.001, 1000, where, "0.001 to 1000");
    };
    check(scale.x, "scale.x"), check(scale.y, "scale.y"), check(scale.z, "scale.z");
    if (!placed_) throw Error("the mesh has no triangles; expected one made by Mesh::from_triangles", "mesh");
    return Mesh(std::make_shared<const Scaled>(placed_->geometry, scale));
}

Vec3 Mesh::scale() const { return placed_ ? placed_->scale : Vec3{1, 1, 1}; }
const MeshGeometry& Mesh::geometry() const { return *placed_->geometry; }
std::shared_ptr<const MeshGeometry> Mesh::shared() const { return placed_ ? placed_->geometry : nullptr; }

std::shared_ptr<const std::vector<std::uint32_t>> mesh_words(const Mesh& mesh) {
    return {mesh.shared(), &mesh.geometry().words};
}

std::span<const Vec3> Mesh::vertices() const {
    return placed_ ? std::span<const Vec3>(geometry().vertices) : std::span<const Vec3>();
}
std::span<const std::uint32_t> Mesh::indices() const {
    return placed_ ? std::span<const std::uint32_t>(geometry().indices) : std::span<const std::uint32_t>();
}
std::uint32_t Mesh::triangles() const { return static_cast<std::uint32_t>(indices().size() / 3); }
std::uint32_t Mesh::dropped() const { return placed_ ? geometry().dropped : 0; }
const MeshOptions& Mesh::options() const {
    static const MeshOptions none;
    return placed_ ? geometry().options : none;
}

} // namespace scree
