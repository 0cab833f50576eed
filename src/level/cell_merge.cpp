// SPDX-License-Identifier: MIT
// cell_merge.cpp — see cell_merge.h.
//
// Two convex cells with a common face have a convex union if and only if each lies inside of all planes of the other one except
// that of the face: a plane of one of them that is not the common one has an area on the border of the union. Corners are exact,
// so this is too. Rooms are made after Lefebvre and Hornus (2003): the widest openings are no doors and go first.
#include "level/cell_merge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace scree {
namespace {

using Region = ExactTree::Region;

class Merger {
public:
    explicit Merger(ExactTree& exact)
        : exact_(exact), tree_(exact.tree), numbers_(exact.numbers()), regions_(std::move(exact.regions)) {
        parent_.resize(tree_.leaves.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
        version_.assign(parent_.size(), 0);
        convex_.assign(parent_.size(), true);
        for (const LevelTree::Leaf& leaf : tree_.leaves) boxes_.push_back({leaf.low, leaf.high});
        by_area_.resize(tree_.portals.size());
        std::iota(by_area_.begin(), by_area_.end(), 0u);
        std::sort(by_area_.begin(), by_area_.end(), [&](std::uint32_t a, std::uint32_t b) {
            const double of_a = tree_.portals[a].area, of_b = tree_.portals[b].area;
            return of_a != of_b ? of_a > of_b : a < b;
        });
    }

    void merge_convex() {
        // a pair that failed is tried again only after one of the two has grown
        std::vector<std::pair<std::uint32_t, std::uint32_t>> tried(tree_.portals.size(), {0, 0});
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t p : by_area_) {
                const auto [a, b] = cells_of(p);
                if (a == b) continue;
                const std::pair<std::uint32_t, std::uint32_t> now{version_[a] + 1, version_[b] + 1};
                if (tried[p] == now) continue;
                tried[p] = now;
                const TwoSided& face = exact_.planes->of(exact_.portals.plane(p, numbers_));
                if (!inside(regions_[a], regions_[b], face) || !inside(regions_[b], regions_[a], face))
                    continue;
                unite_regions(a, b, face);
                unite(a, b);
                changed = true;
            }
        }
    }

    void merge_rooms(double openness) {
        for (;;) {
            // openings between two cells, however many portals they are of
            std::vector<Opening> openings;
            for (std::uint32_t p = 0; p < tree_.portals.size(); ++p) {
                const auto [a, b] = cells_of(p);
                if (a == b) continue;
                openings.push_back({std::min(a, b), std::max(a, b), p, tree_.portals[p].area});
            }
            std::sort(openings.begin(), openings.end(), [](const Opening& x, const Opening& y) {
                return std::tie(x.a, x.b, x.portal) < std::tie(y.a, y.b, y.portal);
            });
            std::vector<Opening> joined;
            for (const Opening& one : openings) {
                if (!joined.empty() && joined.back().a == one.a && joined.back().b == one.b)
                    joined.back().area += one.area;
                else joined.push_back(one);
            }
            for (Opening& one : joined) one.share = share_of(one);
            std::sort(joined.begin(), joined.end(), [](const Opening& x, const Opening& y) {
                return x.share != y.share ? x.share > y.share : std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
            // each cell once in a round, so that every share is that of the cells as they are
            std::vector<bool> busy(parent_.size(), false);
            bool changed = false;
            for (const Opening& one : joined) {
                if (one.share < openness) break;
                if (busy[one.a] || busy[one.b]) continue;
                busy[one.a] = busy[one.b] = true;
                unite(one.a, one.b);
                convex_[one.a] = false;
                changed = true;
            }
            if (!changed) return;
        }
    }

    CellGroups groups() {
        CellGroups out;
        out.cell_of_leaf.assign(parent_.size(), LevelCells::solid);
        std::vector<std::uint32_t> number(parent_.size(), LevelCells::solid);
        for (std::uint32_t i = 0; i < parent_.size(); ++i) {
            if (tree_.leaves[i].solid) continue;
            std::uint32_t& cell = number[root(i)];
            if (cell == LevelCells::solid) {
                cell = static_cast<std::uint32_t>(out.convex.size());
                out.convex.push_back(convex_[root(i)]);
            }
            out.cell_of_leaf[i] = cell;
        }
        return out;
    }

private:
    struct Box {
        DVec3 low, high;
    };
    struct Opening {
        std::uint32_t a, b, portal;
        double area, share = 0;
    };

    std::uint32_t root(std::uint32_t leaf) {
        while (parent_[leaf] != leaf) leaf = parent_[leaf] = parent_[parent_[leaf]];
        return leaf;
    }
    std::pair<std::uint32_t, std::uint32_t> cells_of(std::uint32_t portal) {
        return {root(tree_.portals[portal].leaves[0]), root(tree_.portals[portal].leaves[1])};
    }
    static bool common(std::uint32_t plane, const TwoSided& face) {
        return plane / 2 == face.sides[0].number / 2;
    }
    /// Whether b is inside of the planes of a, the common one aside.
    bool inside(const Region& a, const Region& b, const TwoSided& face) {
        corners_.clear(); // those of b, as far as they were looked at
        return std::all_of(a.planes.begin(), a.planes.end(), [&](std::uint32_t number) {
            if (common(number, face)) return true;
            const ExactPlane& plane = *numbers_.plane(number);
            for (std::size_t k = 0; k < b.corners.size(); ++k) {
                if (k == corners_.size()) corners_.push_back(numbers_.corner(b.corners[k]));
                if (side_of(plane, corners_[k]) > 0) return false;
            }
            return true;
        });
    }
    void unite_regions(std::uint32_t a, std::uint32_t b, const TwoSided& face) {
        Region& into = regions_[a];
        std::erase_if(into.planes, [&](std::uint32_t plane) { return common(plane, face); });
        for (const std::uint32_t plane : regions_[b].planes)
            if (!common(plane, face) &&
                std::find(into.planes.begin(), into.planes.end(), plane) == into.planes.end())
                into.planes.push_back(plane);
        // the other one has the corners of the common face too; of these only those are left where three planes still meet
        const auto stays = [&](const ExactCorner& corner) {
            return std::count_if(into.planes.begin(), into.planes.end(), [&](std::uint32_t plane) {
                       return side_of(*numbers_.plane(plane), corner) == 0;
                   }) >= 3;
        };
        const auto on_face = [&](const ExactCorner& corner) { return side_of(face.sides[0], corner) == 0; };
        std::erase_if(into.corners, [&](const PlaneNumbers::Corner& corner) {
            const ExactCorner at = numbers_.corner(corner);
            return on_face(at) && !stays(at);
        });
        for (const PlaneNumbers::Corner& corner : regions_[b].corners)
            if (!on_face(numbers_.corner(corner))) into.corners.push_back(corner);
        regions_[b] = {};
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        parent_[b] = a;
        ++version_[a];
        boxes_[a] = {min(boxes_[a].low, boxes_[b].low), max(boxes_[a].high, boxes_[b].high)};
    }
    /// The opening's area against the cross-section of the wider cell, along the opening's axis.
    double share_of(const Opening& one) const {
        const DVec3 n = tree_.portals[one.portal].normal;
        const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
        const auto section = [&](const Box& box) {
            const DVec3 size = box.high - box.low;
            return x >= y && x >= z ? size.y * size.z : y >= z ? size.x * size.z : size.x * size.y;
        };
        return one.area / std::max(section(boxes_[one.a]), section(boxes_[one.b]));
    }

    const ExactTree& exact_;
    const LevelTree& tree_;
    const PlaneNumbers numbers_;
    std::vector<Region> regions_;
    std::vector<ExactCorner> corners_;
    std::vector<std::uint32_t> parent_, version_, by_area_;
    std::vector<bool> convex_;
    std::vector<Box> boxes_;
};

} // namespace

CellGroups merge_leaves(ExactTree& exact, CellMerge merge, double openness) {
    Merger merger(exact);
    if (merge != CellMerge::none) merger.merge_convex();
    if (merge == CellMerge::rooms) merger.merge_rooms(openness);
    return merger.groups();
}

} // namespace scree
