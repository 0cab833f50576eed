// SPDX-License-Identifier: MIT
// collision_cells.h — rooms and doors for Solver::impact: a body is compared only with what is in the cells that it may enter.
//
//     const CompiledLevel hall = compile_level(read_map("hall.map"));
//     const BodyId walls = add_level(world, hall.level);
//     set_cells(world, walls, collision_cells(hall.cells));
//
// Any division of space into cells with portals will do, not only that of a level. No result depends on it: the same impacts, bit
// for bit. Everything is in metres and in the world's frame.
#pragma once

#include "scree/error.h"
#include "scree/ids.h"
#include "scree/math.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree {

class World;
struct LevelCells;

struct CollisionCells {
    static constexpr std::uint32_t leaf_bit = 0x80000000u;
    static constexpr std::uint32_t solid = 0x7fffffffu; ///< instead of a cell: inside of a wall

    /// Space is divided by planes, so that the cells of a place are found in O(depth).
    struct Node {
        DVec3 normal{};
        double distance = 0; ///< normal . x > distance is in front
        std::array<std::uint32_t, 2>
            children{}; ///< in front, behind: a node, or leaf_bit and a cell or `solid`
    };
    /// A convex opening, one way: two triangles, corners 0 1 2 and 0 2 3, or one where the last two are equal.
    struct Portal {
        std::uint32_t to = 0;
        std::array<DVec3, 4> corners{};
    };
    struct Cell {
        DVec3 low{}, high{};
        std::vector<Portal> portals; ///< the ways out of it
        /// Of the box: `low` and `high` are along axes that are turned by this, as the walls of a room that stands aslant.
        DQuat rotation{};
    };
    /// A tree: the first is the root, parents come before their children, each has one parent. None if there is one cell.
    std::vector<Node> nodes;
    std::vector<Cell> cells;
};

/// At most two triangles that hold a convex polygon: itself, or the smallest rectangle around it that has a side along one of its
/// edges. Throws Error for fewer than three corners.
std::array<DVec3, 4> covering_triangles(std::span<const DVec3> polygon);

/// Those of a level (scree/level_cells.h), as add_level places it.
CollisionCells collision_cells(const LevelCells& level, float scale = 1 / 32.0f);

struct CellOptions {
    /// Neighbours become one cell while that has at most this many fixed shapes: fewer cells to enter and leave, more boxes in
    /// each. 0: no cells are merged.
    std::uint32_t merge_up_to = 0;
};
/// Solver::impact finds its pairs by these cells from the next step on. The shapes of `walls`, a fixed body, must fill everything
/// that is `solid`: a body can change cells only through portals. Shapes that can leave them otherwise are compared with all:
/// those of kinematic bodies, those that do not collide with the walls, and those that overlap a wall. Cells are not used while the
/// walls are not as they were, or while there is a contact filter. Snapshots and clones do not have them, nor does a world after
/// Rollback::restore: set them again.
/// Throws Error for another solver or device, cells that do not fit together, and walls that are not fixed.
void set_cells(World& world, BodyId walls, const CollisionCells& cells, const CellOptions& options = {});
void clear_cells(World& world);

/// Filters of pairs, none of which changes a bit of the state: what each of them saves can be measured.
struct ImpactFilters {
    bool cells = true;
    bool shafts = true; ///< the way of a shape against the box of another, before any distance
    /// Then boxes along the shapes' own directions on their ways: of long bodies they leave few pairs that do not meet, in about the
    /// time that measuring the distances takes.
    bool oriented = false;
};
void set_impact_filters(World& world, const ImpactFilters& filters);

/// What cells, shafts and oriented boxes did in the last step, between ImpactCounters::pairs and ImpactCounters::queued.
struct CellCounters {
    std::uint32_t cells = 0;       ///< in use, after merging; 0: none are used
    std::uint64_t memberships = 0; ///< cells of moving shapes, in all
    std::uint64_t entered = 0;     ///< cells that shapes came into
    std::uint64_t everywhere = 0;  ///< moving shapes that are compared with all
    std::uint64_t in_cells = 0;    ///< pairs that share a cell, once for each
    std::uint64_t candidates = 0;  ///< as ImpactCounters::candidates: boxes of the whole ways overlap
    std::uint64_t shafts = 0;      ///< of these, pairs whose ways meet
    std::uint64_t oriented = 0; ///< of these, pairs whose boxes along their own directions meet on their ways
};
CellCounters cell_counters(const World& world);

/// What the detector of Solver::impact did in the last flight of the last step (at most 1/60 s), to be drawn. Empty before the first
/// step.
struct DetectorView {
    struct Box {
        DVec3 low{}, high{};
    };
    /// A shape that moved: where it was looked for after its last impact in the flight, or since the flight began.
    struct Way {
        ShapeId shape;
        BodyId body;
        Box box; ///< of the whole way; pairs are those whose boxes overlap
        Box first,
            last; ///< of the shaft: the volume between the two is the way as it is held against portals
        std::vector<std::uint32_t> cells; ///< those that it could enter, as in `cells`
        bool everywhere = false;          ///< in no cell: compared with all
    };
    /// Two shapes whose boxes overlap, and which may touch.
    struct Pair {
        ShapeId first, second;
        bool measured = false; ///< the distance, at its last time: others were told apart by their ways alone
        double distance = 0;
        DVec3 from{},
            to{}; ///< measured: nearest points; else the middles of their boxes, within the other's if that has no end
    };
    std::vector<Way> ways;
    std::vector<Pair> pairs;
    std::vector<CollisionCells::Cell> cells; ///< in use, after merging; without cells none
    CellCounters counters{};
};
DetectorView detector_view(const World& world);

/// The world as its detector sees it now, as text: shapes with their boxes and cells, pairs with their distances, counters. Of
/// Solver::impact, after a step.
std::string detector_report(const World& world);

} // namespace scree
