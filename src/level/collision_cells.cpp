// SPDX-License-Identifier: MIT
// collision_cells.cpp — cells of a level in the world's frame, with simple portals.
#include "scree/collision_cells.h"

#include "scree/error.h"
#include "scree/level_cells.h"

#include <algorithm>
#include <vector>

namespace scree {

CollisionCells collision_cells(const LevelCells& level, float scale) {
    if (!(scale > 0)) throw Error("invalid scale: expected a positive number", "scale");
    static_assert(LevelCells::leaf_bit == CollisionCells::leaf_bit &&
                  LevelCells::solid == CollisionCells::solid);
    CollisionCells out;
    out.nodes.reserve(level.nodes.size());
    for (const LevelCells::Node& node : level.nodes)
        out.nodes.push_back({from_map(node.normal, 1), node.distance * double{scale}, node.children});
    out.cells.reserve(level.cells.size());
    for (const LevelCells::Cell& cell : level.cells) {
        const DVec3 a = from_map(cell.low, scale), b = from_map(cell.high, scale);
        CollisionCells::Cell& to = out.cells.emplace_back();
        to.low = min(a, b), to.high = max(a, b);
        for (const std::uint32_t p : cell.portals) {
            const LevelCells::Portal& portal = level.portals[p];
            std::vector<DVec3> corners;
            corners.reserve(portal.corners.size());
            for (const DVec3& corner : portal.corners) corners.push_back(from_map(corner, scale));
            to.portals.push_back({portal.to, covering_triangles(corners)});
        }
    }
    return out;
}

} // namespace scree
