// SPDX-License-Identifier: MIT
// level_cells.h — a level as rooms: cells of empty space, portals between them, and what is drawn in each.
//
//     const CompiledLevel hall = compile_level(read_map("hall.map"));
//     const std::uint32_t here = hall.cells.cell_at({0, 0, 64});
//     if (here != LevelCells::solid)
//         for (const std::uint32_t p : hall.cells.cells[here].portals) enter(hall.cells.portals[p].to);
//
// Everything is in the editor's units, z up.
#pragma once

#include "scree/level_tree.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree {

struct LevelCells {
    static constexpr std::uint32_t leaf_bit = 0x80000000u;
    static constexpr std::uint32_t solid = 0x7fffffffu; ///< instead of a cell: inside of a brush

    struct Node {
        DVec3 normal{};
        double distance = 0; ///< normal . x > distance is in front
        std::array<std::uint32_t, 2>
            children{}; ///< in front, behind: a node, or leaf_bit and a cell or `solid`
    };
    /// A convex opening, seen from the cell on one of its sides.
    struct Portal {
        std::uint32_t from = 0, to = 0;
        std::uint32_t twin = 0;     ///< the same opening seen from `to`
        DVec3 normal{};             ///< of length 1, towards `from`
        double distance = 0;        ///< normal . x of its points
        std::vector<DVec3> corners; ///< counter-clockwise seen from `from`
        double area = 0;
    };
    /// A face of a brush: indices into Level::brushes and LevelBrush::faces.
    struct Face {
        std::uint32_t brush = 0, face = 0;
        bool operator==(const Face&) const = default;
    };
    struct Cell {
        DVec3 low{}, high{};
        double volume = 0;
        bool outside = false; ///< part of the space around the level, or with a way there
        bool convex = false;
        std::vector<std::uint32_t> portals; ///< those that lead out of it
        /// Of solid brushes that can be seen in it, in order. Those that draw nothing are there if their brush divides.
        std::vector<Face> faces;
        std::vector<std::uint32_t> patches, lights; ///< indices into Level::patches, Level::lights
    };
    std::vector<Node>
        nodes; ///< the first is the root; parents come before their children; none if there is one cell
    std::vector<Cell> cells;
    std::vector<Portal> portals; ///< a portal and its twin are neighbours

    /// The cell that holds a point, or `solid`. O(depth of the tree).
    std::uint32_t cell_at(DVec3 at) const;
    /// Appends the cells that a convex set of points may touch, in order and each once. True if it may touch a brush too.
    /// `slack`: how far beyond a plane still counts as touching.
    bool touched(const DVec3* points, std::size_t count, double slack,
                 std::vector<std::uint32_t>& cells) const;
};

/// Which of the tree's empty leaves become one cell.
enum class CellMerge {
    none,   ///< each leaf is a cell
    convex, ///< leaves whose union is convex
    rooms, ///< then cells whose common opening is wide compared with their own width, until doors and windows are left
};

struct LevelCellOptions {
    LevelTreeOptions tree{};
    CellMerge merge = CellMerge::rooms;
    /// Of `rooms`: two cells stay apart if their opening has less than this share of the wider one's cross-section.
    double openness = 0.5;
};

/// A level that needs no map any more.
struct CompiledLevel {
    Level level;
    LevelCells cells;
    /// Keys and values of the map's entities, in its order; none of those that are omitted.
    std::vector<std::vector<std::pair<std::string, std::string>>> entities;
    std::vector<DVec3> leak{}; ///< a way from an entity to the outside; none if the level is closed
};

/// Times of compile_level, in seconds, and the tree before its leaves were merged.
struct CompileReport {
    double polyhedra = 0, tree_and_portals = 0, merging = 0, faces = 0;
    LevelTree tree;
    std::optional<LevelLeak> leak{}; ///< found by compile_level
};

/// Cells of a tree. Which leaves can be one convex cell, and which faces are seen in a cell, is decided exactly. Faces that
/// other brushes cover are in no cell. The same map gives the same bits everywhere. Throws Error if no brush divides.
LevelCells build_cells(const Map& map, const Level& level, const LevelCellOptions& options = {},
                       CompileReport* report = nullptr);
/// With a way out, if there is one; that is looked for in a tree that does not stop early.
CompiledLevel compile_level(const Map& map, const LevelOptions& making = {},
                            const LevelCellOptions& options = {}, CompileReport* report = nullptr);

} // namespace scree
