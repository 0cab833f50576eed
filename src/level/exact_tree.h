// SPDX-License-Identifier: MIT
// exact_tree.h — a tree of a level with what its numbers were rounded from: planes, regions, portals.
#pragma once

#include "level/plane_table.h"
#include "level/polyhedron.h"
#include "scree/level_tree.h"

#include <memory>
#include <vector>

namespace scree {

struct ExactTree {
    /// A convex region: the planes that bound it and at least its corners.
    struct Region {
        std::vector<const ExactPlane*> planes; ///< the region is inside of each
        std::vector<ExactCorner> corners;
    };
    LevelTree tree;
    std::unique_ptr<PlaneTable> planes;
    std::vector<ExactPlane> border;           ///< of the whole; regions point at them
    std::vector<const TwoSided*> node_planes; ///< for each node
    std::vector<Region> regions;              ///< for each leaf; none for solid ones
    std::vector<ExactPolygon> portals;        ///< for each portal
    std::vector<std::uint32_t> brushes;       ///< those that divide: indices into Level::brushes
};

ExactTree build_exact_tree(const Map& map, const Level& level, const LevelTreeOptions& options);
/// A brush of the map as its planes of the table bound it.
ExactPolyhedron exact_brush(const Map& map, const LevelBrush& brush, const ExactTree& within);

} // namespace scree
