// SPDX-License-Identifier: MIT
// filters_test.cpp — who collides with whom: categories, masks, groups, and the kinds of bodies.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace scree::test {
namespace {

/// Whether two balls, one above the other, meet.
bool meet(const Filter& first, const Filter& second) {
    World world(without_sleep());
    add(world, Sphere{0.5f}, {}, {.filter = first}, {.type = BodyType::fixed});
    const BodyId ball = add(world, Sphere{0.5f}, {0, 1.5f, 0}, {.filter = second});
    run_for(world, 1);
    return height(world, ball) > -1;
}

TEST(Filters, ByDefaultEverythingCollides) { EXPECT_TRUE(meet({}, {})); }

TEST(Filters, EachCategoryMustBeInTheOthersMask) {
    EXPECT_TRUE(meet({.category = 2, .mask = 4}, {.category = 4, .mask = 2}));
    EXPECT_FALSE(meet({.category = 2, .mask = 4}, {.category = 4, .mask = 1}));
    EXPECT_FALSE(meet({.category = 2, .mask = 1}, {.category = 4, .mask = 2}));
    EXPECT_FALSE(meet({.category = 1, .mask = 0}, {}));
    EXPECT_FALSE(meet({.category = 0}, {}));
    EXPECT_TRUE(meet({.category = 0x80000000u}, {.mask = 0x80000000u}));
}

TEST(Filters, AnEqualGroupDecidesAlone) {
    EXPECT_FALSE(meet({.group = -3}, {.group = -3}));
    EXPECT_TRUE(meet({.group = -3}, {.group = -4}));
    EXPECT_TRUE(meet({.category = 1, .mask = 0, .group = 5}, {.category = 1, .mask = 0, .group = 5}));
    EXPECT_FALSE(meet({.category = 1, .mask = 0, .group = 5}, {.category = 1, .mask = 0, .group = 6}));
    EXPECT_FALSE(meet({.category = 1, .mask = 0}, {.category = 1, .mask = 0})) << "a group of 0 is none";
}

TEST(Filters, AFilterChangedInContactCountsFromThenOn) {
    World world(without_sleep());
    const BodyId floor = add_slab(world, 10);
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    run_for(world, 1);
    world.set_filter(world.shapes(box)[0], {.category = 1, .mask = 0});
    run_for(world, 0.5);
    EXPECT_LT(height(world, box), 0);
    world.set_pose(box, {0, 3, 0}, {});
    world.set_velocity(box, {});
    world.set_filter(world.shapes(box)[0], {});
    run_for(world, 2);
    EXPECT_NEAR(height(world, box), 0.5, 0.02);
    EXPECT_TRUE(world.alive(floor));
}

TEST(Filters, ShapesOfOneBodyHaveTheirOwn) {
    // one of two feet sees the floor, so that the body tips over to the other side
    World world(without_sleep());
    add_slab(world, 10);
    const BodyId body = world.create_body({.position = {0, 0.5f, 0}});
    world.attach(body, Sphere{0.5f}, {.position = {-1, 0, 0}});
    world.attach(body, Sphere{0.5f}, {.position = {1, 0, 0}, .filter = {.category = 1, .mask = 0}});
    run_for(world, 0.5);
    const DVec3 along = matrix(wide(world.state(body).rotation)) * DVec3{1, 0, 0};
    EXPECT_LT(along.y, -0.2);
}

TEST(Filters, ShapesOfOneBodyDoNotCollideWithEachOther) {
    World world(in_space());
    const BodyId body = world.create_body();
    world.attach(body, Sphere{0.5f});
    world.attach(body, Sphere{0.5f}, {.position = {0.3f, 0, 0}});
    run_steps(world, 30);
    EXPECT_EQ(world.measure().contacts, 0u);
    EXPECT_EQ(speed(world, body), 0);
}

TEST(Filters, BodiesThatNothingMovesDoNotMeet) {
    World world(without_sleep());
    add(world, Box{1, 1, 1}, {}, {}, {.type = BodyType::fixed});
    add(world, Box{1, 1, 1}, {0.5f, 0, 0}, {}, {.type = BodyType::fixed});
    add(world, Box{1, 1, 1}, {1, 0, 0}, {}, {.type = BodyType::kinematic, .velocity = {1, 0, 0}});
    add(world, Box{1, 1, 1}, {1.5f, 0, 0}, {}, {.type = BodyType::kinematic});
    run_steps(world, 10);
    EXPECT_EQ(world.measure().contacts, 0u);
}

// kinds of bodies ----------------------------------------------------------------------------------------------------

TEST(Kinematic, APlatformCarriesWhatStandsOnIt) {
    World world(without_sleep());
    const BodyId platform = add(world, Box{2, 0.25f, 2}, {0, -0.25f, 0}, {},
                                {.type = BodyType::kinematic, .velocity = {1.5f, 0, 0}});
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    run_for(world, 4);
    EXPECT_NEAR(velocity(world, box).x, 1.5, 0.01);
    EXPECT_NEAR(position(world, platform).x, 6, 0.01);
    EXPECT_NEAR(position(world, box).x, 6 - 1.5 * 1.5 / (2 * 0.6 * 9.81), 0.1);
}

TEST(Kinematic, ALiftRaisesATower) {
    World world(without_sleep());
    const BodyId lift = add(world, Box{2, 0.25f, 2}, {0, -0.25f, 0}, {}, {.type = BodyType::kinematic});
    std::vector<BodyId> tower;
    for (int k = 0; k < 4; ++k)
        tower.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f + static_cast<float>(k), 0}));
    for (int k = 1; k <= 300; ++k) {
        world.set_target(lift, {0, -0.25f + 0.01f * static_cast<float>(k), 0}, {}, frame);
        world.step(frame);
    }
    EXPECT_NEAR(height(world, lift), 2.75, 0.001);
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(height(world, tower[k]), 3.5 + static_cast<double>(k), 0.05);
}

TEST(Kinematic, ATurntableTurnsWhatStandsOnIt) {
    World world(without_sleep());
    add(world, Cylinder{0.25f, 3}, {0, -0.25f, 0}, {},
        {.type = BodyType::kinematic, .angular_velocity = {0, 1, 0}});
    const BodyId box = add(world, Box{0.25f, 0.25f, 0.25f}, {1, 0.25f, 0});
    run_for(world, 3);
    // held by friction: 1 rad/s at 1 m needs 0.1 g
    EXPECT_NEAR(static_cast<double>(world.state(box).angular_velocity.y), 1, 0.05);
    EXPECT_NEAR(std::hypot(position(world, box).x, position(world, box).z), 1, 0.1);
}

TEST(Kinematic, APusherPushesAndIsNotPushedBack) {
    World world(without_sleep());
    add_slab(world, 50);
    const BodyId pusher = add(world, Box{0.5f, 0.5f, 0.5f}, {-2, 0.6f, 0}, {},
                              {.type = BodyType::kinematic, .velocity = {1, 0, 0}});
    const BodyId heavy = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}, {.density = 100000});
    run_for(world, 4);
    EXPECT_NEAR(position(world, pusher).x, 2, 0.001);
    EXPECT_NEAR(position(world, heavy).x, 3, 0.05);
}

TEST(Kinematic, ABodyThatBecomesDynamicFalls) {
    World world(without_sleep());
    add_slab(world, 10);
    const BodyId body = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 3, 0}, {}, {.type = BodyType::fixed});
    const BodyId rider = add(world, Box{0.4f, 0.4f, 0.4f}, {0, 3.9f, 0});
    run_for(world, 1);
    EXPECT_EQ(height(world, body), 3);
    world.set_type(body, BodyType::dynamic);
    run_for(world, 3);
    EXPECT_NEAR(height(world, body), 0.5, 0.02);
    EXPECT_NEAR(height(world, rider), 1.4, 0.03);
    world.set_type(body, BodyType::kinematic);
    world.set_velocity(body, {0, 1, 0});
    run_for(world, 1);
    EXPECT_NEAR(height(world, body), 1.5, 0.02);
    EXPECT_NEAR(height(world, rider), 2.4, 0.03);
}

TEST(Kinematic, ALiftLetGoFallsUnderItsLoad) {
    // its contacts were coloured as those of a body that nothing moves
    std::vector<std::uint64_t> hashes;
    for (const int lanes : available_lanes()) {
        World world(default_settings(), on(1, lanes));
        add_slab(world, 20);
        const BodyId lift = add(world, Box{4, 0.5f, 4}, {0, 2, 0}, {}, {.type = BodyType::kinematic});
        for (int k = 0; k < 9; ++k)
            add(world, Box{0.5f, 0.5f, 0.5f},
                {2.5f * static_cast<float>(k % 3 - 1), 3, 2.5f * static_cast<float>(k / 3 - 1)});
        run_steps(world, 10);
        world.set_type(lift, BodyType::dynamic);
        run_for(world, 2);
        EXPECT_NEAR(height(world, lift), 0.5, 0.01);
        EXPECT_LT(world.measure().max_overlap, 0.01);
        hashes.push_back(world.hash());
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

} // namespace
} // namespace scree::test
