// SPDX-License-Identifier: MIT
// cells_test.cpp — leaves merged to cells, portals with twins, and what is seen through them.
#include "level/map_texts.h"
#include "scree/level_cells.h"
#include "scree/level_visibility.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace scree {
namespace {

using namespace testing;

CompiledLevel compiled(const std::string& text, const LevelCellOptions& options = {}) {
    return compile_level(parse_map(text, "a.map"), {}, options);
}

class Dice {
public:
    explicit Dice(unsigned seed) : dice_(seed) {}
    double share() { return std::uniform_real_distribution<double>()(dice_); }
    double normal() { return std::normal_distribution<double>()(dice_); }
    DVec3 within(DVec3 low, DVec3 high) {
        const double x = share(), y = share(), z = share();
        return {low.x + x * (high.x - low.x), low.y + y * (high.y - low.y), low.z + z * (high.z - low.z)};
    }
    DVec3 on(const LevelCells::Portal& portal) {
        DVec3 at{};
        double sum = 0;
        for (const DVec3& corner : portal.corners) {
            const double weight = 0.01 + share();
            at += weight * corner;
            sum += weight;
        }
        return at / sum;
    }

private:
    std::mt19937 dice_;
};

std::pair<DVec3, DVec3> bounds(const LevelCells& cells) {
    std::pair<DVec3, DVec3> out{cells.cells[0].low, cells.cells[0].high};
    for (const LevelCells::Cell& cell : cells.cells)
        out = {min(out.first, cell.low), max(out.second, cell.high)};
    return out;
}

std::size_t inner_cells(const LevelCells& cells) {
    return static_cast<std::size_t>(std::count_if(cells.cells.begin(), cells.cells.end(),
                                                  [](const auto& cell) { return !cell.outside; }));
}

TEST(LevelCells, PortalsAreSplitByPlanesOfBothSides) {
    // seen from above, with y up: A on the left has a wall that steps at y = 64, B on the right one that steps at y = 128,
    // and the ceiling steps at x = 96 between them
    const std::string shell = box({-48, -16, -16}, {240, 208, 0}) + box({-48, -16, 0}, {240, 0, 160}) +
                              box({-48, 192, 0}, {240, 208, 160}) + box({-48, 0, 128}, {96, 192, 160}) +
                              box({96, 0, 96}, {240, 192, 160}) + box({-48, 0, 0}, {0, 64, 128}) +
                              box({-48, 64, 0}, {-32, 192, 128}) + box({192, 0, 0}, {240, 128, 96}) +
                              box({224, 128, 0}, {240, 192, 96});
    const CompiledLevel level = compiled(
        world(shell), {.tree = {.choice = PlaneChoice::cuts, .candidates = 0}, .merge = CellMerge::none});
    const LevelCells& cells = level.cells;
    const auto at = [&](double x, double y) { return cells.cell_at({x, y, 10}); };
    const std::uint32_t a1 = at(40, 30), a2 = at(40, 150), b1 = at(150, 60), b2 = at(150, 160);
    std::map<std::uint32_t, std::set<std::uint32_t>> next;
    for (const LevelCells::Portal& portal : cells.portals) next[portal.from].insert(portal.to);
    EXPECT_EQ(at(40, 90), a2);
    EXPECT_EQ(at(150, 100), b1);
    EXPECT_TRUE(next[a1].count(a2) && next[a1].count(b1) && !next[a1].count(b2));
    EXPECT_TRUE(next[a2].count(a1) && next[a2].count(b1) && next[a2].count(b2));
    EXPECT_TRUE(next[b1].count(a1) && next[b1].count(a2) && next[b1].count(b2));
    EXPECT_TRUE(next[b2].count(b1) && next[b2].count(a2) && !next[b2].count(a1));
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> area; // in the plane x = 96
    for (const LevelCells::Portal& portal : cells.portals)
        if (portal.normal.x < -0.5 && portal.corners[0].x == 96)
            area[{portal.from, portal.to}] += portal.area;
    EXPECT_EQ((area[{a1, b1}]), 64 * 96);
    EXPECT_EQ((area[{a2, b1}]), 64 * 96);
    EXPECT_EQ((area[{a2, b2}]), 64 * 96);
}

TEST(LevelCells, APortalHasATwinAndLiesBetweenItsCells) {
    Dice dice(4);
    for (const CellMerge merge : {CellMerge::none, CellMerge::convex, CellMerge::rooms}) {
        const LevelCells cells = compiled(world(heap(5, 40)), {.merge = merge}).cells;
        ASSERT_FALSE(cells.portals.empty());
        for (std::uint32_t p = 0; p < cells.portals.size(); ++p) {
            const LevelCells::Portal &portal = cells.portals[p], &twin = cells.portals[portal.twin];
            EXPECT_EQ(twin.twin, p);
            EXPECT_TRUE(twin.from == portal.to && twin.to == portal.from && portal.from != portal.to);
            const auto& of_cell = cells.cells[portal.from].portals;
            EXPECT_EQ(std::count(of_cell.begin(), of_cell.end(), p), 1);
            EXPECT_TRUE(std::equal(portal.corners.begin(), portal.corners.end(), twin.corners.rbegin(),
                                   twin.corners.rend()));
            // everywhere a step off it is in the cells that it names
            for (int i = 0; i < 4 && portal.area > 1; ++i) {
                const DVec3 on = dice.on(portal);
                EXPECT_EQ(cells.cell_at(on + 1e-5 * portal.normal), portal.from);
                EXPECT_EQ(cells.cell_at(on - 1e-5 * portal.normal), portal.to);
            }
        }
    }
}

TEST(LevelCells, MergedCellsAreConvexFewerAndHoldTheSamePoints) {
    const std::string text = world(heap(7, 60));
    const CompiledLevel leaves = compiled(text, {.merge = CellMerge::none}),
                        convex = compiled(text, {.merge = CellMerge::convex}),
                        rooms = compiled(text, {.merge = CellMerge::rooms});
    EXPECT_LT(convex.cells.cells.size(), leaves.cells.cells.size());
    EXPECT_LT(2 * rooms.cells.cells.size(), convex.cells.cells.size());
    EXPECT_LT(convex.cells.portals.size(), leaves.cells.portals.size());
    EXPECT_LT(rooms.cells.portals.size(), convex.cells.portals.size());
    const auto volume = [](const LevelCells& cells) {
        double sum = 0;
        for (const LevelCells::Cell& cell : cells.cells) sum += cell.volume;
        return sum;
    };
    EXPECT_NEAR(volume(convex.cells), volume(leaves.cells), 1e-9 * volume(leaves.cells));
    EXPECT_NEAR(volume(rooms.cells), volume(leaves.cells), 1e-9 * volume(leaves.cells));
    const auto [low, high] = bounds(leaves.cells);
    Dice dice(3);
    std::map<std::uint32_t, std::vector<DVec3>> points; // by convex cell
    std::map<std::uint32_t, std::uint32_t> merged;      // leaf to convex cell, and each to its room
    std::map<std::uint32_t, std::uint32_t> room_of;
    for (int i = 0; i < 20000; ++i) {
        const DVec3 at = dice.within(low, high);
        const std::uint32_t leaf = leaves.cells.cell_at(at), cell = convex.cells.cell_at(at),
                            room = rooms.cells.cell_at(at);
        ASSERT_EQ(leaf == LevelCells::solid, cell == LevelCells::solid);
        ASSERT_EQ(leaf == LevelCells::solid, room == LevelCells::solid);
        if (leaf == LevelCells::solid) continue;
        EXPECT_EQ(merged.try_emplace(leaf, cell).first->second, cell);
        EXPECT_EQ(room_of.try_emplace(cell, room).first->second, room);
        EXPECT_TRUE(convex.cells.cells[cell].convex);
        points[cell].push_back(at);
    }
    for (const auto& [cell, all] : points)
        for (std::size_t i = 1; i < all.size(); ++i)
            EXPECT_EQ(convex.cells.cell_at((all[i] + all[i - 1]) / 2), cell);
}

TEST(LevelCells, OpennessSaysFromWhichShareOfItsWidthAnOpeningIsNoDoor) {
    // two halls of 128 x 128 units; what is between them is open from y = 0 to `width`, from the floor to the ceiling
    const auto rooms = [](double width, double openness) {
        const std::string text =
            world(box({-16, -16, -16}, {288, 144, 0}) + box({-16, -16, 128}, {288, 144, 144}) +
                  box({-16, -16, 0}, {288, 0, 128}) + box({-16, 128, 0}, {288, 144, 128}) +
                  box({-16, 0, 0}, {0, 128, 128}) + box({272, 0, 0}, {288, 128, 128}) +
                  box({128, width, 0}, {144, 128, 128}));
        const LevelCells cells = compiled(text, {.openness = openness}).cells;
        EXPECT_NE(cells.cell_at({20, 100, 64}), LevelCells::solid);
        return cells.cell_at({20, 100, 64}) == cells.cell_at({250, 100, 64});
    };
    EXPECT_TRUE(rooms(96, 0.5)); // three quarters
    EXPECT_TRUE(rooms(96, 0.7));
    EXPECT_FALSE(rooms(96, 0.8));
    EXPECT_FALSE(rooms(32, 0.5)); // a quarter
    EXPECT_FALSE(rooms(32, 0.3));
    EXPECT_TRUE(rooms(32, 0.2));
    for (const double openness : {0.0, -1.0, 1001.0, 0.0 / 0.0})
        EXPECT_EQ(test::error_place([&] { rooms(32, openness); }), "LevelCellOptions::openness");
}

TEST(LevelCells, ALightIsInTheOneCellThatHoldsItAndDoesNotDivide) {
    const auto light = [](const std::string& origin) {
        return "{ \"classname\" \"light\" \"origin\" \"" + origin + "\" }\n";
    };
    const std::string text = world(room_grid(3, 2));
    const CompiledLevel dark = compiled(text), lit = compiled(text + light("64 64 64") + light("208 64 64") +
                                                              light("350 200 20") + light("-8 64 64"));
    ASSERT_EQ(lit.cells.nodes.size(), dark.cells.nodes.size());
    ASSERT_EQ(lit.level.lights.size(), 4u);
    std::vector<int> count(4, 0);
    for (std::uint32_t c = 0; c < lit.cells.cells.size(); ++c)
        for (const std::uint32_t l : lit.cells.cells[c].lights) {
            ++count[l];
            EXPECT_EQ(c, lit.cells.cell_at(lit.level.lights[l].position));
        }
    EXPECT_EQ(count, (std::vector<int>{1, 1, 1, 0})); // the last is in a wall
}

TEST(LevelCells, LightsAndFacesWeighInTheThirdHeuristic) {
    // a row of pillars, and lights at one end of it
    std::string pillars, lights;
    for (int i = 0; i < 16; ++i) pillars += box({64.0 * i, 0, 0}, {64.0 * i + 16, 16, 64});
    for (int i = 0; i < 40; ++i)
        lights += "{ \"classname\" \"light\" \"origin\" \"" + number(20.0 + i) + " 8 32\" }\n";
    const auto root = [&](const LevelTreeOptions& options) {
        const Map map = parse_map(world(pillars) + lights, "a.map");
        const LevelTree tree = build_tree(map, build_level(map), options);
        EXPECT_GT(std::fabs(tree.nodes[0].normal.x), 0.9);
        return tree.nodes[0].distance / tree.nodes[0].normal.x;
    };
    EXPECT_NEAR(root({.choice = PlaneChoice::both}), 512, 64);
    EXPECT_NEAR(root({.choice = PlaneChoice::drawing, .light_faces = 0}), 512, 64);
    EXPECT_LT(root({.choice = PlaneChoice::drawing, .light_faces = 8}), 100);
    // pillars of many sides at one end of the row: half of what is drawn is left of the middle, without any light
    lights.clear();
    for (int i = 0; i < 16; ++i) {
        std::vector<PlanePoints> planes = box_planes({64.0 * i, 0, 0}, {64.0 * i + 16, 16, 64});
        for (int k = 0; k < 36 && i < 4; ++k) { // a round one
            const double angle = 0.1745 * k + 0.08;
            PlanePoints side = plane_at({std::cos(angle), std::sin(angle), 0}, 8);
            for (DVec3& p : side) p += DVec3{64.0 * i + 8, 8, 0};
            planes.push_back(side);
        }
        if (i == 0) pillars.clear();
        pillars += brush(planes);
    }
    EXPECT_NEAR(root({.choice = PlaneChoice::both}), 512, 64);
    EXPECT_LT(root({.choice = PlaneChoice::drawing}), 256);
}

TEST(LevelCells, StoppingEarlyGivesFewerCellsThatHoldTheBrushesLeft) {
    const std::string text = world(room_grid(3, 3) + heap(3, 20));
    const auto cells = [&](const LevelTreeOptions& tree) {
        return compiled(text, {.tree = tree, .merge = CellMerge::none}).cells.cells.size();
    };
    const std::size_t all = cells({});
    EXPECT_LT(cells({.stop_brushes = 2}), all);
    EXPECT_LT(cells({.stop_depth = 6}), all);
    EXPECT_LE(cells({.stop_depth = 6}), 64u);
    EXPECT_LT(cells({.stop_size = 96}), all);
    EXPECT_LT(cells({.stop_cost = 30}), all);
    EXPECT_LT(cells({.stop_cost = 60}), cells({.stop_cost = 30}));
    // a brush that is left is drawn in the cell that holds it
    const CompiledLevel stopped =
        compiled(world(room_grid(2, 1) + box({50, 50, 0}, {60, 60, 20})), {.tree = {.stop_brushes = 1}});
    const std::uint32_t here = stopped.cells.cell_at({55, 55, 10});
    ASSERT_NE(here, LevelCells::solid);
    const auto& faces = stopped.cells.cells[here].faces;
    const auto last = static_cast<std::uint32_t>(stopped.level.brushes.size() - 1);
    EXPECT_GE(std::count_if(faces.begin(), faces.end(), [&](const auto& face) { return face.brush == last; }),
              5);
}

TEST(LevelCells, LightsKeepARegionDividedThatWouldStopByItsCost) {
    // two rooms alike, each with a crate; ten lights in the second crate
    const std::string crates = box({40, 40, 0}, {60, 60, 20}) + box({184, 40, 0}, {204, 60, 20});
    std::string lights;
    for (int i = 0; i < 10; ++i)
        lights += "{ \"classname\" \"light\" \"origin\" \"" + number(189.0 + i) + " 50 10\" }\n";
    const CompiledLevel level = compiled(world(room_grid(2, 1) + crates) + lights,
                                         {.tree = {.stop_cost = 20}, .merge = CellMerge::none});
    EXPECT_NE(level.cells.cell_at({50, 50, 10}), LevelCells::solid); // a crate has 6 faces
    EXPECT_EQ(level.cells.cell_at({194, 50, 10}), LevelCells::solid);
    // which is what it is for: the choice of planes is the same
    const CompiledLevel dark = compiled(world(room_grid(2, 1) + crates), {.merge = CellMerge::none});
    const CompiledLevel lit = compiled(world(room_grid(2, 1) + crates) + lights,
                                       {.tree = {.stop_cost = 1}, .merge = CellMerge::none});
    EXPECT_EQ(lit.cells.nodes.size(), dark.cells.nodes.size());
}

TEST(LevelCells, ALevelThatStopsEarlyLeaksOnlyWhereTheWholeOneDoes) {
    const std::string start = "{ \"classname\" \"info_player_start\" \"origin\" \"64 64 32\" }\n";
    const std::string whole = room_grid(2, 1), open = whole.substr(0, whole.rfind("{"));
    const LevelCellOptions stops{.tree = {.stop_depth = 3}};
    EXPECT_TRUE(compiled(world(whole) + start, stops).leak.empty());
    const CompiledLevel leaks = compiled(world(open) + start, stops);
    ASSERT_GE(leaks.leak.size(), 2u);
    EXPECT_EQ(leaks.leak, compiled(world(open) + start).leak);
    EXPECT_EQ(leaks.leak[0], (DVec3{64, 64, 32}));
}

// visibility -------------------------------------------------------------------------------------------------------

/// The first brush and face that a ray meets, by trying all.
std::pair<double, LevelCells::Face> first_hit(const Level& level, DVec3 from, DVec3 along) {
    std::pair<double, LevelCells::Face> best{1e300, {}};
    for (std::uint32_t b = 0; b < level.brushes.size(); ++b) {
        const LevelBrush& brush = level.brushes[b];
        double enters = 0, leaves = 1e300;
        std::uint32_t through = 0;
        for (std::uint32_t f = 0; f < brush.faces.size(); ++f) {
            const LevelFace& face = brush.faces[f];
            const double height = dot(face.normal, from - brush.vertices[face.corners[0]]);
            const double speed = dot(face.normal, along);
            if (speed < 0 && -height / speed > enters) enters = -height / speed, through = f;
            if (speed > 0) leaves = std::min(leaves, -height / speed);
            if (speed == 0 && height > 0) leaves = -1;
        }
        if (enters > 0 && enters < leaves && enters < best.first) best = {enters, {b, through}};
    }
    return best;
}

/// Rays through the picture: whatever they hit is among the faces, and its cell among the cells.
void expect_complete(LevelVisibility& sight, const CompiledLevel& level, const LevelCamera& camera, int rays,
                     Dice& dice) {
    sight.look(camera);
    const DVec3 forward = normalized(camera.forward), right = normalized(cross(forward, camera.up)),
                up = cross(right, forward);
    for (int i = 0; i < rays; ++i) {
        const DVec3 along = forward + (2 * dice.share() - 1) * camera.tan_x * right +
                            (2 * dice.share() - 1) * camera.tan_y * up;
        const auto [t, face] = first_hit(level.level, camera.eye + camera.near * along, along);
        if (t == 1e300) continue;
        EXPECT_TRUE(std::count(sight.faces().begin(), sight.faces().end(), face) == 1)
            << "brush " << face.brush << " face " << face.face;
        const std::uint32_t cell = level.cells.cell_at(camera.eye + (camera.near + t - 1e-7) * along);
        EXPECT_TRUE(cell == LevelCells::solid || !sight.windows(cell).empty());
    }
}

LevelCamera looking(DVec3 eye, Dice& dice) {
    LevelCamera camera;
    camera.eye = eye;
    camera.forward = {dice.normal(), dice.normal(), 0.5 * dice.normal()};
    camera.tan_x = 0.8;
    camera.tan_y = 0.5;
    camera.near = 0.25;
    return camera;
}

TEST(LevelSight, WhatRaysHitIsSeenAndMostIsNot) {
    Dice dice(8);
    for (const std::string& text :
         {world(room_grid(4, 4)), world(heap(11, 50)), world(room_grid(3, 3) + heap(2, 30))})
        for (const CellMerge merge : {CellMerge::convex, CellMerge::rooms}) {
            const CompiledLevel level = compiled(text, {.merge = merge});
            LevelVisibility sight(level);
            const auto [low, high] = bounds(level.cells);
            for (int i = 0; i < 60; ++i)
                expect_complete(sight, level, looking(dice.within(low, high), dice), 25, dice);
        }
}

TEST(LevelSight, AnEyeInTheMiddleOfAPortalOrOnItsEdgeSeesBothSides) {
    Dice dice(6);
    const CompiledLevel level = compiled(world(room_grid(3, 2)), {.merge = CellMerge::convex});
    LevelVisibility sight(level);
    for (const LevelCells::Portal& portal : level.cells.portals) {
        if (level.cells.cells[portal.from].outside) continue;
        for (const DVec3 eye : {dice.on(portal), dice.on(portal) + 1e-9 * portal.normal}) {
            LevelCamera camera = looking(eye, dice);
            if (std::fabs(portal.normal.z) > 0.9) camera.up = {1, 0, 0};
            for (const double side : {1.0, -1.0})
                for (const double tilt : {0.0, 0.3}) {
                    camera.forward =
                        side * portal.normal + tilt * DVec3{dice.normal(), dice.normal(), dice.normal()};
                    expect_complete(sight, level, camera, 8, dice);
                }
        }
    }
}

TEST(LevelSight, WhatIsBesideAnOpeningByLessThanRoundingIsKept) {
    // the door to the next room begins at x = 128 and ends at y = 80: 64 to the right at 60 ahead, beside a picture of 45 degrees
    const CompiledLevel level = compiled(world(room_grid(2, 1)), {.merge = CellMerge::convex});
    const std::uint32_t door = level.cells.cell_at({136, 64, 48});
    ASSERT_NE(door, level.cells.cell_at({64, 64, 48}));
    LevelVisibility sight(level);
    LevelCamera camera{.eye = {64, 20, 64}, .forward = {0, 1, 0}, .near = 0.25};
    const auto seen = [&](double rounding) {
        camera.rounding = rounding;
        sight.look(camera);
        return std::pair(!sight.windows(door).empty(), sight.sees({128.5, 79, 20}, {129, 80, 30}));
    };
    EXPECT_EQ(seen(0), std::pair(false, false));
    EXPECT_EQ(seen(0.05), std::pair(false, false)); // 64 / 60 - 1 is 0.067
    EXPECT_EQ(seen(0.08), std::pair(true, true));
    EXPECT_EQ(test::error_place([&] { seen(-1); }), "LevelCamera::rounding");
}

TEST(LevelSight, FewCellsOfManyRoomsAreSeenAndPortalsKeepLessThanThePyramid) {
    const CompiledLevel level = compiled(world(room_grid(8, 8)));
    ASSERT_GE(inner_cells(level.cells), 64u);
    LevelVisibility sight(level);
    LevelCamera camera{.eye = {64, 30, 64}, .forward = {1, 0.3, 0}, .tan_x = 0.8, .tan_y = 0.5};
    sight.look(camera, LevelCulling::none);
    const std::uint32_t all = sight.counters().triangles;
    sight.look(camera, LevelCulling::frustum);
    const std::uint32_t pyramid = sight.counters().triangles;
    sight.look(camera);
    EXPECT_TRUE(sight.counters().located);
    EXPECT_LT(4 * sight.counters().cells, inner_cells(level.cells));
    EXPECT_LT(3 * sight.counters().triangles, pyramid);
    EXPECT_LT(pyramid, all);
    EXPECT_EQ(sight.cells().size(), sight.counters().cells);
    // the room at the other end is behind walls; the one that the eye is in is not
    EXPECT_TRUE(sight.sees({100, 50, 0}, {120, 70, 32}));
    const double far = 7 * 144;
    EXPECT_FALSE(sight.sees({far + 40, far + 40, 10}, {far + 60, far + 60, 32}));
    EXPECT_FALSE(sight.sees({10, 50, 0}, {20, 70, 32})); // behind the eye
}

TEST(LevelSight, FromWithinAWallEverythingInThePyramidIsKept) {
    const CompiledLevel level = compiled(world(room_grid(3, 3)));
    LevelVisibility sight(level);
    for (const DVec3 eye :
         {DVec3{-8, 64, 64}, DVec3{0.1, 64, 64}}) { // in the wall; with the near plane in the wall
        LevelCamera camera{.eye = eye, .forward = {-1, 0, 0}};
        sight.look(camera, LevelCulling::frustum);
        const std::vector<LevelCells::Face> pyramid = sight.faces();
        sight.look(camera);
        EXPECT_FALSE(sight.counters().located);
        EXPECT_EQ(sight.faces(), pyramid);
    }
}

TEST(LevelSight, BeyondTheSpaceAroundTheLevelThePyramidCounts) {
    const CompiledLevel level = compiled(world(room_grid(3, 3)));
    LevelVisibility sight(level);
    const LevelCamera camera{.eye = {-400, 64, 300}, .forward = {1, 0.2, -0.4}};
    sight.look(camera, LevelCulling::frustum);
    const std::vector<LevelCells::Face> pyramid = sight.faces();
    sight.look(camera);
    EXPECT_FALSE(sight.counters().located);
    EXPECT_EQ(sight.faces(), pyramid);
    // from within: what is far outside is where no portal leads
    sight.look({.eye = {64, 30, 64}, .forward = {1, 0.3, 0}});
    EXPECT_TRUE(sight.counters().located);
    EXPECT_TRUE(sight.sees({3000, 900, 0}, {3100, 1000, 100}));
    EXPECT_FALSE(sight.sees({-3100, 900, 0}, {-3000, 1000, 100}));
}

TEST(LevelSight, FacesThatAreNotDrawnLeadToAllCellsIfTheirBrushDivides) {
    const auto inner = [](const std::string& wall) { // across the first room, from wall to wall
        return compiled(world(room_grid(4, 1) + box({96, 0, 0}, {100, 128, 128}, wall + " 0 0 0 1 1")));
    };
    const LevelCamera camera{.eye = {20, 64, 64}, .forward = {1, 0, 0}};
    for (const auto& [wall, beyond, undrawn] :
         {std::tuple("brick", false, 0u), {"common/caulk", true, 2u}, {"clip", true, 0u}}) {
        const CompiledLevel level = inner(wall);
        LevelVisibility sight(level);
        sight.look(camera);
        EXPECT_TRUE(sight.counters().located);
        const std::uint32_t last = level.cells.cell_at({500, 64, 64});
        ASSERT_NE(last, LevelCells::solid);
        EXPECT_EQ(!sight.windows(last).empty(), beyond) << wall;
        EXPECT_EQ(sight.sees({490, 60, 60}, {500, 68, 68}), beyond) << wall;
        EXPECT_EQ(sight.sees({97, 60, 60}, {98, 61, 61}), beyond) << wall; // in the wall
        EXPECT_EQ(sight.undrawn_faces().size(), undrawn) << wall;
        LevelVisibility closed(level); // then caulk hides, and clip, which does not divide, does not
        closed.look(camera, LevelCulling::closed);
        EXPECT_TRUE(closed.counters().located);
        const bool through = wall == std::string("clip");
        EXPECT_EQ(!closed.windows(last).empty(), through) << wall;
        EXPECT_EQ(closed.sees({490, 60, 60}, {500, 68, 68}), through) << wall;
        for (const LevelCells::Face& face : sight.faces())
            EXPECT_FALSE(face.brush + 1 == level.level.brushes.size() && beyond) << wall;
    }
}

TEST(LevelSight, AFaceOfSeveralCellsIsKeptOnce) {
    const CompiledLevel level = compiled(world(room_grid(4, 1)));
    LevelVisibility sight(level);
    sight.look({.eye = {20, 64, 64}, .forward = {1, 0, 0}}); // through all doors
    std::size_t floors = 0;
    for (const std::uint32_t c : sight.cells())
        floors += static_cast<std::size_t>(std::count_if(level.cells.cells[c].faces.begin(),
                                                         level.cells.cells[c].faces.end(),
                                                         [](const auto& face) { return face.brush == 0; }));
    EXPECT_GE(floors, 4u);
    EXPECT_EQ(std::count_if(sight.faces().begin(), sight.faces().end(),
                            [](const auto& face) { return face.brush == 0; }),
              1);
    for (const LevelCells::Face& face : sight.faces())
        EXPECT_EQ(std::count(sight.faces().begin(), sight.faces().end(), face), 1);
}

TEST(LevelSight, RefusesCamerasWithoutADirection) {
    const CompiledLevel level = compiled(world(room_grid(1, 1)));
    LevelVisibility sight(level);
    EXPECT_EQ(test::error_place([&] { sight.look({.forward = {0, 0, 1}}); }), "LevelCamera");
    EXPECT_EQ(test::error_place([&] { sight.look({.tan_x = 0}); }), "LevelCamera::tan");
}

} // namespace
} // namespace scree
