// SPDX-License-Identifier: MIT
// time_of_impact_test.cpp — the detector alone, by public headers: distances, times of impact, cells on the way.
#include "scree/time_of_impact.h"

#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

/// A row of rooms along x, 4 m long each, 2 m wide and high, walls of any thickness between them, with a door of 1 m in the middle.
CollisionCells row_of_rooms(std::uint32_t count) {
    constexpr double wall = 0.2, pitch = 4 + wall;
    CollisionCells out;
    const std::uint32_t solid = CollisionCells::leaf_bit | CollisionCells::solid;
    const auto room = [](std::uint32_t k) { return CollisionCells::leaf_bit | k; };
    for (std::uint32_t k = 0; k < count; ++k) {
        const double low = pitch * k, high = low + 4;
        CollisionCells::Cell cell{{low, 0, 0}, {high + wall, 2, 2}, {}}; // with the doorway behind it
        const auto door = [&](std::uint32_t to, double x) {
            return CollisionCells::Portal{
                to, {DVec3{x, 0, 0.5}, DVec3{x, 1, 0.5}, DVec3{x, 1, 1.5}, DVec3{x, 0, 1.5}}};
        };
        if (k > 0) cell.portals.push_back(door(k - 1, low));
        if (k + 1 < count) cell.portals.push_back(door(k + 1, high + wall));
        out.cells.push_back(cell);
        // room k is in front of the plane behind it, and before the wall, or in its doorway
        const auto next = static_cast<std::uint32_t>(out.nodes.size());
        const bool last = k + 1 == count;
        if (last) {
            out.nodes.push_back({{1, 0, 0}, high, {solid, room(k)}});
            continue;
        }
        out.nodes.push_back({{1, 0, 0}, high + wall, {next + 5, next + 1}});
        out.nodes.push_back({{1, 0, 0}, high, {next + 2, room(k)}});
        out.nodes.push_back({{0, 1, 0}, 1, {solid, next + 3}});
        out.nodes.push_back({{0, 0, 1}, 1.5, {solid, next + 4}});
        out.nodes.push_back({{0, 0, 1}, 0.5, {room(k), solid}});
    }
    return out;
}

TEST(Detector, ABallMeetsATableWhenTheParabolaSays) {
    const MovingShape ball{.geometry = Sphere{0.1f}, .position = {0, 5, 0}, .acceleration = {0, -9.81, 0}};
    const MovingShape table{.geometry = Box{1, 0.5f, 1}};
    const FirstTouch touch = time_of_impact(ball, table, {.duration = 2, .tolerance = 1e-9});
    ASSERT_TRUE(touch);
    EXPECT_NEAR(touch.time, std::sqrt(2 * 4.4 / 9.81), 1e-8);
    EXPECT_NEAR(touch.nearest.distance, 0, 1e-9);
    EXPECT_NEAR(touch.nearest.normal.y, -1, 1e-9); // from the ball to the table
    EXPECT_NEAR(length(touch.nearest.on_b - DVec3{0, 0.5, 0}), 0, 1e-8);
    // not within half a second
    const FirstTouch none = time_of_impact(ball, table, {.duration = 0.5});
    EXPECT_FALSE(none);
    EXPECT_EQ(none.time, 0.5);
    EXPECT_FALSE(none.gave_up);
}

TEST(Detector, ABulletDoesNotPassAPlateAndAStickStrikesWithItsEnd) {
    const MovingShape bullet{.geometry = Capsule{0.01f, 0.002f},
                             .position = {0, 0, 10},
                             .velocity = {0, 0, -1e5},
                             .angular_velocity = {300, 0, 20}};
    const FirstTouch shot = time_of_impact(bullet, {.geometry = Box{2, 2, 0.0005f}});
    ASSERT_TRUE(shot);
    EXPECT_NEAR(shot.time, 1e-4, 2e-7);
    // a stick turns about its lower end, which is beside its shape's origin, and falls on a plane a quarter of a turn later
    const MovingShape stick{
        .geometry = Box{0.01f, 0.5f, 0.01f}, .angular_velocity = {0, 0, -1}, .offset = {0, 0.5, 0}};
    const FirstTouch fell = time_of_impact(stick, {.geometry = Plane{}, .position = {0, -0.02, 0}});
    ASSERT_FALSE(fell);
    const FirstTouch later =
        time_of_impact(stick, {.geometry = Plane{}, .position = {0, -0.02, 0}}, {.duration = 2});
    ASSERT_TRUE(later);
    EXPECT_GT(later.time, 1.5707963267948966);
    EXPECT_GT(later.nearest.on_a.x, 0.99);
    EXPECT_NEAR(pose_after(stick, later.time).position.x, 0.5 * std::sin(later.time), 1e-12);
}

TEST(Detector, NearestPointsAreThoseOfTheShapes) {
    const NearestPoints apart =
        nearest_points(Box{1, 1, 1}, {}, Sphere{0.5f}, {{3, 4, 0}, {}}); // the edge at 1 1
    EXPECT_NEAR(apart.distance, std::sqrt(13.0) - 0.5, 1e-9);
    EXPECT_NEAR(length(apart.on_a - DVec3{1, 1, 0}), 0, 1e-6);
    EXPECT_NEAR(length(apart.on_b - apart.on_a), apart.distance, 1e-9);
    const NearestPoints deep = nearest_points(Plane{}, {}, Box{1, 1, 1}, {{0, 0.9, 0}, {}});
    EXPECT_NEAR(deep.distance, -0.1, 1e-7);
    EXPECT_NEAR(deep.normal.y, 1, 1e-9);
    // overlapping from the start: at once
    const FirstTouch at_once = time_of_impact({}, {.geometry = Box{}, .velocity = {9, 0, 0}});
    ASSERT_TRUE(at_once);
    EXPECT_EQ(at_once.time, 0);
    EXPECT_LT(at_once.nearest.distance, 0);
}

TEST(Detector, GivesUpAfterTheDistancesItMayMeasure) {
    const MovingShape drum{.geometry = Cylinder{0.5f, 0.3f},
                           .position = {1.5, 0, 0},
                           .velocity = {-0.4, 0, 0},
                           .angular_velocity = {7, 9, 8}};
    const FirstTouch all = time_of_impact(drum, {.geometry = Cone{}}, {.duration = 3});
    ASSERT_TRUE(all);
    ASSERT_GT(all.distances, 4);
    const FirstTouch few = time_of_impact(drum, {.geometry = Cone{}}, {.duration = 3, .max_distances = 2});
    EXPECT_FALSE(few);
    EXPECT_TRUE(few.gave_up);
    EXPECT_EQ(few.distances, 2);
    EXPECT_LT(few.time, all.time);
    EXPECT_GT(few.time, 0);
}

TEST(Detector, TheExactEstimatorFindsTheMomentOfTheTouch) {
    const std::array<Vec3, 6> corners{Vec3{0.3f, 0, 0},  Vec3{-0.3f, 0, 0}, Vec3{0, 0.5f, 0},
                                      Vec3{0, -0.5f, 0}, Vec3{0, 0, 0.2f},  Vec3{0, 0, -0.2f}};
    const MovingShape rock{.geometry = Hull::from_points(corners),
                           .position = {0.2, 3, 0},
                           .velocity = {0, 1, 0},
                           .acceleration = {0, -9.81, 0},
                           .angular_velocity = {3, 1, 9}};
    for (const Geometry& ground : {Geometry(Box{2, 1, 2}), Geometry(Plane{})}) {
        const MovingShape floor{.geometry = ground};
        const FirstTouch exact =
            time_of_impact(rock, floor, {.duration = 2, .estimator = TouchEstimator::exact});
        ASSERT_TRUE(exact);
        const NearestPoints then = nearest_points(rock.geometry, pose_after(rock, exact.time), ground, {});
        EXPECT_NEAR(then.distance, 0, 1e-10);
        EXPECT_NEAR(length(exact.nearest.on_b - then.on_b), 0, 1e-6);
        EXPECT_NEAR(exact.nearest.normal.y, -1, 1e-12);
        // from below comes as near as its tolerance lets it
        for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
            const double below = time_of_impact(rock, floor, {.duration = 2, .tolerance = tolerance}).time;
            EXPECT_LT(below, exact.time);
            EXPECT_GT(below, exact.time - tolerance);
        }
    }
    EXPECT_FALSE(
        time_of_impact(rock, {.geometry = Plane{}}, {.duration = 0.5, .estimator = TouchEstimator::exact}));
    EXPECT_EQ(error_place([&] {
                  (void)time_of_impact(rock, {.geometry = Sphere{}}, {.estimator = TouchEstimator::exact});
              }),
              "geometry");
}

TEST(Detector, FindsTheRoomsOnAWay) {
    CellFinder finder(row_of_rooms(4));
    EXPECT_EQ(finder.cells().cells.size(), 4u);
    MovingShape ball{.geometry = Sphere{0.2f}, .position = {2, 0.5, 1}};
    using Cells = std::vector<std::uint32_t>;
    EXPECT_EQ(finder.touched(ball).cells, Cells{0});
    EXPECT_FALSE(finder.touched(ball).wall);
    EXPECT_EQ(finder.touched({.geometry = Sphere{0.2f}, .position = {4.1, 0.5, 1}}).cells, (Cells{0, 1}));
    EXPECT_TRUE(finder.touched({.geometry = Sphere{0.2f}, .position = {4.1, 1.5, 1}}).wall);
    // through two doors in a second; beside the doors through none
    ball.velocity = {8, 0, 0};
    EXPECT_EQ(finder.entered(ball, 1).cells, (Cells{0, 1, 2}));
    ball.position.y = 1.7;
    EXPECT_EQ(finder.entered(ball, 1).cells, Cells{0});
    EXPECT_EQ(finder.entered(ball, 1, 0.6).cells, (Cells{0, 1, 2})); // or as near as that
    // no corner of a box that turns is ever in a room that was not told
    const MovingShape box{.geometry = Box{0.3f, 0.1f, 0.2f},
                          .position = {3, 0.4, 1},
                          .velocity = {5, 0.3, 0.1},
                          .acceleration = {0, -1, 0},
                          .angular_velocity = {3, 4, 5}};
    const Cells told = finder.entered(box, 1.5).cells;
    EXPECT_EQ(told.size(), 3u);
    for (int step = 0; step <= 100; ++step)
        for (int k = 0; k < 8; ++k) {
            const DVec3 at = apply(pose_after(box, 1.5 * step / 100),
                                   DVec3{k & 1 ? 0.3 : -0.3, k & 2 ? 0.1 : -0.1, k & 4 ? 0.2 : -0.2});
            const FoundCells here = finder.touched({.geometry = Sphere{1e-6f}, .position = at});
            if (!here.wall) {
                EXPECT_TRUE(std::includes(told.begin(), told.end(), here.cells.begin(), here.cells.end()));
            }
        }
}

TEST(Detector, RefusesWhatItCannotFind) {
    const MovingShape ball;
    const auto place = [&](const MovingShape& shape, const TouchSearch& search = {}) {
        return error_place([&] { (void)time_of_impact(shape, ball, search); });
    };
    MovingShape shape = ball;
    shape.velocity.x = NAN;
    EXPECT_EQ(place(shape), "velocity.x");
    shape = ball, shape.rotation = {1, 1, 0, 0};
    EXPECT_EQ(place(shape), "rotation");
    shape = ball, shape.geometry = Box{0, 1, 1};
    EXPECT_EQ(place(shape), "box.x");
    shape = ball, shape.geometry = Mesh{};
    EXPECT_EQ(place(shape), "mesh");
    const std::array<Vec3, 3> corners{Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    const std::array<std::uint32_t, 3> triangles{0, 1, 2};
    shape.geometry = Mesh::from_triangles(corners, triangles);
    EXPECT_EQ(place(shape), "geometry");
    shape = ball, shape.geometry = Plane{}, shape.velocity.y = 1;
    EXPECT_EQ(place(shape), "velocity");
    EXPECT_EQ(place(ball, {.duration = 0}), "duration");
    EXPECT_EQ(place(ball, {.tolerance = -1}), "tolerance");
    EXPECT_EQ(place(ball, {.max_distances = 0}), "max_distances");
    EXPECT_EQ(error_place([] { (void)nearest_points(Plane{}, {}, Plane{}, {}); }), "geometry");
    EXPECT_EQ(error_place([] { CellFinder finder({}); }), "CollisionCells");
    CellFinder finder(row_of_rooms(2));
    EXPECT_EQ(error_place([&] { (void)finder.touched({.geometry = Plane{}}); }), "geometry");
    EXPECT_EQ(error_place([&] { (void)finder.entered({}, -1); }), "seconds");
}

} // namespace
} // namespace scree::test
