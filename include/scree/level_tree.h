// SPDX-License-Identifier: MIT
// level_tree.h — a level as a BSP tree: solid and empty leaves, portals between them, leaks.
//
//     const LevelTree tree = build_tree(map, level);
//     if (const auto leak = find_leak(map, tree)) write("hall.lin", lin_text(*leak));
//
// Everything is in the editor's units, z up.
#pragma once

#include "scree/level.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// Which of the planes of a region's brushes divides it.
enum class PlaneChoice {
    cuts, ///< the one that cuts the fewest brushes; of these the most even
    balance, ///< the one with the most even number of brushes on both sides; of these the one with the fewest cuts
    both, ///< the least of four times the cuts plus the difference of the sides
    /// As `both`, where a brush counts with its faces and a light with LevelTreeOptions::light_faces: even by the cost of drawing.
    drawing,
};

struct LevelTreeOptions {
    PlaneChoice choice = PlaneChoice::both;
    /// Planes compared for a region, evenly spread over its brushes' faces; 0: all.
    std::uint32_t candidates = 64;
    /// Free space around the brushes, in units: what can be reached from there is outside.
    double margin = 64;
    /// Of PlaneChoice::drawing and stop_cost: as how many faces a light counts.
    std::uint32_t light_faces = 8;
    // Where to stop before each region is inside of a brush or outside of all. Brushes that are left in an empty leaf divide no
    // more there: one can be seen through, and points in them are in the leaf. 0: never stop.
    std::uint32_t stop_brushes = 0; ///< regions with at most this many brushes
    std::uint32_t stop_depth = 0;   ///< regions at this depth of the tree
    double stop_size = 0;           ///< regions whose longest side is at most this long, in units
    /// Regions that cost at most this to draw: the faces of their brushes, and light_faces for each light in them.
    std::uint32_t stop_cost = 0;
    /// A map whose brushes make a tree of more nodes is refused. Real maps make some ten nodes a brush; brushes that lie across each
    /// other at random make a number that grows with its cube.
    std::uint32_t max_nodes = 1'000'000;
    /// 0: all cores. The result is the same, and `progress` is called by the calling thread.
    int threads = 1;
    bool stops_early() const { return stop_brushes > 0 || stop_depth > 0 || stop_size > 0 || stop_cost > 0; }
    /// Called now and then with what is being made ("tree", "portals", "cells", "faces") and how much of that is done, from 0 to 1.
    std::function<void(const char* stage, double share)> progress{};
};

struct LevelTree {
    /// A child that is a leaf: leaf_bit and the leaf's index.
    static constexpr std::uint32_t leaf_bit = 0x80000000u;
    struct Node {
        DVec3 normal{};
        double distance = 0;                     ///< normal . x > distance is in front
        std::array<std::uint32_t, 2> children{}; ///< in front, behind
    };
    struct Leaf {
        bool solid = false;
        bool border = false;     ///< empty and at the end of the free space around the level
        std::uint32_t brush = 0; ///< of a solid leaf: index into Level::brushes
        std::uint32_t inside =
            0; ///< of an empty leaf: brushes that are left in it, because the tree stops here
        DVec3 low{}, high{};
        double volume = 0;
        std::vector<std::uint32_t> portals; ///< of an empty leaf
    };
    /// A convex opening between two empty leaves.
    struct Portal {
        std::array<std::uint32_t, 2> leaves{}; ///< in front of it, behind it
        DVec3 normal{};                        ///< towards the first
        std::vector<DVec3> corners;            ///< counter-clockwise seen from the first
        double area = 0;
        DVec3 centre{};
    };
    std::vector<Node> nodes; ///< the first is the root; none if there is one leaf only
    std::vector<Leaf> leaves;
    std::vector<Portal> portals;
    DVec3 low{}, high{};           ///< of the whole: the brushes and the margin
    std::uint32_t structural = 0;  ///< brushes that divide; others are detail
    std::uint32_t cut_brushes = 0; ///< times that a brush or a part of one was cut in two
    std::uint32_t depth = 0;

    /// The leaf that holds a point.
    std::uint32_t leaf_at(DVec3 at) const;
};

/// From the solid brushes of worldspawn and func_group that are neither detail (Quake III's flag) nor for clipping. Decided exactly,
/// as build_level is; the same bits everywhere. `level` must be of `map`. Throws Error if there is no such brush, and for a tree that
/// becomes too large or deeper than 10,000.
LevelTree build_tree(const Map& map, const Level& level, const LevelTreeOptions& options = {});

/// A way from an entity to the outside through portals.
struct LevelLeak {
    std::uint32_t entity = 0;
    std::vector<DVec3> path;            ///< from the entity's origin
    std::vector<std::uint32_t> portals; ///< on the way
    double narrowest = 0; ///< width of the narrowest gap on the way, in units; 0: it is between no brushes
    /// Those on the two sides of that gap: indices into Level::brushes.
    std::array<std::optional<std::uint32_t>, 2> brushes{};
};
/// The shortest by the number of portals, of the first entity that has an origin, no brushes and a way out. A tree that stops early
/// shows ways that brushes close.
std::optional<LevelLeak> find_leak(const Map& map, const LevelTree& tree);
/// How empty leaves are reached: each is counted once, in the first of these that holds for it.
struct LevelReach {
    /// Leaves that portals join with each other and with nothing else.
    struct Pocket {
        std::uint32_t leaves = 0;
        double volume = 0;
        DVec3 low{}, high{};
        std::optional<std::uint32_t> entity{}; ///< the first one whose origin is in it
    };
    std::uint32_t outside = 0;    ///< leaves with a way to the space around the level
    std::uint32_t starts = 0;     ///< entities info_player_… but info_player_intermission, a camera
    std::uint32_t walked = 0;     ///< leaves with a way from one of these, through portals
    std::uint32_t teleported = 0; ///< leaves with a way from info_teleport_destination, misc_teleporter_dest
    std::vector<Pocket> pockets;  ///< the rest: rooms without a way in
};
LevelReach find_reach(const Map& map, const LevelTree& tree);
/// The path as editors show it: a line "x y z" for each point.
std::string lin_text(const LevelLeak& leak);

} // namespace scree
