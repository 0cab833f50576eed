// SPDX-License-Identifier: MIT
// impact_cells_test.cpp — which pairs Solver::impact looks at: shafts, cells entered through portals, maps of cells, search trees.
#include "collision/cell_maps.h"
#include "collision/cell_walk.h"
#include "collision/priority_search_tree.h"
#include "collision/shaft.h"
#include "impact_rooms.h"
#include "rooms_text.h"
#include "scree/error.h"
#include "scree/rollback.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::test {
namespace {

#define EXPECT_REFUSED(call, where) EXPECT_EQ(error_place([&] { (void)(call); }), where)

DVec3 some(Dice& dice, double most) {
    const auto far = static_cast<float>(most);
    return wide(dice.in_box({-far, -far, -far}, {far, far, far}));
}
DBox box_about(const DVec3& at, const DVec3& half) { return {at - half, at + half}; }
DVec3 positive(const DVec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
DVec3 inside(Dice& dice, const DBox& box) {
    const auto part = [&](double low, double high) { return low + (high - low) * dice.between(0, 1); };
    const double x = part(box.low.x, box.high.x), y = part(box.low.y, box.high.y),
                 z = part(box.low.z, box.high.z);
    return {x, y, z};
}
/// When a box on a straight way first overlaps another; false: never. By slabs, which is exact.
bool way_meets(const DBox& first, const DVec3& way, const DBox& other) {
    double begin = 0, end = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double low = along(other.low, axis) - along(first.high, axis),
                     high = along(other.high, axis) - along(first.low, axis), v = along(way, axis);
        if (v == 0 && (low > 0 || high < 0)) return false;
        if (v == 0) continue;
        begin = std::max(begin, std::min(low / v, high / v));
        end = std::min(end, std::max(low / v, high / v));
    }
    return begin <= end;
}

TEST(Shaft, HoldsTheWayOfABoxAndNothingElse) {
    Dice dice(21);
    int hit = 0, cut = 0;
    std::size_t most = 0;
    for (int k = 0; k < 4000; ++k) {
        const DBox first = box_about(some(dice, 2), positive(some(dice, 0.8)));
        const DVec3 way = some(dice, 5);
        const Shaft shaft = shaft_of(first, {first.low + way, first.high + way});
        const DBox other = box_about(some(dice, 3), positive(some(dice, 0.7)));
        const bool meet = way_meets(first, way, other);
        EXPECT_EQ(meets(shaft, other), meet) << k;
        hit += meet;
        cut += !meet && shaft.around.overlaps(other);
        most = std::max(most, shaft.count);
    }
    EXPECT_GT(hit, 200);
    EXPECT_GT(cut, 300); // what the box around the way would have let through
    EXPECT_EQ(most, 6u);
}

TEST(Shaft, OfBoxesThatGrowHasUpToEightPlanes) {
    Dice dice(22);
    std::size_t most = 0;
    for (int k = 0; k < 4000; ++k) {
        const DBox first = box_about(some(dice, 2), positive(some(dice, 2))),
                   last = box_about(some(dice, 2), positive(some(dice, 2)));
        const Shaft shaft = shaft_of(first, last);
        most = std::max(most, shaft.count);
        // a point of a box between the two
        const double t = dice.between(0, 1);
        const DVec3 p =
            inside(dice, {first.low + (last.low - first.low) * t, first.high + (last.high - first.high) * t});
        if (!meets(shaft, DBox{p, p})) ADD_FAILURE() << k;
    }
    EXPECT_EQ(most, 8u);
}

TEST(Shaft, MeetsTheTrianglesThatAPointOfTheWayIsIn) {
    Dice dice(23);
    int met = 0, missed = 0;
    for (int k = 0; k < 3000; ++k) {
        const DBox first = box_about(some(dice, 2), positive(some(dice, 0.4)));
        const DVec3 way = some(dice, 3);
        const Shaft shaft = shaft_of(first, {first.low + way, first.high + way});
        std::array<DVec3, 3> t{some(dice, 4), some(dice, 4), some(dice, 4)};
        missed += !meets(shaft, t);
        // moved so that one of its points is on the way
        const double u = dice.between(0, 0.5), v = dice.between(0, 0.5);
        const DVec3 in = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v,
                    on = inside(dice, first) + way * dice.between(0, 1);
        for (DVec3& corner : t) corner += on - in;
        met += meets(shaft, t);
    }
    EXPECT_EQ(met, 3000);
    EXPECT_GT(missed, 1500);
}

TEST(CollisionCells, PortalsAreCoveredByAtMostTwoTriangles) {
    Dice dice(24);
    for (int corners = 3; corners < 9; ++corners) {
        const DQuat turn = wide(dice.rotation());
        std::vector<DVec3> polygon;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * 3.14159265358979 * k / corners;
            polygon.push_back(rotate(turn, DVec3{3 * std::cos(angle), std::sin(angle), 0}));
        }
        const std::array<DVec3, 4> cover = covering_triangles(polygon);
        const DVec3 n = rotate(turn, DVec3{0, 0, 1});
        for (const DVec3& p : polygon)
            for (std::size_t k = 0; k < 4; ++k) {
                const DVec3 edge = cover[(k + 1) % 4] - cover[k];
                EXPECT_GE(dot(cross(edge, p - cover[k]), n), -1e-9) << corners;
            }
        const double area = length(cross(cover[1] - cover[0], cover[2] - cover[0])) / 2 +
                            length(cross(cover[2] - cover[0], cover[3] - cover[0])) / 2;
        EXPECT_LT(area, 12.001); // the rectangle along the axes
    }
    const std::vector<DVec3> line(2);
    EXPECT_REFUSED(covering_triangles(line), "portal");
}

TEST(PrioritySearchTree, FindsWhatALinearScanFindsAndLooksAtFew) {
    Dice dice(25);
    for (const std::size_t n : {0, 1, 10, 3000}) {
        std::vector<PrioritySearchTree::Interval> all;
        for (std::uint32_t k = 0; k < n; ++k) {
            const double low = std::floor(dice.between(0, 1000));
            all.push_back({low, low + std::floor(dice.between(0, k % 20 ? 3 : 200)), k});
        }
        PrioritySearchTree tree;
        tree.build(all);
        for (int query = 0; query < 60; ++query) {
            const double low = std::floor(dice.between(-10, 1010)), high = low + dice.between(0, 4);
            std::set<std::uint32_t> found, scanned;
            const std::size_t looked =
                tree.overlapping(low, high, [&](std::uint32_t of) { EXPECT_TRUE(found.insert(of).second); });
            for (const PrioritySearchTree::Interval& one : all)
                if (one.low <= high && low <= one.high) scanned.insert(one.of);
            EXPECT_EQ(found, scanned);
            EXPECT_LE(static_cast<double>(looked),
                      3 * static_cast<double>(found.size()) + 3 * std::log2(static_cast<double>(n) + 2));
        }
    }
}

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

TEST(CellMaps, PairsAreThoseThatOverlapInACommonCell) {
    Dice dice(26);
    constexpr std::uint32_t count = 50, cells = 4;
    std::vector<DBox> boxes(count);
    std::vector<std::vector<std::uint32_t>> in(count);
    const auto draw = [&](std::uint32_t k) {
        boxes[k] = box_about(some(dice, 2), positive(some(dice, 0.8)));
        in[k].clear();
        if (k % 10 != 9) // the others are everywhere
            for (std::uint32_t c = 0; c < cells; ++c)
                if (dice.between(0, 1) < 0.4) in[k].push_back(c);
    };
    const auto entry = [&](std::uint32_t k, bool moves) {
        return CellMaps::Entry{k, boxes[k], in[k], k < 20 && k % 10 != 9, moves, k % 10 == 9};
    };
    std::vector<bool> moves(count);
    std::vector<CellMaps::Entry> entries;
    for (std::uint32_t k = 0; k < count; ++k) {
        draw(k);
        moves[k] = !entry(k, false).fixed && k % 3 != 0;
        entries.push_back(entry(k, moves[k]));
    }
    CellMaps maps;
    maps.rebuild(cells, entries);
    Pairs told;
    for (int step = 0; step < 60; ++step) {
        Pairs expected, found;
        for (std::uint32_t a = 0; a < count; ++a)
            for (std::uint32_t b = a + 1; b < count; ++b) {
                const bool common =
                    a % 10 == 9 || b % 10 == 9 ||
                    std::find_first_of(in[a].begin(), in[a].end(), in[b].begin(), in[b].end()) != in[a].end();
                if (common && (moves[a] || moves[b]) && boxes[a].overlaps(boxes[b])) expected.insert({a, b});
            }
        std::size_t lists = 0;
        for (const CellMaps::Pair& pair : maps.pairs())
            if (pair.alive) found.insert({pair.of.first, pair.of.second});
        for (std::uint32_t k = 0; k < count; ++k) lists += maps.pairs_of(k).size();
        ASSERT_EQ(found, expected) << step;
        ASSERT_EQ(lists, 2 * expected.size());
        for (const std::uint32_t slot : maps.began())
            if (maps.pairs()[slot].alive)
                told.insert({maps.pairs()[slot].of.first, maps.pairs()[slot].of.second});
        EXPECT_TRUE(std::includes(told.begin(), told.end(), expected.begin(), expected.end()));
        maps.clear_changes();
        for (std::uint32_t k = 0; k < count; ++k) {
            if (entry(k, false).fixed || dice.between(0, 1) < 0.5) continue;
            draw(k);
            const double what = dice.between(0, 1);
            if (what < 0.2) moves[k] = !moves[k];
            if (what < 0.7) maps.set_way(entry(k, moves[k]));
            else maps.set(k, boxes[k], in[k]);
            if (!moves[k] && what > 0.95) maps.set_moving(k), moves[k] = true;
        }
    }
}

struct Flight {
    MovingConvex shape;
    double time;
};
/// A box that flies and turns somewhere in the first room, towards its door.
Flight flight_in_room(Dice& dice) {
    Flight out;
    out.shape.shape = {ShapeType::box, {0.1f, 0.2f, 0.15f}, 0, nullptr};
    out.shape.centre =
        from_map({200 + dice.between(-30, 30), 128 + dice.between(-100, 100), 40 + dice.between(-20, 20)});
    const double time = dice.between(0.1, 0.6);
    const DVec3 to =
        from_map({300 + dice.between(-60, 60), 128 + dice.between(-60, 60), 40 + dice.between(-30, 30)});
    out.shape.acceleration = {0, -9.81, 0};
    out.shape.velocity = (to - out.shape.centre) / time;
    out.shape.spin = some(dice, 6);
    out.shape.rotation = wide(dice.rotation());
    out.time = time;
    return out;
}

TEST(CollisionCells, AWayIsInEveryCellThatItEntersAndInFewOthers) {
    const CompiledLevel level = bench::rooms_of(2);
    const CollisionCells cells = collision_cells(level.cells);
    CellWalk walk(cells);
    Dice dice(27);
    const double scale = double{level_scale};
    int through = 0;
    std::size_t all = 0, entered = 0;
    for (int k = 0; k < 60; ++k) {
        const Flight f = flight_in_room(dice);
        std::vector<std::uint32_t> start, found;
        walk.place(f.shape, 0, start);
        found = start;
        walk.flood(way_shaft(f.shape, f.time, 0), found);
        // followed until it is in a wall: there it would bounce
        std::set<std::uint32_t> truly;
        bool wall = false;
        for (int step = 0; step <= 60 && !wall; ++step) {
            const DPose pose = pose_at(f.shape, f.time * step / 60);
            for (int corner = 0; corner < 9 && !wall; ++corner) {
                const DVec3 at = corner == 8 ? DVec3{}
                                             : DVec3{corner & 1 ? 0.1 : -0.1, corner & 2 ? 0.2 : -0.2,
                                                     corner & 4 ? 0.15 : -0.15};
                const DVec3 p = apply(pose, at);
                const std::uint32_t cell = level.cells.cell_at({p.x / scale, -p.z / scale, p.y / scale});
                wall = cell == LevelCells::solid;
                if (!wall) truly.insert(cell);
            }
        }
        EXPECT_TRUE(std::includes(found.begin(), found.end(), truly.begin(), truly.end())) << k;
        through += truly.size() > 1;
        entered += truly.size();
        all += found.size();
    }
    EXPECT_GT(through, 10);
    EXPECT_LT(all, 2 * entered);
    // a portal is looked at only behind a neighbour whose box the way meets
    EXPECT_LT(walk.portals_tested(), walk.boxes_tested() / 2);
}

/// The leaves of the tree whose half-spaces all hold a point, one after the other.
std::uint32_t by_search(const CollisionCells& cells, const DVec3& at, std::uint32_t child,
                        bool inside_so_far) {
    if (child & CollisionCells::leaf_bit)
        return inside_so_far ? child & ~CollisionCells::leaf_bit : 0xffffffffu;
    const CollisionCells::Node& node = cells.nodes[child];
    const bool front = dot(node.normal, at) > node.distance;
    const std::uint32_t a = by_search(cells, at, node.children[0], inside_so_far && front),
                        b = by_search(cells, at, node.children[1], inside_so_far && !front);
    return std::min(a, b);
}

TEST(CollisionCells, PlacesByPlanesAreThoseOfASearchThroughAllCells) {
    const CompiledLevel level = bench::rooms_of(2);
    const CollisionCells cells = collision_cells(level.cells);
    const CellWalk walk(cells);
    Dice dice(28);
    MovingConvex point;
    point.shape = {ShapeType::sphere, {}, 0, nullptr};
    for (int k = 0; k < 400; ++k) {
        point.centre = wide(dice.in_box({-1, -1, -18}, {18, 5, 1}));
        std::vector<std::uint32_t> found;
        const bool wall = walk.place(point, 0, found);
        const std::uint32_t expected = by_search(cells, point.centre, 0, true);
        EXPECT_EQ(wall, expected == CollisionCells::solid);
        if (wall) {
            EXPECT_TRUE(found.empty());
        } else {
            EXPECT_EQ(found, std::vector{expected});
        }
    }
    // a ball is in the cells of all its points
    int several = 0;
    for (int k = 0; k < 100; ++k) {
        MovingConvex ball;
        ball.shape = {ShapeType::sphere, {}, 0.8f, nullptr};
        ball.centre = wide(dice.in_box({-1, -1, -18}, {18, 5, 1}));
        std::vector<std::uint32_t> found;
        walk.place(ball, 0, found);
        several += found.size() > 1;
        for (int sample = 0; sample < 20; ++sample) {
            const DVec3 at = ball.centre + wide(dice.in_box({-0.46f, -0.46f, -0.46f}, {0.46f, 0.46f, 0.46f}));
            const std::uint32_t cell = by_search(cells, at, 0, true);
            EXPECT_TRUE(cell == CollisionCells::solid ||
                        std::binary_search(found.begin(), found.end(), cell));
        }
    }
    EXPECT_GT(several, 10);
}

struct RoomsRun {
    std::uint64_t hash = 0;
    ImpactCounters impact{};
    CellCounters cells{};
};
RoomsRun run_rooms(const CompiledLevel& level, bool cells, bool shafts, std::uint32_t merge,
                   int threads = 1) {
    bench::RoomsWorld rooms = bench::fly_in_rooms(level, 3, 36, 0.6f, on(threads));
    World& world = rooms.world;
    // a lift, which walls do not stop, and a ghost, which they do not see
    BodyDef lift;
    lift.type = BodyType::kinematic;
    lift.position = from_map({100, 300, -30});
    lift.velocity = {0, 0.8f, 0};
    add(world, Box{1, 0.1f, 1}, narrow(lift.position), {}, lift);
    ShapeDef ghost;
    ghost.filter = {.category = 2, .mask = 2, .group = 0};
    add(world, Sphere{0.2f}, narrow(from_map({200, 100, 60})), ghost);
    if (cells) set_cells(world, rooms.walls, collision_cells(level.cells), {.merge_up_to = merge});
    set_impact_filters(world, {.cells = cells, .shafts = shafts});
    RoomsRun out;
    for (int k = 0; k < 50; ++k) {
        world.step(frame);
        const ImpactCounters now = world.counters().impact;
        const CellCounters in = cell_counters(world);
        out.impact.pairs += now.pairs, out.impact.candidates += now.candidates;
        out.impact.queued += now.queued, out.impact.measured += now.measured;
        out.impact.impacts += now.impacts;
        out.cells.in_cells += in.in_cells, out.cells.shafts += in.shafts,
            out.cells.candidates += in.candidates;
        out.cells.entered += in.entered, out.cells.memberships += in.memberships;
        out.cells.everywhere += in.everywhere;
        out.cells.cells = in.cells;
    }
    out.hash = world.hash();
    return out;
}

TEST(ImpactCells, CellsAndShaftsChangeNoBit) {
    const CompiledLevel level = bench::rooms_of(3);
    const RoomsRun plain = run_rooms(level, false, false, 0), shafts = run_rooms(level, false, true, 0),
                   cells = run_rooms(level, true, true, 0), merged = run_rooms(level, true, true, 60, 2);
    EXPECT_GT(plain.impact.impacts, 50u);
    for (const RoomsRun* one : {&shafts, &cells, &merged}) {
        EXPECT_EQ(one->hash, plain.hash);
        EXPECT_EQ(one->impact.impacts, plain.impact.impacts);
    }
    // each stage leaves fewer
    EXPECT_EQ(plain.cells.cells, 0u);
    EXPECT_GT(cells.cells.cells, 9u);
    EXPECT_LT(2 * cells.cells.in_cells, cells.impact.pairs);
    EXPECT_LT(cells.impact.candidates, cells.cells.in_cells);
    EXPECT_LE(cells.impact.candidates, plain.impact.candidates);
    EXPECT_LT(cells.cells.shafts, cells.cells.candidates);
    // the lift and the ghost
    EXPECT_GE(cells.cells.everywhere, 100u);
    EXPECT_LT(cells.cells.everywhere, 150u);
    EXPECT_LT(merged.cells.cells, cells.cells.cells);
    EXPECT_LT(merged.cells.memberships, cells.cells.memberships);
    EXPECT_LT(merged.cells.entered, cells.cells.entered);
}

/// Distances measured where a ball flies past posts on both sides, aslant: the box around its way holds all of them.
std::uint64_t distances_on_the_way(bool shafts) {
    WorldSettings settings;
    settings.solver = Solver::impact;
    settings.gravity = {};
    World world(settings);
    BodyDef post, ball;
    post.type = BodyType::fixed;
    for (int k = 1; k < 9; ++k)
        for (const float side : {-0.8f, 0.8f})
            add(world, Box{0.2f, 1, 0.2f}, {static_cast<float>(k) + side, 0, static_cast<float>(k) - side},
                {}, post);
    ball.velocity = {300, 0, 300};
    ball.max_speed = 1000;
    const BodyId shot = add(world, Sphere{0.1f}, {}, {}, ball);
    set_impact_filters(world, {.shafts = shafts});
    world.step(1 / 30.0f);
    EXPECT_NEAR(world.position(shot).x, 10, 1e-5);
    return world.counters().impact.measured;
}
TEST(ImpactCells, WaysThatMissEachOtherAreNotMeasured) {
    EXPECT_GT(distances_on_the_way(false), 10u);
    EXPECT_EQ(distances_on_the_way(true), 0u);
}

TEST(ImpactCells, AreLeftAloneWhileTheWallsAreNotThose) {
    const CompiledLevel level = bench::rooms_of(1);
    bench::RoomsWorld rooms = bench::fly_in_rooms(level, 1, 2);
    World& world = rooms.world;
    const CollisionCells cells = collision_cells(level.cells);
    const auto in_use = [&] {
        world.step(frame);
        return cell_counters(world).cells > 0;
    };
    EXPECT_FALSE(in_use());
    set_cells(world, rooms.walls, cells);
    EXPECT_TRUE(in_use());
    EXPECT_NE(detector_report(world).find("cells"), std::string::npos);
    world.set_contact_filter([](ShapeId, ShapeId) { return true; });
    EXPECT_FALSE(in_use());
    world.set_contact_filter({});
    EXPECT_TRUE(in_use());
    world.destroy(world.shapes(rooms.walls).front());
    EXPECT_FALSE(in_use());
    clear_cells(world);
    EXPECT_FALSE(in_use());
}

TEST(ImpactCells, DoNotOutliveARollback) {
    const CompiledLevel level = bench::rooms_of(1);
    bench::RoomsWorld rooms = bench::fly_in_rooms(level, 1, 2);
    Rollback ring(rooms.world, 1);
    ring.save();
    set_cells(rooms.world, rooms.walls, collision_cells(level.cells));
    rooms.world.step(frame);
    EXPECT_GT(cell_counters(rooms.world).cells, 0u);
    ring.restore(0);
    rooms.world.step(frame);
    EXPECT_EQ(cell_counters(rooms.world).cells, 0u);
    // nor do they find walls of another world in the place of theirs
    World world({.gravity = {}, .solver = Solver::impact});
    Rollback empty(world, 1);
    empty.save();
    const auto add_walls = [&] {
        const BodyId walls = world.create_body({.type = BodyType::fixed});
        world.attach(walls, Box{0.1f, 0.1f, 0.1f});
        return walls;
    };
    for (int k = 0; k < 100; ++k) add_walls();
    CollisionCells half; // the other half is solid
    half.cells.push_back({{-9, -9, -9}, {0, 9, 9}, {}});
    half.nodes.push_back(
        {{1, 0, 0}, 0, {CollisionCells::leaf_bit | CollisionCells::solid, CollisionCells::leaf_bit}});
    set_cells(world, add_walls(), half);
    empty.restore(0);
    add(world, Sphere{}, {-2, 5, 0}, {}, {.velocity = {300, 0, 0}});
    const BodyId hit = add(world, Sphere{}, {2, 5, 0});
    world.step(frame);
    EXPECT_GT(world.state(hit).velocity.x, 100);
}

TEST(ImpactCells, RefusesWhatDoesNotFit) {
    const CompiledLevel level = bench::rooms_of(1);
    bench::RoomsWorld rooms = bench::fly_in_rooms(level, 1, 1);
    const CollisionCells cells = collision_cells(level.cells);
    EXPECT_REFUSED(set_cells(rooms.world, rooms.bodies[0], cells), "walls");
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, {}), "CollisionCells");
    CollisionCells wrong = cells;
    wrong.nodes[0].children[0] = 0;
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong = cells;
    wrong.cells[0].portals.push_back({99999, {}});
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong = cells;
    wrong.nodes[0].normal = {2, 0, 0};
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong = cells;
    wrong.nodes[0].children = {1, 1}; // walks would double with each such node
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong = cells;
    std::swap(wrong.cells[0].low.y, wrong.cells[0].high.y);
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong.cells[0].low.y = std::nan("");
    EXPECT_REFUSED(set_cells(rooms.world, rooms.walls, wrong), "CollisionCells");
    wrong.cells[0].low.y = -INFINITY;
    wrong.cells[0].high.y = INFINITY;
    set_cells(rooms.world, rooms.walls, wrong);
    EXPECT_REFUSED(collision_cells(level.cells, 0), "scale");
    World soft;
    EXPECT_REFUSED(set_cells(soft, soft.create_body({.type = BodyType::fixed}), cells), "solver");
}

} // namespace
} // namespace scree::test
