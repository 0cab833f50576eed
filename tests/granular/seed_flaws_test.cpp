// SPDX-License-Identifier: MIT
// seed_flaws_test.cpp — the reference mode shows what the thesis saw: bodies fall over, lock and clump.
#include "support/granular_support.h"

#include <gtest/gtest.h>

namespace scree::test {
namespace {

GranularWorld seed_column(int n, double jitter, std::uint32_t seed) {
    return world_of(with_small_grid(seed_settings(), 36), shapes::cube(0.2f), column(n, jitter, seed));
}

GranularWorld seed_shot(double u, double o, float mass = 1) {
    GranularSettings settings = seed_settings();
    settings.gravity = {};
    settings.terminal_velocity = 100;
    return world_of(settings, shapes::cube(0.2f), shot(u, o, mass));
}

// R2.54
TEST(GranularSeedFlaws, ColumnsOfFiveCubesFall) {
    for (std::uint32_t seed : {1u, 2u}) {
        GranularWorld world = seed_column(5, 0.01, seed);
        run(world, 30);
        EXPECT_LT(world.measure().top, 1.9);
    }
}

// R2.54
TEST(GranularSeedFlaws, ColumnsOfTenCubesFall) {
    GranularWorld world = seed_column(10, 0.01, 3);
    run(world, 30);
    EXPECT_LT(world.measure().top, 1.9);
}

// R2.54
TEST(GranularSeedFlaws, ColumnOfTwoSettlesIntoTheGrooves) {
    GranularWorld world = seed_column(2, 0.01, 4);
    run(world, 30);
    EXPECT_GT(world.measure().top, 1.55);
    EXPECT_LT(world.measure().top, 1.75) << "elastic settling alone would end at 1.767";
}

// R2.55
TEST(GranularSeedFlaws, FastCubeLocksIntoTheOther) {
    GranularWorld world = seed_shot(20, 0.2);
    run(world, 1);
    EXPECT_LT(distance(world.bodies()[0], world.bodies()[1]), 1.2);
    EXPECT_EQ(world.interlocked().size(), 1u);
}

// R2.55
TEST(GranularSeedFlaws, HeavyCubeLocksAtHalfTheSpeed) {
    GranularWorld world = seed_shot(10, 0.2, 2.7f);
    run(world, 1);
    EXPECT_LT(distance(world.bodies()[0], world.bodies()[1]), 1.2);
    EXPECT_EQ(world.interlocked().size(), 1u);
}

// R2.55
TEST(GranularSeedFlaws, SlowCubesSeparate) {
    for (double u : {5.0, 15.0}) {
        for (double o : {0.0, 0.2}) {
            GranularWorld world = seed_shot(u, o);
            run(world, 1);
            EXPECT_GT(distance(world.bodies()[0], world.bodies()[1]), 1.2) << u << ' ' << o;
            EXPECT_TRUE(world.interlocked().empty());
        }
    }
}

// R2.55
TEST(GranularSeedFlaws, InterlockDetectorNamesThePair) {
    // a corner sphere of the third lies in the first; the second is near but only touches
    GranularWorld world = world_of(in_empty_space(seed_settings()), shapes::cube(0.2f),
                                   resting_at({{0, 5, 0}, {1.15f, 5, 0}, {0, 5.9f, 0.9f}}));
    ASSERT_EQ(world.interlocked().size(), 1u);
    EXPECT_EQ(world.interlocked()[0], (std::array<std::uint32_t, 2>{0, 2}));
}

// R2.55
TEST(GranularSeedFlaws, InterlockDetectorLooksInTheBodysFrame) {
    // turned by 45 degrees the cube reaches 0.85 along x; the grain lies within that, but only there
    GranularWorld world(in_empty_space(seed_settings()), cpu());
    GranularBodyDef cube = at({0, 5, 0}), inside = at({0.75f, 5, 0}), outside = at({0.55f, 5.55f, 0});
    cube.rotation = narrow(turn({0, 0, 1}, 3.14159265358979 / 4));
    cube.shape = world.add_shape(shapes::cube(0.2f));
    inside.shape = outside.shape = world.add_shape(shapes::grain(0.2f));
    world.create_body(cube);
    world.create_body(inside);
    world.create_body(outside);
    ASSERT_EQ(world.interlocked().size(), 1u);
    EXPECT_EQ(world.interlocked()[0], (std::array<std::uint32_t, 2>{0, 1}));
}

// R2.56
TEST(GranularSeedFlaws, TowerTallerThanTheGridClumpsAtItsTop) {
    GranularWorld world = world_of(seed_settings(), shapes::cube(0.2f), block(4, 40));
    run(world, 0.5);
    EXPECT_EQ(close_pairs(world, 0.8, 24), 0);
    int most = 0;
    for (int i = 0; i < 6 && most <= 50; ++i) {
        run(world, 0.25);
        most = std::max(most, close_pairs(world, 0.8, 24));
    }
    EXPECT_GT(most, 50);
}

// R2.57
TEST(GranularSeedFlaws, WedgePushesItsNeighboursAside) {
    GranularWorld world = world_of(with_small_grid(seed_settings(), 36), shapes::cube(0.2f), wedge());
    const double apart = distance(world.bodies()[0], world.bodies()[2]);
    run(world, 10);
    EXPECT_GT(distance(world.bodies()[0], world.bodies()[2]), apart + 0.2);
    EXPECT_LT(world.bodies()[1].position.y, 1.2);
}

// R2.58: what the improved mode repairs
TEST(GranularSeedFlaws, CubeFarFromTheOriginTouchesItselfAndLosesSpin) {
    GranularBodyDef body = at({13, 18, 13});
    body.angular_velocity = {1, 2, 0.5f};
    GranularSettings settings = seed_settings();
    settings.gravity = {};
    GranularWorld world = world_of(settings, shapes::cube(0.2f), {body});
    std::uint64_t own = 0;
    for (int i = 0; i < 20; ++i) {
        run(world, 0.5);
        own += world.measure().own_contacts;
    }
    EXPECT_GT(own, 0u);
    EXPECT_LT(length(wide(world.bodies()[0].angular_velocity)), 2.2) << "it began with 2.291";
}

// R2.65
TEST(GranularSeedFlaws, NobodySleepsInTheReferenceMode) {
    GranularWorld world = world_of(seed_settings_in_room(3), shapes::cube(0.2f), {at({0, 0.589f, 0})});
    run(world, 5);
    EXPECT_EQ(world.measure().asleep, 0u);
}

} // namespace
} // namespace scree::test
