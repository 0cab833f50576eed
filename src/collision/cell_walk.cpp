// SPDX-License-Identifier: MIT
// cell_walk.cpp — see cell_walk.h.

#include "collision/cell_walk.h"

#include "collision/oriented_way.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <tuple>

namespace scree {

void check_cells(const CollisionCells& cells, std::string_view where) {
    const auto demand = [&](bool holds, const std::string& what) {
        if (!holds) throw Error(what, std::string(where));
    };
    const std::string count = std::to_string(cells.cells.size());
    demand(!cells.cells.empty(), "has no cells: expected at least one");
    demand(!cells.nodes.empty() || cells.cells.size() == 1,
           "has no nodes: expected planes that divide its " + count + " cells");
    const auto finite = [](const DVec3& v) { return std::isfinite(v.x + v.y + v.z); };
    std::vector<bool> has_parent(cells.nodes.size());
    for (std::size_t n = 0; n < cells.nodes.size(); ++n) {
        const CollisionCells::Node& node = cells.nodes[n];
        const std::string name = "node " + std::to_string(n);
        demand(finite(node.normal) && std::isfinite(node.distance) &&
                   std::abs(dot(node.normal, node.normal) - 1) < 1e-6,
               name + ": expected a normal of length 1 and a finite distance");
        for (const std::uint32_t child : node.children) {
            const std::uint32_t leaf = child & ~CollisionCells::leaf_bit;
            const bool fits = child & CollisionCells::leaf_bit
                                  ? leaf == CollisionCells::solid || leaf < cells.cells.size()
                                  : child > n && child < cells.nodes.size();
            demand(fits, name + ": invalid child " + std::to_string(child) +
                             ": expected a later node, or leaf_bit and a cell below " + count);
            if (child & CollisionCells::leaf_bit) continue;
            // a walk through nodes that share children would come to them again and again
            demand(!has_parent[child],
                   name + ": invalid child " + std::to_string(child) + ": expected a node with one parent");
            has_parent[child] = true;
        }
    }
    for (std::size_t c = 0; c < cells.cells.size(); ++c) {
        const DVec3 &low = cells.cells[c].low, &high = cells.cells[c].high;
        demand(low.x <= high.x && low.y <= high.y && low.z <= high.z,
               "cell " + std::to_string(c) + ": expected a box whose low is not above its high");
        const DQuat& q = cells.cells[c].rotation;
        demand(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.s * q.s - 1) < 1e-6,
               "cell " + std::to_string(c) + ": expected a rotation of length 1");
        for (const CollisionCells::Portal& portal : cells.cells[c].portals) {
            const std::string name = "a portal of cell " + std::to_string(c);
            demand(portal.to < cells.cells.size(), name + ": invalid cell " + std::to_string(portal.to) +
                                                       ": expected a number below " + count);
            demand(std::all_of(portal.corners.begin(), portal.corners.end(), finite),
                   name + ": expected finite corners");
        }
    }
}

namespace {

OrientedBox box_of(const CollisionCells::Cell& cell) {
    const auto axis = [&](const DVec3& own) { return rotate(cell.rotation, own); };
    return {axis((cell.low + cell.high) * 0.5),
            {axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})},
            (cell.high - cell.low) * 0.5,
            0};
}

bool meets_box(const Shaft& shaft, const CollisionCells::Cell& cell) {
    return cell.rotation == DQuat{} ? meets(shaft, DBox{cell.low, cell.high})
                                    : meets_oriented(shaft, box_of(cell));
}

/// Along the world's axes.
DBox upright(const CollisionCells::Cell& cell) {
    if (cell.rotation == DQuat{}) return {cell.low, cell.high};
    const OrientedBox box = box_of(cell);
    const auto far = [&](const DVec3& n) { return reach_along(box, n); };
    return {{-far({-1, 0, 0}), -far({0, -1, 0}), -far({0, 0, -1})},
            {far({1, 0, 0}), far({0, 1, 0}), far({0, 0, 1})}};
}

} // namespace

bool CellWalk::place(const MovingConvex& shape, double margin, std::vector<std::uint32_t>& out) const {
    const std::size_t before = out.size();
    bool wall = false;
    constexpr std::size_t most = 64;
    std::uint32_t stack[most];
    std::vector<std::uint32_t> more; // of trees deeper than any that maps give
    std::size_t count = 0;
    const auto push = [&](std::uint32_t child) {
        if (count < most) stack[count++] = child;
        else more.push_back(child);
    };
    push(cells_.nodes.empty() ? CollisionCells::leaf_bit : 0);
    while (count > 0) {
        std::uint32_t at;
        if (!more.empty()) at = more.back(), more.pop_back();
        else at = stack[--count];
        if (at & CollisionCells::leaf_bit) {
            if ((at & ~CollisionCells::leaf_bit) == CollisionCells::solid) wall = true;
            else out.push_back(at & ~CollisionCells::leaf_bit);
            continue;
        }
        const CollisionCells::Node& node = cells_.nodes[at];
        const Reach extent = extent_along(shape, node.normal);
        bool front = extent.high >= node.distance - margin, behind = extent.low <= node.distance + margin;
        if (!front && !behind) front = behind = true; // thinner than twice the depth
        if (front) push(node.children[0]);
        if (behind) push(node.children[1]);
    }
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(begin, out.end());
    out.erase(std::unique(begin, out.end()), out.end());
    return wall;
}

void CellWalk::flood(const Shaft& shaft, std::vector<std::uint32_t>& cells) {
    if (++floods_ == 0) {
        std::fill(seen_.begin(), seen_.end(), 0u);
        floods_ = 1;
    }
    for (const std::uint32_t c : cells) seen_[c] = floods_;
    for (std::size_t next = 0; next < cells.size(); ++next)
        for (const CollisionCells::Portal& portal : cells_.cells[cells[next]].portals) {
            if (seen_[portal.to] == floods_) continue;
            const CollisionCells::Cell& other = cells_.cells[portal.to];
            ++boxes_;
            if (!meets_box(shaft, other)) continue;
            ++portals_;
            const std::array<DVec3, 4>& p = portal.corners;
            if (!meets(shaft, {p[0], p[1], p[2]}) && (p[2] == p[3] || !meets(shaft, {p[0], p[2], p[3]})))
                continue;
            seen_[portal.to] = floods_;
            cells.push_back(portal.to);
        }
    std::sort(cells.begin(), cells.end());
}

std::vector<std::uint32_t> merge_small(const CollisionCells& cells,
                                       const std::vector<std::vector<std::uint32_t>>& fixed,
                                       std::uint32_t most) {
    const std::size_t count = cells.cells.size();
    std::vector<std::uint32_t> parent(count);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t c) {
        while (parent[c] != c) c = parent[c] = parent[parent[c]];
        return c;
    };
    std::vector<std::vector<std::uint32_t>> held = fixed;
    const auto together = [&](std::uint32_t a, std::uint32_t b) {
        std::vector<std::uint32_t> out;
        std::set_union(held[a].begin(), held[a].end(), held[b].begin(), held[b].end(),
                       std::back_inserter(out));
        return out;
    };
    // one pass over the neighbours after another, the smallest union first, until none is small enough
    for (bool changed = most > 0; changed;) {
        changed = false;
        std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t c = 0; c < count; ++c)
            for (const CollisionCells::Portal& portal : cells.cells[c].portals) {
                const std::uint32_t a = root(c), b = root(portal.to);
                if (a < b) pairs.emplace_back(together(a, b).size(), a, b);
            }
        std::sort(pairs.begin(), pairs.end());
        for (const auto& [size, first, second] : pairs) {
            const std::uint32_t a = root(first), b = root(second);
            if (size > most || a == b) continue;
            std::vector<std::uint32_t> all = together(a, b);
            if (all.size() > most) continue;
            held[std::min(a, b)] = std::move(all);
            parent[std::max(a, b)] = std::min(a, b);
            changed = true;
        }
    }
    std::vector<std::uint32_t> number(count);
    std::uint32_t used = 0;
    for (std::uint32_t c = 0; c < count; ++c) number[c] = root(c) == c ? used++ : number[root(c)];
    return number;
}

CollisionCells merged(const CollisionCells& cells, const std::vector<std::uint32_t>& number) {
    CollisionCells out;
    out.nodes = cells.nodes;
    for (CollisionCells::Node& node : out.nodes)
        for (std::uint32_t& child : node.children)
            if ((child & CollisionCells::leaf_bit) &&
                (child & ~CollisionCells::leaf_bit) != CollisionCells::solid)
                child = CollisionCells::leaf_bit | number[child & ~CollisionCells::leaf_bit];
    std::vector<bool> begun;
    for (std::size_t c = 0; c < cells.cells.size(); ++c) {
        const CollisionCells::Cell& from = cells.cells[c];
        if (number[c] >= out.cells.size()) out.cells.resize(number[c] + 1), begun.resize(number[c] + 1);
        CollisionCells::Cell& to = out.cells[number[c]];
        if (!begun[number[c]]) {
            to.low = from.low, to.high = from.high, to.rotation = from.rotation;
        } else {
            if (!(to.rotation == from.rotation)) { // no axes in common but the world's
                const DBox own = upright(to), other = upright(from);
                to.low = min(own.low, other.low), to.high = max(own.high, other.high), to.rotation = {};
            } else {
                to.low = min(to.low, from.low), to.high = max(to.high, from.high);
            }
        }
        begun[number[c]] = true;
        for (const CollisionCells::Portal& portal : from.portals)
            if (number[portal.to] != number[c]) to.portals.push_back({number[portal.to], portal.corners});
    }
    return out;
}

} // namespace scree
