// SPDX-License-Identifier: MIT
// cell_walk.h — the cells that a shape is in, by the planes that divide space, and those that it may enter through portals.
#pragma once

#include "collision/time_of_impact.h"
#include "scree/collision_cells.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace scree {

/// Throws Error, with `where`, for indices beyond their lists, numbers that are not finite and nodes before their parents.
void check_cells(const CollisionCells& cells, std::string_view where);

class CellWalk {
public:
    /// The cells are used as long as this lives.
    explicit CellWalk(const CollisionCells& cells) : cells_(cells), seen_(cells.cells.size()) {}

    /// Appends the cells that the shape may touch, in order and each once; `margin`: or come as close to. True: it may touch a wall
    /// too. A negative margin: by more than that.
    bool place(const MovingConvex& shape, double margin, std::vector<std::uint32_t>& out) const;
    /// Appends those that are entered from the cells given: first the neighbour's box, then the portal is held against the shaft.
    void flood(const Shaft& shaft, std::vector<std::uint32_t>& cells);
    std::uint64_t boxes_tested() const { return boxes_; }
    std::uint64_t portals_tested() const { return portals_; }

private:
    const CollisionCells& cells_;
    std::vector<std::uint32_t> seen_; ///< of a cell: the last flood that came there
    std::uint32_t floods_ = 0;
    std::uint64_t boxes_ = 0, portals_ = 0;
};

/// Which cells become one: the new number of each. Neighbours join, those with the fewest fixed shapes together first, while they
/// have at most `most`. `fixed` are the shapes in each cell, in order.
std::vector<std::uint32_t> merge_small(const CollisionCells& cells,
                                       const std::vector<std::vector<std::uint32_t>>& fixed,
                                       std::uint32_t most);
CollisionCells merged(const CollisionCells& cells, const std::vector<std::uint32_t>& number);

} // namespace scree
