// SPDX-License-Identifier: MIT
// tree_test.cpp — levels as trees: volumes, portals, where points are, and leaks.
// compiled alone
#include "level/map_texts.h"
#include "scree/error.h"
#include "scree/level_cells.h"
#include "scree/level_file.h"
#include "scree/level_tree.h"
#include "scree/level_weld.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace scree {
namespace {

using namespace testing;

struct Built {
    Map map;
    Level level;
    LevelTree tree;
};

Built built(const std::string& text, const LevelTreeOptions& options = {}) {
    Built out;
    out.map = parse_map(text, "a.map");
    out.level = build_level(out.map);
    out.tree = build_tree(out.map, out.level, options);
    return out;
}

/// A hollow box with walls of 16 units; the ceiling begins `gap` above the walls.
std::string room(DVec3 low, DVec3 high, double gap = 0) {
    const DVec3 a = low, b = high;
    return box({a.x - 16, a.y - 16, a.z - 16}, {b.x + 16, b.y + 16, a.z}) +
           box({a.x - 16, a.y - 16, b.z + gap}, {b.x + 16, b.y + 16, b.z + gap + 16}) +
           box({a.x - 16, a.y - 16, a.z}, {a.x, b.y + 16, b.z}) +
           box({b.x, a.y - 16, a.z}, {b.x + 16, b.y + 16, b.z}) + box({a.x, a.y - 16, a.z}, {b.x, a.y, b.z}) +
           box({a.x, b.y, a.z}, {b.x, b.y + 16, b.z});
}

std::string start(const std::string& origin) {
    return "{ \"classname\" \"info_player_start\" \"origin\" \"" + origin + "\" }\n";
}

double volume(const LevelTree& tree, bool solid) {
    double sum = 0;
    for (const LevelTree::Leaf& leaf : tree.leaves)
        if (leaf.solid == solid) sum += leaf.volume;
    return sum;
}

bool inside(const LevelBrush& brush, DVec3 at) {
    return std::all_of(brush.faces.begin(), brush.faces.end(), [&](const LevelFace& face) {
        return dot(face.normal, at - brush.vertices[face.corners[0]]) < 0;
    });
}

TEST(LevelTree, LeavesFillTheSpaceAndPointsAreWhereTheyShouldBe) {
    for (const PlaneChoice choice : {PlaneChoice::cuts, PlaneChoice::balance, PlaneChoice::both}) {
        const Built made = built(world(heap(5, 40)), {.choice = choice});
        const LevelTree& tree = made.tree;
        const DVec3 size = tree.high - tree.low;
        const double all = size.x * size.y * size.z;
        EXPECT_NEAR(volume(tree, true) + volume(tree, false), all, 1e-12 * all);
        std::mt19937 dice(2);
        std::uniform_real_distribution<double> share;
        for (int i = 0; i < 34000; ++i) {
            const DVec3 at =
                tree.low + DVec3{share(dice) * size.x, share(dice) * size.y, share(dice) * size.z};
            const LevelTree::Leaf& leaf = tree.leaves[tree.leaf_at(at)];
            const bool in_brush = std::any_of(made.level.brushes.begin(), made.level.brushes.end(),
                                              [&](const LevelBrush& brush) { return inside(brush, at); });
            ASSERT_EQ(leaf.solid, in_brush);
            EXPECT_TRUE(leaf.low.x <= at.x && at.x <= leaf.high.x && leaf.low.z <= at.z &&
                        at.z <= leaf.high.z);
            EXPECT_TRUE(!leaf.solid || inside(made.level.brushes[leaf.brush], at));
        }
    }
}

TEST(LevelTree, TheTwoHeuristicsDoWhatTheyAreCalled) {
    const std::string text = world(heap(9, 60));
    const LevelTree cuts = built(text, {.choice = PlaneChoice::cuts, .candidates = 0}).tree,
                    balance = built(text, {.choice = PlaneChoice::balance, .candidates = 0}).tree;
    EXPECT_LT(cuts.cut_brushes, balance.cut_brushes);
    EXPECT_LT(balance.depth, cuts.depth);
}

TEST(LevelTree, BrushesThatTouchThePlaneAreNotCut) {
    const LevelTree tree = built(world(box({0, 0, 0}, {64, 64, 64}) + box({64, 0, 0}, {128, 64, 64}) +
                                       box({0, 64, 0}, {128, 128, 64})))
                               .tree;
    EXPECT_EQ(tree.cut_brushes, 0u);
    EXPECT_EQ(volume(tree, true), 128.0 * 128 * 64);
    EXPECT_EQ(
        std::count_if(tree.leaves.begin(), tree.leaves.end(), [](const auto& leaf) { return leaf.solid; }),
        3);
}

TEST(LevelTree, APortalJoinsTwoEmptyLeavesAndPortalsCoverWhatIsOpen) {
    // two rooms and a door of 32 x 48 in the wall of 16 between them
    const std::string shell = box({-16, -16, -16}, {272, 144, 0}) + box({-16, -16, 128}, {272, 144, 144}) +
                              box({-16, -16, 0}, {0, 144, 128}) + box({256, -16, 0}, {272, 144, 128}) +
                              box({0, -16, 0}, {256, 0, 128}) + box({0, 128, 0}, {256, 144, 128});
    const std::string wall = box({120, 0, 0}, {136, 48, 128}) + box({120, 80, 0}, {136, 128, 128}) +
                             box({120, 48, 48}, {136, 80, 128});
    const Built made = built(world(shell + wall) + start("60 60 30"));
    const LevelTree& tree = made.tree;
    for (std::size_t p = 0; p < tree.portals.size(); ++p) {
        const LevelTree::Portal& portal = tree.portals[p];
        EXPECT_NE(portal.leaves[0], portal.leaves[1]);
        for (const std::size_t side : {0u, 1u}) {
            const LevelTree::Leaf& leaf = tree.leaves[portal.leaves[side]];
            EXPECT_FALSE(leaf.solid);
            EXPECT_EQ(std::count(leaf.portals.begin(), leaf.portals.end(), p), 1);
            // a step off its middle is in the leaf that it names
            const DVec3 at = portal.centre + (side == 0 ? 1e-6 : -1e-6) * portal.normal;
            EXPECT_EQ(tree.leaf_at(at), portal.leaves[side]);
        }
    }
    // the sections of the door at x = 120 and x = 136 are open, and nothing else of these planes is between the rooms
    for (const double x : {120.0, 136.0}) {
        double open = 0;
        for (const LevelTree::Portal& portal : tree.portals)
            if (std::fabs(portal.normal.x) == 1 && portal.centre.x == x && portal.centre.y > 0 &&
                portal.centre.y < 128 && portal.centre.z > 0 && portal.centre.z < 128)
                open += portal.area;
        EXPECT_EQ(open, 32 * 48);
    }
    EXPECT_FALSE(find_leak(made.map, tree));
}

/// Bounds of the leaves below a node or of a leaf.
std::pair<DVec3, DVec3> bounds_below(const LevelTree& tree, std::uint32_t child) {
    if (child & LevelTree::leaf_bit) {
        const LevelTree::Leaf& leaf = tree.leaves[child & ~LevelTree::leaf_bit];
        return {leaf.low, leaf.high};
    }
    const auto [front_low, front_high] = bounds_below(tree, tree.nodes[child].children[0]);
    const auto [back_low, back_high] = bounds_below(tree, tree.nodes[child].children[1]);
    return {min(front_low, back_low), max(front_high, back_high)};
}

/// Whether the way down the tree leads a point to a node, a hundredth of a unit away from all planes before it.
bool leads_to(const LevelTree& tree, std::uint32_t number, DVec3 at) {
    std::uint32_t child = 0;
    while (child != number) {
        if (child & LevelTree::leaf_bit) return false;
        const LevelTree::Node& node = tree.nodes[child];
        const double distance = dot(node.normal, at) - node.distance;
        if (std::fabs(distance) < 0.01) return false;
        child = node.children[distance > 0 ? 0 : 1];
    }
    return true;
}

/// How many portals in the plane of a node hold a point of that plane; nothing if it is too near to an edge to tell.
std::optional<int> portals_at(const LevelTree& tree, const LevelTree::Node& node, DVec3 at) {
    int count = 0;
    for (const LevelTree::Portal& portal : tree.portals) {
        if (std::fabs(dot(node.normal, portal.normal)) < 1 - 1e-9 ||
            std::fabs(dot(node.normal, portal.corners[0]) - node.distance) > 1e-6)
            continue;
        double inside = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < portal.corners.size(); ++k) {
            const DVec3 a = portal.corners[k], edge = portal.corners[(k + 1) % portal.corners.size()] - a;
            inside = std::min(inside, dot(cross(edge, at - a), portal.normal) / length(edge));
        }
        if (std::fabs(inside) < 0.01) return std::nullopt;
        count += inside > 0;
    }
    return count;
}

/// Points of the planes that divide, at random: in one portal if both sides are empty, in none if one is solid. How many were open, how many not.
std::pair<int, int> check_portals(const LevelTree& tree, int tries) {
    std::mt19937 dice(7);
    std::uniform_real_distribution<double> share;
    int open = 0, closed = 0;
    for (std::uint32_t k = 0; k < tree.nodes.size(); ++k) {
        const LevelTree::Node& node = tree.nodes[k];
        const auto [low, high] = bounds_below(tree, k);
        for (int i = 0; i < tries; ++i) {
            DVec3 at{low.x + share(dice) * (high.x - low.x), low.y + share(dice) * (high.y - low.y),
                     low.z + share(dice) * (high.z - low.z)};
            at = at - (dot(node.normal, at) - node.distance) * node.normal;
            if (!leads_to(tree, k, at)) continue;
            const auto near = [&](double off) { return tree.leaf_at(at + off * node.normal); };
            // where another plane passes between the two, the side is not clear
            if (near(1e-3) != near(1e-5) || near(-1e-3) != near(-1e-5)) continue;
            const auto found = portals_at(tree, node, at);
            if (!found) continue;
            const bool is_open = !tree.leaves[near(1e-3)].solid && !tree.leaves[near(-1e-3)].solid;
            EXPECT_EQ(*found, is_open ? 1 : 0) << at.x << " " << at.y << " " << at.z;
            ++(is_open ? open : closed);
        }
    }
    return {open, closed};
}

TEST(LevelTree, PortalsAreThePlanesWithoutTheirSolids) {
    const DVec3 high{256, 256, 128};
    const std::string step = box({0, 0, 0}, {64, 256, 32});
    // what the plane z = 32 loses: a hole; two pieces that touch the border and each other; the same from both sides; nothing
    const std::string solids[] = {
        box({96, 96, 0}, {160, 160, 128}),
        box({224, 0, 0}, {256, 32, 128}) + box({192, 0, 0}, {224, 64, 128}),
        box({180, 180, 0}, {220, 220, 32}) + box({180, 180, 32}, {220, 220, 64}),
        box({100, 100, 40}, {140, 140, 90}),
    };
    for (const PlaneChoice choice : {PlaneChoice::cuts, PlaneChoice::balance, PlaneChoice::both}) {
        std::string all;
        for (const std::string& solid : solids) {
            all += solid;
            for (const std::string& one : {solid, all}) {
                const auto [open, closed] = check_portals(
                    built(world(room({0, 0, 0}, high) + step + one), {.choice = choice}).tree, 40);
                EXPECT_GT(open, 100);
                EXPECT_GT(closed, 100);
            }
        }
        const auto [open, closed] = check_portals(built(world(heap(5, 40)), {.choice = choice}).tree, 10);
        EXPECT_GT(open, 300);
        EXPECT_GT(closed, 300);
    }
}

TEST(LevelTree, TellsHowFarItIs) {
    std::vector<std::string> stages;
    double last = 0, tree_begins = 1;
    LevelCellOptions options;
    options.tree.progress = [&](const char* stage, double share) {
        if (stages.empty() || stages.back() != stage) stages.emplace_back(stage), last = 0;
        EXPECT_GE(share, last) << stage;
        EXPECT_LE(share, 1) << stage;
        last = share;
        if (stages.size() == 1) tree_begins = std::min(tree_begins, share);
    };
    compile_level(parse_map(world(room_grid(3, 2)), "a.map"), {}, options);
    EXPECT_EQ(stages, (std::vector<std::string>{"tree", "portals", "cells", "faces"}));
    EXPECT_EQ(last, 1);
    EXPECT_LT(tree_begins, 0.5);
}

TEST(LevelLeaks, AGapOfAThousandthIsFoundAndTheWayLeadsThroughIt) {
    const Built closed = built(world(room({0, 0, 0}, {256, 256, 128})) + start("128 128 32"));
    EXPECT_FALSE(find_leak(closed.map, closed.tree));
    for (const double gap : {16.0, 1.0, 0.001, 0.0000001}) {
        const Built open = built(world(room({0, 0, 0}, {256, 256, 128}, gap)) + start("128 128 32"));
        const auto leak = find_leak(open.map, open.tree);
        ASSERT_TRUE(leak) << gap;
        EXPECT_EQ(open.map.entities[leak->entity].classname(), "info_player_start");
        EXPECT_EQ(leak->path.front(), (DVec3{128, 128, 32}));
        EXPECT_TRUE(std::any_of(leak->path.begin(), leak->path.end(),
                                [&](DVec3 at) { return at.z >= 128 && at.z <= 128 + gap; }));
        EXPECT_NEAR(leak->narrowest, gap, 6e-8);
        // between the ceiling and what is below it
        ASSERT_TRUE(leak->brushes[0] && leak->brushes[1]) << gap;
        const std::pair sides = std::minmax(*leak->brushes[0], *leak->brushes[1]);
        EXPECT_TRUE(sides.first != sides.second && (sides.first == 1 || sides.second == 1))
            << sides.first << " " << sides.second;
        const std::string text = lin_text(*leak);
        EXPECT_EQ(text.substr(0, text.find('\n')), "128.000000 128.000000 32.000000");
        EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), leak->path.size());
    }
}

TEST(LevelLeaks, TheCornerOfARoomIsNoGap) {
    // the last wall has a window of 64 x 64, and somebody stands in a corner
    std::string solids = room({0, 0, 0}, {256, 256, 128});
    solids = solids.substr(0, solids.rfind("{\n")) + box({0, 256, 0}, {96, 272, 128}) +
             box({160, 256, 0}, {256, 272, 128}) + box({96, 256, 0}, {160, 272, 32}) +
             box({96, 256, 96}, {160, 272, 128});
    const Built made = built(world(solids) + start("10 10 32"));
    const auto leak = find_leak(made.map, made.tree);
    ASSERT_TRUE(leak);
    EXPECT_NEAR(leak->narrowest, 64, 1e-9);
    for (const auto& brush : leak->brushes) EXPECT_GE(brush.value_or(0), 5u); // beside the window
}

TEST(LevelLeaks, AWayPastFarBoxesPassesNoGap) {
    const std::string boxes = box({133, 156, -88}, {141, 163, -86}) + box({-63, 179, -89}, {-45, 188, -80}) +
                              box({-5, -3, 46}, {4, 9, 56}) + box({42, -30, -131}, {47, -20, -127}) +
                              box({182, 98, -88}, {202, 114, -82}) + box({-44, -9, 67}, {-39, 5, 80}) +
                              box({-105, 152, 94}, {-96, 169, 104});
    const Built made = built(world(boxes) + start("0 0 0"));
    const auto leak = find_leak(made.map, made.tree);
    ASSERT_TRUE(leak);
    EXPECT_FALSE(leak->portals.empty());
    EXPECT_EQ(leak->narrowest, 0);
    EXPECT_FALSE(leak->brushes[0] || leak->brushes[1]);
}

TEST(LevelReach, RoomsWithoutAWayInAreToldWithWhatTheyHold) {
    const std::string entity = "{ \"classname\" \"monster\" \"origin\" \"900 64 64\" }\n";
    const std::string there = "{ \"classname\" \"info_teleport_destination\" \"origin\" \"500 64 64\" }\n";
    const std::string rooms = world(room({0, 0, 0}, {128, 128, 128}) + room({400, 0, 0}, {600, 128, 128}) +
                                    room({800, 0, 0}, {928, 128, 128}) + room({800, 400, 0}, {864, 464, 64}));
    const Built made = built(rooms + start("64 64 32") + entity + there);
    const LevelReach reach = find_reach(made.map, made.tree);
    EXPECT_EQ(reach.starts, 1u);
    EXPECT_GT(reach.walked, 0u);
    EXPECT_GT(reach.teleported, 0u);
    ASSERT_EQ(reach.pockets.size(), 2u);
    std::uint32_t all = reach.outside + reach.walked + reach.teleported;
    std::vector<double> volumes;
    for (const LevelReach::Pocket& pocket : reach.pockets) {
        all += pocket.leaves;
        volumes.push_back(pocket.volume);
        EXPECT_EQ(pocket.entity.has_value(), pocket.volume > 1e6);
        if (!pocket.entity) continue;
        EXPECT_EQ(made.map.entities[*pocket.entity].classname(), "monster");
    }
    std::sort(volumes.begin(), volumes.end());
    EXPECT_NEAR(volumes[0], 64.0 * 64 * 64, 1e-6);
    EXPECT_NEAR(volumes[1], 128.0 * 128 * 128, 1e-6);
    std::uint32_t empty = 0;
    for (const LevelTree::Leaf& leaf : made.tree.leaves) empty += !leaf.solid;
    EXPECT_EQ(all, empty); // each once
}

TEST(LevelReach, TeleportersOfAllGamesLeadSomewhereAndCamerasDoNotWalk) {
    const auto entity = [](const char* classname, const char* origin) {
        return std::string("{ \"classname\" \"") + classname + "\" \"origin\" \"" + origin + "\" }\n";
    };
    const Built made = built(world(room({0, 0, 0}, {128, 128, 128}) + room({400, 0, 0}, {528, 128, 128}) +
                                   room({800, 0, 0}, {928, 128, 128})) +
                             start("64 64 32") + entity("misc_teleporter_dest", "464 64 64") +
                             entity("info_player_intermission", "864 64 64"));
    const LevelReach reach = find_reach(made.map, made.tree);
    EXPECT_EQ(reach.starts, 1u);
    EXPECT_GT(reach.walked, 0u);
    EXPECT_GT(reach.teleported, 0u);
    ASSERT_EQ(reach.pockets.size(), 1u);
    EXPECT_EQ(made.map.entities.at(reach.pockets[0].entity.value_or(0)).classname(),
              "info_player_intermission");
}

TEST(LevelTree, AMapThatMakesTooManyNodesIsRefusedByName) {
    std::string across; // slabs through the whole space in all directions
    std::mt19937 dice(5);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 20; ++i) {
        const DVec3 n = normalized(DVec3{normal(dice), normal(dice), normal(dice)});
        std::vector<PlanePoints> planes = box_planes({-512, -512, -512}, {512, 512, 512});
        planes.push_back(plane_at(n, 100.0 * normal(dice)));
        planes.push_back(plane_at(-1.0 * n, 8 - dot(n, planes.back()[1])));
        across += brush(planes);
    }
    const Map map = parse_map(world(across), "slabs.map");
    const Level level = build_level(map);
    const auto refused = [&](const LevelTreeOptions& options) {
        try {
            build_tree(map, level, options);
        } catch (const Error& error) {
            EXPECT_EQ(error.where(), "slabs.map");
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refused({.max_nodes = 1000}).find("more than 1,000 nodes"), std::string::npos);
    const std::size_t nodes = build_tree(map, level, {.stop_depth = 4}).nodes.size();
    EXPECT_GT(nodes, 1u);
    EXPECT_EQ(refused({.stop_depth = 4, .max_nodes = static_cast<std::uint32_t>(nodes)}), "");
    EXPECT_NE(refused({.stop_depth = 4, .max_nodes = static_cast<std::uint32_t>(nodes - 1)}), "");
    EXPECT_EQ(test::error_place([&] { build_tree(map, level, {.max_nodes = 0}); }),
              "LevelTreeOptions::max_nodes");
}

TEST(LevelLeaks, DetailAndTriggersDoNotSeal) {
    std::string shell = room({0, 0, 0}, {256, 256, 128});
    shell = shell.substr(0, shell.rfind("{\n")); // without the last wall
    const std::string wall = box({0, 256, 0}, {256, 272, 128});
    const auto leaks = [&](const std::string& text) {
        const Built made = built(text + start("128 128 32"));
        return find_leak(made.map, made.tree).has_value();
    };
    EXPECT_FALSE(leaks(world(shell + wall)));
    EXPECT_FALSE(leaks(world(shell) + "{ \"classname\" \"func_group\"\n" + wall + "}\n"));
    EXPECT_TRUE(leaks(world(shell) + "{ \"classname\" \"func_detail\"\n" + wall + "}\n"));
    EXPECT_TRUE(leaks(world(shell + box({0, 256, 0}, {256, 272, 128}, "common/clip 0 0 0 1 1"))));
    EXPECT_TRUE(leaks(world(shell + box({0, 256, 0}, {256, 272, 128}, "CLIP 0 0 0 1 1"))));
    EXPECT_FALSE(leaks(world(shell + box({0, 256, 0}, {256, 272, 128}, "paperclip 0 0 0 1 1"))));
    EXPECT_TRUE(leaks(world(shell + box({0, 256, 0}, {256, 272, 128}, "wall 0 0 0 1 1 134217728 0 0"))));
}

/// A room turned at random, its planes given by points that are rounded to so many decimals.
Map turned_room(unsigned seed, int decimals, double gap = 0) {
    Map map = parse_map(world(room({0, 0, 0}, {256, 256, 128}, gap)) + start("0 0 0"), "a.map");
    std::mt19937 dice(seed);
    std::normal_distribution<double> normal;
    const DQuat turn =
        normalized(DQuat{.x = normal(dice), .y = normal(dice), .z = normal(dice), .s = normal(dice)});
    const double unit = std::pow(10.0, -decimals);
    for (MapBrush& brush : map.entities[0].brushes)
        for (MapFace& face : brush.faces)
            for (std::size_t k = 9; k-- > 0;) {
                if (k % 3 != 0) continue;
                DVec3 at{face.plane[k], face.plane[k + 1], face.plane[k + 2]};
                const DVec3 first{face.plane[0], face.plane[1], face.plane[2]};
                at = rotate(turn, first + 256.0 * (at - first));
                const double rounded[3] = {at.x, at.y, at.z};
                for (std::size_t c = 0; c < 3; ++c) face.plane[k + c] = unit * std::round(rounded[c] / unit);
            }
    const DVec3 middle = rotate(turn, DVec3{128, 128, 64});
    map.entities[1].keys[1].second = number(middle.x) + " " + number(middle.y) + " " + number(middle.z);
    return map;
}

TEST(LevelLeaks, WeldingClosesWhatRoundingOpenedAndSaysWhat) {
    int open = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
        const int decimals = 2 + static_cast<int>(seed % 5);
        Map map = turned_room(seed, decimals);
        const auto leaks = [&] {
            const Level level = build_level(map);
            return find_leak(map, build_tree(map, level)).has_value();
        };
        open += leaks();
        const std::vector<MapWeld> welds = weld(map, 0.05);
        EXPECT_FALSE(welds.empty());
        for (const MapWeld& one : welds) {
            EXPECT_LT(one.distance, 6 * std::pow(10.0, -decimals));
            EXPECT_LT(one.onto.line, one.moved.line);
        }
        EXPECT_FALSE(leaks()) << "room " << seed << " with " << decimals << " decimals";
    }
    EXPECT_GT(open, 5); // so there was something to close
    // what is farther apart stays, and the sides of a brush are not put together
    Map apart = parse_map(world(room({0, 0, 0}, {256, 256, 128}, 0.06)) + start("128 128 32"), "a.map");
    EXPECT_TRUE(weld(apart, 0.05).empty());
    EXPECT_TRUE(find_leak(apart, build_tree(apart, build_level(apart))));
    EXPECT_EQ(test::error_place([&] { weld(apart, 0); }), "weld: reach");
}

TEST(LevelLeaks, GapsOfRoundedNumbersCloseAndOthersDoNot) {
    const auto leaks = [](const Map& map) {
        return find_leak(map, build_tree(map, build_level(map))).has_value();
    };
    int open = 0, named = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
        const int decimals = 2 + static_cast<int>(seed % 5);
        Map map = turned_room(seed, decimals);
        if (const auto leak = find_leak(map, build_tree(map, build_level(map)))) {
            ++open;
            named += leak->narrowest < 10 * std::pow(10.0, -decimals);
            EXPECT_TRUE(leak->brushes[0] && leak->brushes[1]) << "room " << seed;
        }
        for (const MapWeld& one : weld_rounding(map)) EXPECT_LT(one.distance, 6 * std::pow(10.0, -decimals));
        EXPECT_FALSE(leaks(map)) << "room " << seed << " with " << decimals << " decimals";
        // a gap that is wider than the last decimal was meant
        Map gap = turned_room(seed, decimals, 20 * std::pow(10.0, -decimals));
        weld_rounding(gap);
        EXPECT_TRUE(leaks(gap)) << "room " << seed << " with " << decimals << " decimals";
    }
    EXPECT_GT(open, 5);
    EXPECT_GT(2 * named, open); // brushes that touch with their edges alone are not always told apart
    Map straight = parse_map(world(room({0, 0, 0}, {256, 256, 128}, 0.001)) + start("128 128 32"), "a.map");
    EXPECT_TRUE(weld_rounding(straight).empty());
    EXPECT_TRUE(leaks(straight));
}

TEST(LevelLeaks, ALevelIsCompiledClosedWhereOnlyRoundingOpensIt) {
    Map map = parse_map(rounded_room(), "a.map");
    const auto was = map.entities[0].brushes[5].faces[4].plane;
    RoundingGaps gaps;
    CompileReport report;
    const CompiledLevel closed = compile_closed(map, {}, {}, &gaps, &report);
    EXPECT_TRUE(closed.leak.empty() && !report.leak);
    ASSERT_TRUE(gaps.leak);
    EXPECT_LT(gaps.leak->narrowest, 0.02);
    EXPECT_FALSE(gaps.welds.empty());
    EXPECT_NE(map.entities[0].brushes[5].faces[4].plane, was); // the map is the one that is closed
    // one that leaks anyhow is left as it is written, without its first wall as well
    Map open = parse_map(rounded_room(), "a.map");
    open.entities[0].brushes.erase(open.entities[0].brushes.begin());
    const auto written = open.entities[0].brushes[4].faces[4].plane;
    RoundingGaps none;
    const CompiledLevel leaks = compile_closed(open, {}, {}, &none, &report);
    EXPECT_TRUE(leaks.leak.size() > 1 && report.leak);
    EXPECT_TRUE(!none.leak && none.welds.empty());
    EXPECT_EQ(open.entities[0].brushes[4].faces[4].plane, written);
}

TEST(LevelTree, AnyNumberOfThreadsMakesTheSameLevel) {
    // more brushes than one thread divides alone, with detail and lights
    std::string text = world(room_grid(7, 7) + heap(5, 60));
    text += "{ \"classname\" \"func_detail\"\n" + box({40, 40, 0}, {60, 60, 40}) + "}\n";
    text += "{ \"classname\" \"light\" \"origin\" \"20 20 100\" }\n";
    const Map map = parse_map(text, "a.map");
    ASSERT_GT(map.entities[0].brushes.size(), 250u);
    for (const PlaneChoice choice : {PlaneChoice::both, PlaneChoice::drawing}) {
        LevelCellOptions options;
        options.tree.choice = choice;
        const std::vector<std::byte> one = encode_level(compile_level(map, {}, options));
        for (const int threads : {2, 3, 8, 0}) {
            options.tree.threads = threads;
            CompileReport report;
            EXPECT_EQ(encode_level(compile_level(map, {}, options, &report)), one) << threads;
            EXPECT_GT(report.tree.cut_brushes, 0u);
        }
    }
    // what is too large is refused by each
    for (const int threads : {1, 4}) {
        LevelTreeOptions few{.max_nodes = 1000};
        few.threads = threads;
        const Level level = build_level(map);
        EXPECT_NE(test::error_message([&] { build_tree(map, level, few); }).find("more than 1,000 nodes"),
                  std::string::npos);
    }
    LevelTreeOptions wrong;
    wrong.threads = 1025;
    EXPECT_EQ(test::error_place([&] { build_tree(map, build_level(map), wrong); }),
              "LevelTreeOptions::threads");
}

TEST(LevelTree, RefusesWhatHasNoBrushesAndBadOptions) {
    EXPECT_EQ(test::error_message([] { built(world("")); }),
              "a.map: has no solid brushes of the world to make a tree of");
    EXPECT_EQ(test::error_place([] { built(world(box({0, 0, 0}, {8, 8, 8})), {.margin = 0}); }),
              "LevelTreeOptions::margin");
}

} // namespace
} // namespace scree
