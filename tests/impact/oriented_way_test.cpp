// SPDX-License-Identifier: MIT
// oriented_way_test.cpp — boxes along the directions of shapes and of cells: what they leave out, and that they leave out nothing else.
#include "collision/cell_walk.h"
#include "collision/oriented_way.h"
#include "geometry/hull.h"
#include "geometry/mass.h"
#include "geometry/shapes.h"
#include "rigid/free_rotation.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

DVec3 some_way(Dice& dice, float most) {
    return wide(dice.in_box({-most, -most, -most}, {most, most, most}));
}

/// Long shapes of every kind.
struct Stick {
    MovingConvex moving;
    std::vector<std::uint32_t> words;
};
void make_stick(Dice& dice, int kind, Stick& out) {
    MovingConvex& m = out.moving = {};
    switch (kind % 6) {
    case 0:
        m.shape = {ShapeType::box, {0.03f, 0.5f, 0.06f}, 0, nullptr};
        break;
    case 1:
        m.shape = {ShapeType::capsule, {0, 0.5f, 0}, 0.04f, nullptr};
        break;
    case 2:
        m.shape = {ShapeType::cylinder, {0, 0.5f, 0}, 0.04f, nullptr};
        break;
    case 3:
        m.shape = {ShapeType::cone, {0, 0.5f, 0}, 0.04f, nullptr};
        break;
    case 4: {
        std::vector<Vec3> points;
        for (int k = 0; k < 12; ++k)
            points.push_back(dice.in_box({0.1f, -0.5f, -0.05f}, {0.2f, 0.5f, 0.05f}));
        out.words = hull_words(Hull::from_points(points).geometry());
        m.shape = {ShapeType::hull, {}, 0, out.words.data()};
        break;
    }
    default:
        m.shape = {ShapeType::sphere, {}, 0.1f, nullptr};
    }
    m.centre = some_way(dice, 1.2f), m.velocity = some_way(dice, 6), m.spin = some_way(dice, 8);
    m.acceleration = dice.between(0, 1) < 0.5 ? DVec3{0, -9.81, 0} : DVec3{};
    m.rotation = normalized(wide(dice.rotation())), m.own = normalized(wide(dice.rotation()));
    if (dice.between(0, 1) < 0.3) m.arm = some_way(dice, 0.2f);
}

TEST(OrientedWay, LeavesOutNoPairThatMeetsAndManyThatDoNot) {
    Dice dice(51);
    Stick a, b;
    int met = 0, ways = 0, oriented = 0;
    for (int k = 0; k < 6000; ++k) {
        make_stick(dice, k, a);
        make_stick(dice, k / 6, b);
        const double time = dice.between(0, 1) < 0.5 ? 1 / 60.0 : dice.between(0, 0.3);
        constexpr double margin = 5e-4;
        const bool meet = first_impact(a.moving, b.moving, margin, time).found,
                   way = ways_meet(a.moving, b.moving, time, margin),
                   box = oriented_ways_meet(a.moving, b.moving, time, margin);
        EXPECT_TRUE(box || !meet) << k;
        EXPECT_TRUE(way || !meet) << k;
        met += meet, ways += way, oriented += way && box;
    }
    EXPECT_GT(met, 100);
    // of what ways leave without need, most is gone
    EXPECT_LT(2 * (oriented - met), ways - met);
}

TEST(OrientedWay, HoldsEveryCornerOfABodyWhoseSpinChanges) {
    Dice dice(54);
    const Vec3 half{0.5f, 0.02f, 0.1f};
    const TurningMass mass = turning_mass(mass_of(Box{half.x, half.y, half.z}, 1000));
    for (int k = 0; k < 3000; ++k) {
        MovingConvex a, point;
        a.shape = {ShapeType::box, half, 0, nullptr};
        a.rotation = normalized(wide(dice.rotation()));
        a.spin = some_way(dice, 20), a.velocity = some_way(dice, 2);
        const double time = dice.between(0.02, 0.1), when = dice.between(0, time);
        const FreeRotation turn(mass, a.rotation, a.spin, time);
        a.most_spin = turn.most_spin(), a.spin_change = turn.most_change();
        // where a corner is at some time
        const DPose pose{centre_at(a, when), turn.rotation_at(when)};
        point.shape = {ShapeType::sphere, {}, 1e-6f, nullptr};
        point.centre =
            apply(pose, DVec3{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
        EXPECT_TRUE(oriented_ways_meet(a, point, time, 0)) << k;
    }
}

TEST(OrientedWay, OfABoxThatStandsIsTheBox) {
    // two crossed sticks: a millimetre apart and overlapping by one
    MovingConvex a, b;
    a.shape = b.shape = {ShapeType::box, {0.01f, 1, 0.01f}, 0, nullptr};
    a.rotation = rotation_about(DVec3{0, 0, 1}, 0.7);
    b.rotation = rotation_about(DVec3{0, 0, 1}, -0.9);
    b.centre = {0, 0, 2 * double{0.01f} + 1e-3};
    EXPECT_FALSE(oriented_ways_meet(a, b, 0, 0));
    EXPECT_TRUE(oriented_ways_meet(a, b, 0, 1.1e-3));
    b.centre.z -= 2e-3;
    EXPECT_TRUE(oriented_ways_meet(a, b, 0, 0));
    // beside each other, along a direction of neither's faces
    b.centre = {0, 0, 0}, a.centre = {0.9, 0, 0.09};
    a.rotation = rotation_about(DVec3{1, 0, 0}, 0.6), b.rotation = rotation_about(DVec3{0, 0, 1}, 1.5);
    EXPECT_FALSE(oriented_ways_meet(a, b, 0, 0));
    // a plane is everywhere
    MovingConvex plane;
    plane.shape.type = ShapeType::plane;
    EXPECT_TRUE(oriented_ways_meet(a, plane, 1, 0));
}

struct SticksRun {
    std::uint64_t hash = 0, measured = 0, impacts = 0;
    CellCounters cells{};
};
/// Long sticks that fly and fall about in a box.
SticksRun run_sticks(bool oriented) {
    WorldSettings settings;
    settings.solver = Solver::impact;
    World world(settings, on(1));
    add_container(world, 1.5f, 4);
    Dice dice(52);
    for (int k = 0; k < 40; ++k) {
        BodyDef body;
        body.velocity = dice.in_box({-4, -4, -4}, {4, 4, 4});
        body.angular_velocity = dice.in_box({-5, -5, -5}, {5, 5, 5});
        const Vec3 at{0.55f * static_cast<float>(k % 5) - 1.1f, 0.4f + 0.65f * static_cast<float>(k / 10),
                      0.7f * static_cast<float>(k / 5 % 2) - 0.4f};
        add(world, Box{0.02f, 0.3f, 0.02f}, at, {}, body);
    }
    set_impact_filters(world, {.oriented = oriented});
    SticksRun out;
    for (int k = 0; k < 60; ++k) {
        world.step(1 / 60.0f);
        const CellCounters now = cell_counters(world);
        out.measured += world.counters().impact.measured, out.impacts += world.counters().impact.impacts;
        out.cells.candidates += now.candidates, out.cells.shafts += now.shafts,
            out.cells.oriented += now.oriented;
    }
    out.hash = world.hash();
    return out;
}

TEST(OrientedWay, FewerDistancesAndTheSameBits) {
    const SticksRun without = run_sticks(false), with = run_sticks(true);
    EXPECT_GT(without.impacts, 50u);
    EXPECT_EQ(with.hash, without.hash);
    EXPECT_EQ(with.impacts, without.impacts);
    EXPECT_EQ(without.cells.oriented, without.cells.shafts);
    EXPECT_LT(with.cells.oriented, with.cells.shafts);
    EXPECT_LT(with.measured, without.measured);
}

/// A corridor of rooms that runs aslant, 2 m by 1 m each, with openings as wide as it is.
CollisionCells slanting_rooms(std::uint32_t count, bool oriented) {
    const DQuat turn = rotation_about(DVec3{0, 1, 0}, 0.7853981633974483);
    CollisionCells out;
    for (std::uint32_t k = 0; k < count; ++k) {
        CollisionCells::Cell cell;
        cell.low = {2.0 * k, 0, 0}, cell.high = {2.0 * k + 2, 2, 1};
        cell.rotation = turn;
        if (!oriented) {
            DVec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
            for (int c = 0; c < 8; ++c) {
                const DVec3 p =
                    rotate(turn, DVec3{c & 1 ? cell.low.x : cell.high.x, c & 2 ? cell.low.y : cell.high.y,
                                       c & 4 ? cell.low.z : cell.high.z});
                low = min(low, p), high = max(high, p);
            }
            cell.low = low, cell.high = high, cell.rotation = {};
        }
        const auto opening = [&](std::uint32_t to, double x) {
            CollisionCells::Portal portal{to,
                                          {DVec3{x, 0, 0}, DVec3{x, 2, 0}, DVec3{x, 2, 1}, DVec3{x, 0, 1}}};
            for (DVec3& p : portal.corners) p = rotate(turn, p);
            cell.portals.push_back(portal);
        };
        if (k > 0) opening(k - 1, 2.0 * k);
        if (k + 1 < count) opening(k + 1, 2.0 * k + 2);
        out.cells.push_back(cell);
        if (k + 1 < count)
            out.nodes.push_back(
                {rotate(turn, DVec3{1, 0, 0}),
                 2.0 * k + 2,
                 {k + 2 < count ? k + 1 : CollisionCells::leaf_bit | (k + 1), CollisionCells::leaf_bit | k}});
    }
    return out;
}

TEST(OrientedWay, CellsThatStandAslantAreTriedLessOften) {
    const CollisionCells upright = slanting_rooms(20, false), oriented = slanting_rooms(20, true);
    CellWalk plain(upright), turned(oriented);
    check_cells(oriented, "cells");
    Dice dice(53);
    const DQuat turn = oriented.cells[0].rotation;
    std::size_t more = 0;
    for (int k = 0; k < 2000; ++k) {
        MovingConvex ball;
        ball.shape = {ShapeType::sphere, {}, 0.1f, nullptr};
        ball.centre = rotate(turn, wide(dice.in_box({2, 0.2f, 0.2f}, {38, 1.8f, 0.8f})));
        ball.velocity = rotate(turn, wide(dice.in_box({-4, -0.2f, -0.2f}, {4, 0.2f, 0.2f})));
        std::vector<std::uint32_t> in, own;
        plain.place(ball, 0, in);
        own = in;
        plain.flood(way_shaft(ball, 0.05, 0), in);
        turned.flood(way_shaft(ball, 0.05, 0), own);
        // portals decide in the end: no cell more, and none that its box alone let in
        EXPECT_TRUE(std::includes(in.begin(), in.end(), own.begin(), own.end())) << k;
        more += in.size() - own.size();
        for (int step = 0; step <= 20; ++step) {
            const DVec3 at = rotate(conjugate(turn), centre_at(ball, 0.0025 * step));
            const auto here = static_cast<std::uint32_t>(std::clamp(at.x / 2, 0.0, 19.0));
            EXPECT_TRUE(std::binary_search(own.begin(), own.end(), here)) << k;
        }
    }
    EXPECT_LT(3 * turned.portals_tested(), plain.portals_tested());
    EXPECT_LT(more, 20u);
    // cells that become one keep their axes, if they have the same
    const CollisionCells same = merged(oriented, std::vector<std::uint32_t>(20, 0));
    EXPECT_EQ(same.cells[0].rotation, turn);
    EXPECT_EQ(same.cells[0].high.x, 40);
    CollisionCells mixed = oriented;
    mixed.cells[3] = upright.cells[3];
    const CollisionCells::Cell one = merged(mixed, std::vector<std::uint32_t>(20, 0)).cells[0];
    EXPECT_EQ(one.rotation, DQuat{});
    for (const CollisionCells::Cell& cell : upright.cells) {
        EXPECT_LE(one.low.x, cell.low.x + 1e-9);
        EXPECT_GE(one.high.x, cell.high.x - 1e-9);
        EXPECT_LE(one.low.z, cell.low.z + 1e-9);
    }
}

} // namespace
} // namespace scree::test
