// SPDX-License-Identifier: MIT
// cells.cpp — a level's tree to cells: merged leaves, joined portals, and the faces, patches and lights of each.
#include "level/cell_merge.h"
#include "level/exact_tree.h"
#include "level/exported_keys.h"
#include "level/material_name.h"
#include "level/portal_join.h"
#include "scree/level_cells.h"
#include "text/checks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

constexpr double touch_slack = 1e-3; // units: more than what rounding moves a corner

class CellBuilder {
public:
    CellBuilder(const Map& map, const Level& level, CompileReport& report)
        : map_(map), level_(level), report_(report) {}

    LevelCells build(const LevelCellOptions& options) {
        const Clock::time_point begin = Clock::now();
        exact_ = build_exact_tree(map_, level_, options.tree);
        const Clock::time_point divided = Clock::now();
        const auto tell = [&](const char* stage, double share) {
            if (options.tree.progress) options.tree.progress(stage, share);
        };
        tell("cells", 0);
        groups_ = merge_leaves(exact_, options.merge, options.openness);
        make_cells();
        make_nodes();
        make_portals();
        mark_outside();
        const Clock::time_point merged = Clock::now();
        tell("cells", 1);
        tell("faces", 0);
        place_faces();
        place_patches_and_lights();
        tell("faces", 1);
        report_.tree_and_portals = seconds(begin, divided);
        report_.merging = seconds(divided, merged);
        report_.faces = seconds(merged, Clock::now());
        report_.tree = std::move(exact_.tree);
        return std::move(out_);
    }

private:
    void make_cells() {
        const LevelTree& tree = exact_.tree;
        out_.cells.resize(groups_.convex.size());
        for (std::size_t c = 0; c < out_.cells.size(); ++c) out_.cells[c].convex = groups_.convex[c];
        std::vector<bool> begun(out_.cells.size(), false);
        for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
            if (groups_.cell_of_leaf[i] == LevelCells::solid) continue;
            const LevelTree::Leaf& leaf = tree.leaves[i];
            LevelCells::Cell& cell = out_.cells[groups_.cell_of_leaf[i]];
            const bool first = !begun[groups_.cell_of_leaf[i]];
            begun[groups_.cell_of_leaf[i]] = true;
            cell.low = first ? leaf.low : min(cell.low, leaf.low);
            cell.high = first ? leaf.high : max(cell.high, leaf.high);
            cell.volume += leaf.volume;
            cell.outside = cell.outside || leaf.border;
        }
    }

    /// The tree without nodes whose two sides are in one cell, or both solid.
    void make_nodes() {
        const LevelTree& tree = exact_.tree;
        if (tree.nodes.empty()) return;
        const auto in_cells = [&](std::uint32_t child) {
            return child & LevelTree::leaf_bit
                       ? LevelCells::leaf_bit | groups_.cell_of_leaf[child & ~LevelTree::leaf_bit]
                       : child;
        };
        // children have higher numbers than their parents
        std::vector<std::uint32_t> replaced(tree.nodes.size());
        std::vector<std::array<std::uint32_t, 2>> children(tree.nodes.size());
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            for (std::size_t side = 0; side < 2; ++side) {
                const std::uint32_t child = in_cells(tree.nodes[i].children[side]);
                children[i][side] = child & LevelCells::leaf_bit ? child : replaced[child];
            }
            const bool one = children[i][0] == children[i][1] && (children[i][0] & LevelCells::leaf_bit);
            replaced[i] = one ? children[i][0] : static_cast<std::uint32_t>(i);
        }
        std::vector<std::uint32_t> number(tree.nodes.size(), 0);
        std::vector<std::uint32_t> order;
        if (!(replaced[0] & LevelCells::leaf_bit)) order.push_back(0);
        for (std::size_t next = 0; next < order.size(); ++next) {
            number[order[next]] = static_cast<std::uint32_t>(next);
            for (const std::uint32_t child : children[order[next]])
                if (!(child & LevelCells::leaf_bit)) order.push_back(child);
        }
        for (const std::uint32_t i : order) {
            LevelCells::Node& node = out_.nodes.emplace_back();
            node.normal = tree.nodes[i].normal;
            node.distance = tree.nodes[i].distance;
            for (std::size_t side = 0; side < 2; ++side) {
                const std::uint32_t child = children[i][side];
                node.children[side] = child & LevelCells::leaf_bit ? child : number[child];
            }
        }
    }

    /// A portal of the tree between two cells.
    struct Piece {
        std::uint32_t front, behind;
        const ExactPlane* plane;
        std::uint32_t first, portal; ///< the first portal in that plane gives the order, not its address
    };

    /// Pieces of one plane between the same cells, in front and behind, next to each other.
    std::vector<Piece> sorted_pieces(const PlaneNumbers& numbers) const {
        std::unordered_map<const ExactPlane*, std::uint32_t> first_of;
        std::vector<Piece> pieces;
        for (std::uint32_t p = 0; p < exact_.tree.portals.size(); ++p) {
            const auto& leaves = exact_.tree.portals[p].leaves;
            const std::uint32_t a = groups_.cell_of_leaf[leaves[0]], b = groups_.cell_of_leaf[leaves[1]];
            if (a == b) continue;
            const ExactPlane* plane = exact_.portals.plane(p, numbers);
            pieces.push_back({a, b, plane, first_of.try_emplace(plane, p).first->second, p});
        }
        std::sort(pieces.begin(), pieces.end(), [](const Piece& x, const Piece& y) {
            return std::tie(x.front, x.behind, x.first, x.portal) <
                   std::tie(y.front, y.behind, y.first, y.portal);
        });
        return pieces;
    }

    void make_portals() {
        const PlaneNumbers numbers = exact_.numbers();
        std::vector<Piece> pieces = sorted_pieces(numbers);
        // joined and counted before they are made, so that each list is as long as it must be
        PolygonList joined;
        std::vector<std::array<std::uint32_t, 2>> sides;
        std::vector<std::uint32_t> counts(out_.cells.size(), 0);
        for (std::size_t begin = 0; begin < pieces.size();) {
            std::size_t end = begin;
            std::vector<ExactPolygon> polygons;
            for (; end < pieces.size() && pieces[end].front == pieces[begin].front &&
                   pieces[end].behind == pieces[begin].behind && pieces[end].plane == pieces[begin].plane;
                 ++end)
                polygons.push_back(exact_.portals.polygon(pieces[end].portal, numbers));
            join_polygons(polygons);
            for (const ExactPolygon& polygon : polygons) {
                joined.add(polygon, numbers);
                sides.push_back({pieces[begin].front, pieces[begin].behind});
                for (const std::uint32_t cell : sides.back()) ++counts[cell];
            }
            begin = end;
        }
        exact_.portals = {};
        pieces = {};
        for (std::size_t c = 0; c < counts.size(); ++c) out_.cells[c].portals.reserve(counts[c]);
        out_.portals.reserve(2 * joined.size());
        for (std::size_t i = 0; i < joined.size(); ++i)
            add_portal(joined.polygon(i, numbers), sides[i][0], sides[i][1]);
    }

    void add_portal(const ExactPolygon& polygon, std::uint32_t front, std::uint32_t behind) {
        LevelCells::Portal portal;
        const auto number = static_cast<std::uint32_t>(out_.portals.size());
        portal.normal = normal_of(*polygon.plane);
        portal.corners.reserve(polygon.corners.size());
        for (const ExactCorner& corner : polygon.corners) portal.corners.push_back(position_of(corner));
        portal.distance = dot(portal.normal, portal.corners[0]);
        DVec3 twice{};
        for (std::size_t k = 2; k < portal.corners.size(); ++k)
            twice += cross(portal.corners[k - 1] - portal.corners[0], portal.corners[k] - portal.corners[0]);
        portal.area = length(twice) / 2;
        portal.from = front;
        portal.to = behind;
        portal.twin = number + 1;
        out_.portals.push_back(portal);
        // the other way round
        std::swap(portal.from, portal.to);
        portal.twin = number;
        portal.normal = DVec3{0 - portal.normal.x, 0 - portal.normal.y, 0 - portal.normal.z};
        portal.distance = 0 - portal.distance;
        std::reverse(portal.corners.begin(), portal.corners.end());
        out_.portals.push_back(portal);
        out_.cells[front].portals.push_back(number);
        out_.cells[behind].portals.push_back(number + 1);
    }

    void mark_outside() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t c = 0; c < out_.cells.size(); ++c)
            if (out_.cells[c].outside) order.push_back(c);
        for (std::size_t next = 0; next < order.size(); ++next)
            for (const std::uint32_t p : out_.cells[order[next]].portals) {
                LevelCells::Cell& cell = out_.cells[out_.portals[p].to];
                if (cell.outside) continue;
                cell.outside = true;
                order.push_back(out_.portals[p].to);
            }
    }

    // what is seen where -------------------------------------------------------------------------------------------

    void place_faces() {
        std::vector<bool> divides(level_.brushes.size(), false);
        for (const std::uint32_t b : exact_.brushes) divides[b] = true;
        for (std::uint32_t b = 0; b < level_.brushes.size(); ++b) {
            const LevelBrush& brush = level_.brushes[b];
            if (!brush.solid) continue;
            if (divides[b]) place_exactly(b);
            else
                for (std::uint32_t f = 0; f < brush.faces.size(); ++f) {
                    if (draws_nothing(level_.materials[brush.faces[f].material])) continue;
                    points_.clear();
                    for (const std::uint32_t corner : brush.faces[f].corners)
                        points_.push_back(brush.vertices[corner]);
                    reached_.clear();
                    out_.touched(points_.data(), points_.size(), touch_slack, reached_);
                    add_face({b, f});
                }
        }
    }

    void add_face(LevelCells::Face face) {
        for (const std::uint32_t c : reached_) out_.cells[c].faces.push_back(face);
    }

    /// Faces of a brush that divides lie on planes of the tree: they are seen from the side that they look to.
    void place_exactly(std::uint32_t b) {
        const LevelBrush& brush = level_.brushes[b];
        const ExactPolyhedron solid = exact_brush(map_, brush, exact_);
        // the polyhedron's faces are those of the brush, in the order of the cuts
        for (const ExactPolyhedron::Face& face : solid.faces) {
            std::uint32_t f = 0;
            const DVec3 normal = normal_of(*face.plane);
            for (std::uint32_t k = 1; k < brush.faces.size(); ++k)
                if (dot(brush.faces[k].normal, normal) > dot(brush.faces[f].normal, normal)) f = k;
            reached_.clear();
            descend(solid.polygon(face));
            std::sort(reached_.begin(), reached_.end());
            reached_.erase(std::unique(reached_.begin(), reached_.end()), reached_.end());
            add_face({b, f});
        }
    }

    void descend(ExactPolygon whole) {
        const LevelTree& tree = exact_.tree;
        std::vector<std::pair<ExactPolygon, std::uint32_t>> stack;
        stack.emplace_back(std::move(whole), tree.nodes.empty() ? LevelTree::leaf_bit : 0);
        while (!stack.empty()) {
            auto [polygon, at] = std::move(stack.back());
            stack.pop_back();
            while (!(at & LevelTree::leaf_bit)) {
                const TwoSided& plane = *exact_.node_planes[at];
                const auto& children = tree.nodes[at].children;
                if (polygon.plane == &plane.sides[0] || polygon.plane == &plane.sides[1]) {
                    at = children[polygon.plane == &plane.sides[0] ? 0 : 1];
                    continue;
                }
                int low = 1, high = -1;
                for (const ExactCorner& corner : polygon.corners) {
                    const int side = side_of(plane.sides[0], corner);
                    low = std::min(low, side), high = std::max(high, side);
                }
                if (low < 0 && high > 0) {
                    stack.emplace_back(clipped(polygon, plane.sides[0]), children[1]);
                    polygon = clipped(polygon, plane.sides[1]);
                }
                at = children[high > 0 ? 0 : 1];
            }
            const std::uint32_t cell = groups_.cell_of_leaf[at & ~LevelTree::leaf_bit];
            if (cell != LevelCells::solid) reached_.push_back(cell);
        }
    }

    void place_patches_and_lights() {
        for (std::uint32_t p = 0; p < level_.patches.size(); ++p) {
            const LevelPatch& patch = level_.patches[p];
            if (!patch.solid || draws_nothing(level_.materials[patch.material])) continue;
            reached_.clear();
            for (const auto& triangle : patch.triangles) {
                const DVec3 corners[3] = {patch.vertices[triangle[0]], patch.vertices[triangle[1]],
                                          patch.vertices[triangle[2]]};
                out_.touched(corners, 3, touch_slack, reached_);
            }
            std::sort(reached_.begin(), reached_.end());
            reached_.erase(std::unique(reached_.begin(), reached_.end()), reached_.end());
            for (const std::uint32_t c : reached_) out_.cells[c].patches.push_back(p);
        }
        for (std::uint32_t l = 0; l < level_.lights.size(); ++l) {
            const std::uint32_t cell = out_.cell_at(level_.lights[l].position);
            if (cell != LevelCells::solid) out_.cells[cell].lights.push_back(l);
        }
    }

    const Map& map_;
    const Level& level_;
    CompileReport& report_;
    ExactTree exact_;
    CellGroups groups_;
    LevelCells out_;
    std::vector<DVec3> points_;
    std::vector<std::uint32_t> reached_;
};

} // namespace

std::uint32_t LevelCells::cell_at(DVec3 at) const {
    if (nodes.empty()) return cells.empty() ? solid : 0;
    std::uint32_t child = 0;
    while (!(child & leaf_bit)) {
        const Node& node = nodes[child];
        child = node.children[dot(node.normal, at) > node.distance ? 0 : 1];
    }
    return child & ~leaf_bit;
}

bool LevelCells::touched(const DVec3* points, std::size_t count, double slack,
                         std::vector<std::uint32_t>& found) const {
    const std::size_t before = found.size();
    bool wall = false;
    // calls itself for what is behind; no memory is asked for, since pictures do this for each body
    const auto descend = [&](const auto& self, std::uint32_t at) -> void {
        while (!(at & leaf_bit)) {
            const Node& node = nodes[at];
            bool front = false, behind = false;
            for (std::size_t i = 0; i < count; ++i) {
                const double height = dot(node.normal, points[i]) - node.distance;
                front = front || height >= -slack;
                behind = behind || height <= slack;
            }
            if (front && behind) self(self, node.children[1]);
            at = node.children[front ? 0 : 1];
        }
        if ((at & ~leaf_bit) == solid) wall = true;
        else found.push_back(at & ~leaf_bit);
    };
    descend(descend, nodes.empty() ? leaf_bit | (cells.empty() ? solid : 0) : 0);
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(begin, found.end());
    found.erase(std::unique(begin, found.end()), found.end());
    return wall;
}

LevelCells build_cells(const Map& map, const Level& level, const LevelCellOptions& options,
                       CompileReport* report) {
    check_one_of(options.merge, CellMerge::rooms, "LevelCellOptions::merge", "a kind of merging");
    check_within(options.openness, 0.01, 1000, "LevelCellOptions::openness", "a number from 0.01 to 1,000");
    CompileReport unused;
    return CellBuilder(map, level, report ? *report : unused).build(options);
}

CompiledLevel compile_level(const Map& map, const LevelOptions& making, const LevelCellOptions& options,
                            CompileReport* report) {
    CompiledLevel out;
    CompileReport unused;
    CompileReport& told = report ? *report : unused;
    const Clock::time_point begin = Clock::now();
    out.level = build_level(map, making);
    told.polyhedra = seconds(begin, Clock::now());
    out.cells = build_cells(map, out.level, options, &told);
    out.entities = exported_keys(map);
    if (options.tree.stops_early()) { // brushes that are left in leaves close ways that this tree shows
        LevelTreeOptions whole = options.tree;
        whole.stop_brushes = whole.stop_depth = whole.stop_cost = 0;
        whole.stop_size = 0;
        whole.progress = nullptr;
        told.leak = find_leak(map, build_tree(map, out.level, whole));
    } else {
        told.leak = find_leak(map, told.tree);
    }
    if (told.leak) out.leak = told.leak->path;
    return out;
}

} // namespace scree
