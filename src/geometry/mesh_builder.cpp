// SPDX-License-Identifier: MIT
// mesh_builder.cpp — makes a mesh: neighbours, kinds of edges, and the tree; see mesh_geometry.h.
//
// All orders are total and all sizes known before, so that threads never decide about a bit: a subtree of n triangles has
// tree_nodes(n) nodes, and its place is known before it is built.

#include "geometry/mesh_builder.h"

#include "geometry/material.h"
#include "geometry/parallel.h"
#include "kernels/mesh_words.h"
#include "scree/error.h"
#include "scree/triangle_mesh.h"
#include "text/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace scree {

namespace {

constexpr double least_edge = 1e-5; // m: shorter ones span no triangle
constexpr double least_sine = 1e-5; // thinner triangles have no normal in floats
constexpr double flat_sine = 0.01;  // of the angle between two faces
constexpr float most_place = 1e8f;  // m
constexpr std::uint32_t leaf_most = 4;
constexpr std::size_t chunk = 16384; // items of a thread at a time

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

std::uint32_t tree_nodes(std::uint32_t triangles) {
    if (triangles <= leaf_most) return 1;
    // of two halves that differ by at most one: few different numbers, each asked for once a level
    const std::uint32_t half = triangles / 2, rest = triangles - half;
    const std::uint32_t nodes = tree_nodes(half);
    return 1 + nodes + (rest == half ? nodes : tree_nodes(rest));
}

class Builder {
public:
    Builder(MeshGeometry& mesh, int threads)
        // threads cost more than they save on few triangles
        : mesh_(mesh), threads_(mesh.indices.size() < 6 * chunk ? 1 : threads) {}

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
    };
    struct Node {
        Vec3 low, high;
        std::uint32_t count, next;
    };
    /// A triangle while the tree is built.
    struct Item {
        std::array<float, 3> middle; // three times
        std::uint32_t triangle;
    };
    struct Range {
        std::uint32_t begin, end, node;
        std::uint32_t size() const { return end - begin; }
    };
    /// An edge of a triangle, at the lower of its two welded vertices.
    struct Side {
        std::uint32_t to, place; // the other vertex; 3 times the triangle and the edge
        bool reversed;
    };

    DVec3 at(std::uint32_t vertex) const { return wide(mesh_.vertices[vertex]); }

    /// work(begin, end) over chunks of 0 … count - 1
    template <class Work>
    void chunks(std::size_t count, const Work& work) const {
        for_each_parallel((count + chunk - 1) / chunk, threads_,
                          [&](std::size_t k) { work(k * chunk, std::min(count, (k + 1) * chunk)); });
    }

    /// Vertices at one place are one, the first: files list them once for each triangle.
    void weld() {
        const auto count = static_cast<std::uint32_t>(mesh_.vertices.size());
        welded_.resize(count);
        std::size_t room = 16;
        while (room < 2 * std::size_t{count}) room *= 2;
        std::vector<std::uint32_t> table(room, ~0u);
        for (std::uint32_t v = 0; v < count; ++v) {
            const Vec3& p = mesh_.vertices[v];
            std::uint64_t key = 0;
            for (const float x : {p.x, p.y, p.z}) // -0 equals 0
                key = (key ^ std::bit_cast<std::uint32_t>(x + 0.0f)) * 0x9e3779b97f4a7c15u;
            std::size_t at = (key >> 20) & (room - 1);
            while (table[at] != ~0u && !(mesh_.vertices[table[at]] == p)) at = (at + 1) & (room - 1);
            if (table[at] == ~0u) table[at] = v;
            welded_[v] = table[at];
        }
    }

    void keep_triangles() {
        const auto count = static_cast<std::uint32_t>(mesh_.indices.size() / 3);
        std::vector<std::uint8_t> kept(count);
        const std::uint32_t* corner = mesh_.indices.data();
        chunks(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t)
                kept[t] = spans_area(mesh_.vertices[corner[3 * t]], mesh_.vertices[corner[3 * t + 1]],
                                     mesh_.vertices[corner[3 * t + 2]]);
        });
        triangles_.reserve(count);
        for (std::uint32_t t = 0; t < count; ++t, corner += 3)
            if (kept[t]) triangles_.push_back({{corner[0], corner[1], corner[2]}, t});
        mesh_.dropped = count - static_cast<std::uint32_t>(triangles_.size());
        if (triangles_.empty())
            throw Error("none of " + std::to_string(count) + " triangles has an area", "indices");
    }

    /// Halves along the longest side of the bounds of the triangles' middles, down to a few in a leaf. A height field is
    /// halved along its rows and columns only, so that its tree does not depend on the heights.
    void grow_tree() {
        const auto count = static_cast<std::uint32_t>(triangles_.size());
        items_.resize(count);
        nodes_.resize(tree_nodes(count));
        chunks(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                const Triangle& own = triangles_[t];
                const DVec3 m = (at(own.corner[0]) + at(own.corner[1])) + at(own.corner[2]);
                items_[t] = {{static_cast<float>(m.x), static_cast<float>(m.y), static_cast<float>(m.z)},
                             static_cast<std::uint32_t>(t)};
            }
        });
        // level by level until there is enough for all threads, then subtree by subtree
        std::vector<Range> open{{0, count, 0}};
        while (threads_ != 1 && open.size() < 64 && open.front().size() > chunk) {
            std::vector<Range> halves(2 * open.size());
            for_each_parallel(open.size(), threads_, [&](std::size_t k) {
                const auto [left, right] = halve(open[k]);
                halves[2 * k] = left, halves[2 * k + 1] = right;
            });
            open.swap(halves);
        }
        for_each_parallel(open.size(), threads_, [&](std::size_t k) { grow(open[k]); });
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            Node& node = nodes_[n];
            if (node.count) continue;
            node.low = nodes_[n + 1].low, node.high = nodes_[n + 1].high;
            widen(node, nodes_[node.next].low), widen(node, nodes_[node.next].high);
        }
        std::vector<Triangle> sorted(count);
        chunks(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) sorted[t] = triangles_[items_[t].triangle];
        });
        triangles_.swap(sorted);
        items_ = {};
    }

    void grow(const Range& range) {
        std::vector<Range> open{range};
        while (!open.empty()) {
            const Range own = open.back();
            open.pop_back();
            if (own.size() <= leaf_most) {
                make_leaf(own);
                continue;
            }
            const auto [left, right] = halve(own);
            open.push_back(right);
            open.push_back(left);
        }
    }

    static void widen(Node& node, const Vec3& p) {
        node.low = {std::min(node.low.x, p.x), std::min(node.low.y, p.y), std::min(node.low.z, p.z)};
        node.high = {std::max(node.high.x, p.x), std::max(node.high.y, p.y), std::max(node.high.z, p.z)};
    }

    void make_leaf(const Range& range) {
        const auto first = items_.begin() + range.begin;
        std::sort(first, first + range.size(),
                  [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
        Node& node = nodes_[range.node];
        node.low = node.high = mesh_.vertices[triangles_[first->triangle].corner[0]];
        for (std::uint32_t k = 0; k < range.size(); ++k)
            for (const std::uint32_t v : triangles_[first[k].triangle].corner) widen(node, mesh_.vertices[v]);
        node.count = range.size();
        node.next = range.begin;
    }

    std::pair<Range, Range> halve(const Range& range) {
        const auto first = items_.begin();
        std::array<float, 3> low = items_[range.begin].middle, high = low;
        for (std::uint32_t k = range.begin; k < range.end; ++k)
            for (std::size_t a = 0; a < 3; ++a) {
                low[a] = std::min(low[a], items_[k].middle[a]);
                high[a] = std::max(high[a], items_[k].middle[a]);
            }
        if (mesh_.field) low[1] = high[1];
        std::size_t axis = 0;
        for (std::size_t a = 1; a < 3; ++a)
            if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
        const std::uint32_t half = range.begin + range.size() / 2;
        std::nth_element(first + range.begin, first + half, first + range.end,
                         [axis](const Item& a, const Item& b) {
                             return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis]
                                                                     : a.triangle < b.triangle;
                         });
        const std::uint32_t right = range.node + 1 + tree_nodes(half - range.begin);
        nodes_[range.node].count = 0;
        nodes_[range.node].next = right;
        return {{range.begin, half, range.node + 1}, {half, range.end, right}};
    }

    void find_neighbours() {
        // the sides of each vertex together, as a counting sort puts them
        const std::size_t vertices = mesh_.vertices.size();
        std::vector<std::uint32_t> start(vertices + 1, 0);
        const auto each_side = [&](const auto& visit) {
            for (std::uint32_t t = 0; t < triangles_.size(); ++t)
                for (std::uint32_t e = 0; e < 3; ++e) {
                    const std::uint32_t a = welded_[triangles_[t].corner[e]];
                    const std::uint32_t b = welded_[triangles_[t].corner[(e + 1) % 3]];
                    visit(std::min(a, b), Side{std::max(a, b), 3 * t + e, a > b});
                }
        };
        each_side([&](std::uint32_t from, const Side&) { ++start[from + 1]; });
        for (std::size_t v = 0; v < vertices; ++v) start[v + 1] += start[v];
        std::vector<Side> sides(start[vertices]);
        std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
        each_side([&](std::uint32_t from, const Side& side) { sides[next[from]++] = side; });
        neighbour_.assign(3 * triangles_.size(), ~0u);
        kind_.assign(3 * triangles_.size(), MESH_EDGE_BORDER);
        chunks(vertices, [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) match_sides(&sides[start[v]], start[v + 1] - start[v]);
        });
    }

    void match_sides(Side* first, std::size_t count) {
        std::sort(first, first + count, [](const Side& a, const Side& b) {
            return a.to != b.to ? a.to < b.to : a.place < b.place;
        });
        for (std::size_t k = 0; k < count;) {
            std::size_t end = k + 1;
            while (end < count && first[end].to == first[k].to) ++end;
            // three and more, or two that face different ways, are borders
            if (end == k + 2 && first[k].reversed != first[k + 1].reversed) {
                join(first[k].place, first[k + 1].place);
                join(first[k + 1].place, first[k].place);
            }
            k = end;
        }
    }

    void join(std::uint32_t place, std::uint32_t other) {
        neighbour_[place] = other / 3;
        kind_[place] = static_cast<std::uint8_t>(edge_kind(mesh_, triangles_[place / 3].corner, place % 3,
                                                           triangles_[other / 3].corner, other % 3));
    }

    void write() {
        const MeshOptions& options = mesh_.options;
        const std::size_t nodes = nodes_.size(), count = triangles_.size(), vertices = mesh_.vertices.size(),
                          materials = options.materials.size();
        mesh_.words.resize(MESH_HEAD + 8 * (nodes + count + materials) + 4 * vertices +
                           options.material_of.size());
        const std::size_t sizes[] = {vertices, count, nodes, materials};
        for (std::size_t k = 0; k < 4; ++k) mesh_.words[k] = static_cast<std::uint32_t>(sizes[k]);
        std::uint32_t* to = mesh_.words.data() + MESH_HEAD;
        chunks(nodes, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                put_bounds(to + 8 * n, nodes_[n].low, nodes_[n].high);
                to[8 * n + 3] = nodes_[n].count;
                to[8 * n + 7] = nodes_[n].next;
            }
        });
        write_head(mesh_);
        to += 8 * nodes;
        chunks(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                std::uint32_t edges = 0;
                for (std::uint32_t e = 0; e < 3; ++e) {
                    to[8 * t + e] = triangles_[t].corner[e];
                    to[8 * t + 4 + e] = neighbour_[3 * t + e];
                    edges |= std::uint32_t{kind_[3 * t + e]} << (2 * e);
                }
                to[8 * t + 3] = triangles_[t].number | edges << 24;
                to[8 * t + 7] = 0;
            }
        });
        to += 8 * count;
        chunks(vertices, [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) put_vector(to + 4 * v, mesh_.vertices[v]);
        });
        to += 4 * vertices;
        for (const Material& m : options.materials) {
            const float numbers[] = {m.friction, m.restitution, m.rolling_resistance};
            for (std::size_t k = 0; k < 3; ++k) to[k] = std::bit_cast<std::uint32_t>(numbers[k]);
            to[3] = static_cast<std::uint32_t>(m.friction_rule) |
                    static_cast<std::uint32_t>(m.restitution_rule) << 8;
            put_vector(to + 4, m.surface_velocity);
            to += 8;
        }
        std::copy(options.material_of.begin(), options.material_of.end(), to);
    }

    MeshGeometry& mesh_;
    int threads_;
    std::vector<std::uint32_t> welded_;
    std::vector<Triangle> triangles_;
    std::vector<Item> items_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> neighbour_; ///< of each edge of each triangle
    std::vector<std::uint8_t> kind_;       ///< the same
};

} // namespace

bool spans_area(const Vec3& first, const Vec3& second, const Vec3& third) {
    const DVec3 a = wide(first), b = wide(second), c = wide(third);
    const double longest = std::max({length(b - a), length(c - b), length(a - c)});
    return longest > least_edge && length(cross(b - a, c - a)) > least_sine * longest * longest;
}

std::uint32_t edge_kind(const MeshGeometry& mesh, const std::uint32_t* mine, std::uint32_t edge,
                        const std::uint32_t* theirs, std::uint32_t their_edge) {
    const auto at = [&](std::uint32_t vertex) { return wide(mesh.vertices[vertex]); };
    const auto normal = [&](const std::uint32_t* t) {
        return normalized(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    };
    const DVec3 n = normal(mine), from = at(mine[edge]);
    const DVec3 along = normalized(at(mine[(edge + 1) % 3]) - from);
    const DVec3 tip = at(theirs[(their_edge + 2) % 3]) - from;
    const double sine = dot(n, tip) / length(tip - along * dot(along, tip));
    if (sine < -flat_sine) return MESH_EDGE_CONVEX;
    if (sine > flat_sine) return MESH_EDGE_CONCAVE;
    // folded back onto itself: a blade
    return dot(n, normal(theirs)) < 0 ? MESH_EDGE_CONVEX : MESH_EDGE_FLAT;
}

void put_vector(std::uint32_t* to, const Vec3& v) {
    const float numbers[] = {v.x, v.y, v.z, 0};
    for (std::size_t k = 0; k < 4; ++k) to[k] = std::bit_cast<std::uint32_t>(numbers[k]);
}

void put_bounds(std::uint32_t* node, const Vec3& low, const Vec3& high) {
    const float numbers[] = {low.x, low.y, low.z, 0, high.x, high.y, high.z};
    for (const std::size_t k : {0, 1, 2, 4, 5, 6}) node[k] = std::bit_cast<std::uint32_t>(numbers[k]);
}

void write_head(MeshGeometry& mesh) {
    const std::uint32_t* root = mesh.node(0);
    const auto corner = [&](std::size_t k) {
        return Vec3{std::bit_cast<float>(root[k]), std::bit_cast<float>(root[k + 1]),
                    std::bit_cast<float>(root[k + 2])};
    };
    const Vec3 low = mesh.low = corner(0), high = mesh.high = corner(4);
    // a little more: both are rounded
    const auto half = [](float from, float to) {
        return 0.5f * (to - from) + 1e-6f * std::max(std::abs(from), std::abs(to));
    };
    put_vector(&mesh.words[4], {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)});
    mesh.words[7] = mesh.options.two_sided ? 1u : 0u;
    put_vector(&mesh.words[8], {half(low.x, high.x), half(low.y, high.y), half(low.z, high.z)});
    mesh.words[11] = mesh.options.material_of.empty() ? 0u : 1u;
}

std::shared_ptr<MeshGeometry> build_mesh(std::vector<Vec3> vertices, std::vector<std::uint32_t> indices,
                                         const MeshOptions& options, std::optional<HeightField> field) {
    check_mesh(vertices, indices);
    check_materials(options, indices.size() / 3);
    auto mesh = std::make_shared<MeshGeometry>();
    mesh->vertices = std::move(vertices);
    mesh->indices = std::move(indices);
    mesh->options = options;
    mesh->field = std::move(field);
    Builder(*mesh, options.threads).build();
    return mesh;
}

struct Mesh::Scaled {
    Scaled(std::shared_ptr<const MeshGeometry> of, Vec3 by) : geometry(std::move(of)), scale(by) {}
    std::shared_ptr<const MeshGeometry> geometry;
    Vec3 scale;
};

Mesh::Mesh(std::shared_ptr<const MeshGeometry> geometry, Vec3 scale)
    : placed_(std::make_shared<const Scaled>(std::move(geometry), scale)) {}

Mesh Mesh::from_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                          const MeshOptions& options) {
    check_mesh(vertices, indices); // before memory is taken
    return Mesh(build_mesh({vertices.begin(), vertices.end()}, {indices.begin(), indices.end()}, options, {}),
                {1, 1, 1});
}

Mesh Mesh::from_triangles(const TriangleMesh& mesh, const MeshOptions& options) {
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles)
        indices.insert(indices.end(), triangle.begin(), triangle.end());
    return from_triangles(mesh.vertices, indices, options);
}

Mesh Mesh::scaled(Vec3 scale) const {
    const auto check = [](float x, const char* where) {
        check_within(x, 0.001, 1000, where, "0.001 to 1000");
    };
    check(scale.x, "scale.x"), check(scale.y, "scale.y"), check(scale.z, "scale.z");
    if (!placed_) throw Error("the mesh has no triangles; expected one made by Mesh::from_triangles", "mesh");
    return Mesh(placed_->geometry, scale);
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
