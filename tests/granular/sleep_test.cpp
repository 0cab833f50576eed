// SPDX-License-Identifier: MIT
// sleep_test.cpp — bodies at rest sleep, and wake when something happens to them.
#include "support/granular_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

constexpr float resting_height = 0.6f - 9.81f / 900; // of a cube of 1 kg

/// Cubes that have come to rest and sleep.
GranularWorld sleeping_world(const std::vector<Vec3>& places) {
    GranularWorld world = world_of(improved_settings(), shapes::cube(0.2f), resting_at(places));
    for (int i = 0; i < 100 && world.measure().asleep < places.size(); ++i) run(world, 0.1);
    return world;
}

bool wakes_within(GranularWorld& world, std::uint32_t body, double seconds) {
    for (double t = 0; t < seconds; t += 0.05) {
        run(world, 0.05);
        if (!world.bodies()[body].asleep) return true;
    }
    return false;
}

// R2.65
TEST(GranularSleep, RestingCubeFallsAsleep) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}});
    EXPECT_EQ(world.measure().asleep, 1u);
    EXPECT_TRUE(world.bodies()[0].asleep);
}

// R2.65
TEST(GranularSleep, DroppedCubesFallAsleepWhereTheyCameToRest) {
    GranularSettings settings = improved_settings();
    settings.world_size = 3;
    GranularWorld world = world_of(settings, shapes::cube(0.2f), stream(6));
    for (int i = 0; i < 40 && world.measure().asleep < 6; ++i) run(world, 0.5);
    EXPECT_EQ(world.measure().asleep, 6u);
    EXPECT_LT(world.measure().max_speed, 0.05);
}

// R2.65
TEST(GranularSleep, SleepingBodyDoesNotMoveABit) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}, {0, resting_height + 1.18f, 0}});
    ASSERT_EQ(world.measure().asleep, 2u);
    const std::uint64_t before = world.hash();
    run(world, 2);
    EXPECT_EQ(world.hash(), before);
}

// R2.65
TEST(GranularSleep, SleepComesOnlyAfterTheDelay) {
    GranularSettings settings = improved_settings();
    settings.sleep_delay = 2;
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {at({0, resting_height, 0})});
    run(world, 1.9);
    EXPECT_EQ(world.measure().asleep, 0u);
    run(world, 8);
    EXPECT_EQ(world.measure().asleep, 1u);
}

// R2.65
TEST(GranularSleep, MovingBodyStaysAwake) {
    GranularWorld world =
        world_of(in_empty_space(improved_settings()), shapes::cube(0.2f), {at({0, 0, 0}, {0.1f, 0, 0})});
    run(world, 3);
    EXPECT_EQ(world.measure().asleep, 0u);
}

// R2.65
TEST(GranularSleep, BodyAtTheTopOfItsFlightStaysAwake) {
    GranularWorld world = world_of(improved_settings(), shapes::grain(0.2f), {at({0, 5, 0}, {0, 3, 0})});
    for (int i = 0; i < 60; ++i) {
        world.step();
        ASSERT_FALSE(world.bodies()[0].asleep);
    }
}

// R2.65
TEST(GranularSleep, SleepingCanBeSwitchedOff) {
    GranularSettings settings = improved_settings();
    settings.sleeping = false;
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {at({0, resting_height, 0})});
    run(world, 5);
    EXPECT_EQ(world.measure().asleep, 0u);
}

// R2.65
TEST(GranularSleep, CubeDroppedOnASleeperWakesIt) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}, {5, resting_height, 0}});
    ASSERT_EQ(world.measure().asleep, 2u);
    world.create_body(at({0.1f, 3, 0}));
    EXPECT_TRUE(wakes_within(world, 0, 1));
    EXPECT_TRUE(world.bodies()[1].asleep) << "nobody touched it";
}

// R2.65
TEST(GranularSleep, SleeperOutOfReachSleepsOn) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}, {5, resting_height, 0}});
    ASSERT_EQ(world.measure().asleep, 2u);
    const GranularBodyState before = world.bodies()[1];
    world.create_body(at({0.1f, 3, 0}));
    EXPECT_FALSE(wakes_within(world, 1, 2));
    EXPECT_EQ(world.bodies()[1].position, before.position);
}

// R2.65
TEST(GranularSleep, WokenPileFallsAsleepAgain) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}});
    world.create_body(at({0, 3, 0}));
    ASSERT_TRUE(wakes_within(world, 0, 1));
    for (int i = 0; i < 40 && world.measure().asleep < 2; ++i) run(world, 0.5);
    EXPECT_EQ(world.measure().asleep, 2u);
}

// R2.65
TEST(GranularSleep, SleeperWhoseSupportIsTakenAwayWakesAndFalls) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}, {0, resting_height + 1.18f, 0}});
    ASSERT_EQ(world.measure().asleep, 2u);
    world.set_body(0, at({8, resting_height, 0}));
    EXPECT_TRUE(wakes_within(world, 1, 0.2));
    run(world, 2);
    EXPECT_LT(world.bodies()[1].position.y, 0.9);
}

// R2.65
TEST(GranularSleep, WholeStackWakesWhenItsFootIsTakenAway) {
    GranularWorld world = sleeping_world(
        {{0, resting_height, 0}, {0, resting_height + 1.17f, 0}, {0, resting_height + 2.35f, 0}});
    ASSERT_EQ(world.measure().asleep, 3u);
    world.set_body(0, at({8, resting_height, 0}));
    run(world, 3);
    EXPECT_LT(world.bodies()[1].position.y, 0.9);
    EXPECT_LT(world.bodies()[2].position.y, 2.0);
}

// R2.65
TEST(GranularSleep, SetBodyWakesTheBody) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}});
    ASSERT_TRUE(world.bodies()[0].asleep);
    world.set_body(0, at({0, resting_height, 0}, {2, 0, 0}));
    EXPECT_FALSE(world.bodies()[0].asleep);
    run(world, 0.2);
    EXPECT_GT(world.bodies()[0].position.x, 0.05);
}

Obstacle table() {
    Obstacle box;
    box.position = {0, 1, 0};
    box.size = {2, 0.2f, 2};
    return box;
}

// R2.65, R2.66
TEST(GranularSleep, SleeperOnAnObstacleThatIsTakenAwayWakesAndFalls) {
    GranularWorld world(improved_settings(), cpu());
    world.add_shape(shapes::cube(0.2f));
    world.add_obstacle(table());
    world.create_body(at({0, 1.2f + resting_height, 0}));
    for (int i = 0; i < 100 && world.measure().asleep < 1; ++i) run(world, 0.1);
    ASSERT_EQ(world.measure().asleep, 1u);
    Obstacle away = table();
    away.position.x = 20;
    world.set_obstacle(0, away);
    run(world, 2);
    EXPECT_LT(world.bodies()[0].position.y, 0.8);
}

// R2.65, R2.66
TEST(GranularSleep, DrivenObstacleWakesTheSleeperItRunsInto) {
    GranularWorld world = sleeping_world({{0, resting_height, 0}});
    ASSERT_EQ(world.measure().asleep, 1u);
    Obstacle ram;
    ram.position = {-2, 0.6f, 0};
    ram.size = {0.5f, 0.5f, 0.5f};
    ram.velocity = {1, 0, 0};
    world.add_obstacle(ram);
    run(world, 2.5);
    EXPECT_FALSE(world.bodies()[0].asleep);
    EXPECT_GT(world.bodies()[0].position.x, 0.5);
}

} // namespace
} // namespace scree::test
