// SPDX-License-Identifier: MIT
// cell_merge.h — leaves of a tree put together to few, large cells.
#pragma once

#include "level/exact_tree.h"
#include "scree/level_cells.h"

namespace scree {

/// For each leaf the number of its cell; LevelCells::solid for solid leaves. Cells are numbered in the order of their first leaf.
struct CellGroups {
    std::vector<std::uint32_t> cell_of_leaf;
    std::vector<bool> convex; ///< for each cell
};
/// `exact` has no regions any more then.
CellGroups merge_leaves(ExactTree& exact, CellMerge merge, double openness);

} // namespace scree
