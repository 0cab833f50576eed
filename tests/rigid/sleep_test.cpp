// SPDX-License-Identifier: MIT
// sleep_test.cpp — islands that come to rest sleep and cost nothing; whatever touches or changes them wakes them.
#include "support/granular_support.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

BodyId cube(World& world, Vec3 at, const BodyDef& body = {}) {
    return add(world, Box{0.5f, 0.5f, 0.5f}, at, {}, body);
}

/// A cube asleep on a slab.
struct Sleeper {
    World world{default_settings()};
    BodyId slab = add_slab(world, 20), body = cube(world, {0, 0.5f, 0});
    Sleeper() {
        run_for(world, 2);
        EXPECT_TRUE(world.state(body).asleep);
    }
    bool asleep() const { return world.state(body).asleep; }
};

// falling asleep -----------------------------------------------------------------------------------------------------

TEST(Sleep, ACubeAtRestSleepsAfterItsDelay) {
    World world(default_settings());
    add_slab(world, 20);
    cube(world, {0, 0.5f, 0});
    const int steps = steps_until_asleep(world, 3);
    testing::Test::RecordProperty("asleep_after_steps", steps);
    EXPECT_GE(steps, 30);
    EXPECT_LE(steps, 60);
}

TEST(Sleep, ASleeperHasNoVelocityAndDoesNotMove) {
    Sleeper s;
    const BodyState before = s.world.state(s.body);
    EXPECT_EQ(before.velocity, Vec3{});
    EXPECT_EQ(before.angular_velocity, Vec3{});
    run_for(s.world, 5);
    EXPECT_EQ(s.world.state(s.body).position, before.position);
    EXPECT_EQ(s.world.state(s.body).rotation, before.rotation);
}

TEST(Sleep, SwitchedOffNobodySleeps) {
    World world(without_sleep());
    add_slab(world, 20);
    const BodyId body = cube(world, {0, 0.5f, 0});
    run_for(world, 3);
    EXPECT_FALSE(world.state(body).asleep);
}

TEST(Sleep, ABodyThatMayNotSleepKeepsItsIslandAwake) {
    World world(default_settings());
    add_slab(world, 20);
    const BodyId below = cube(world, {0, 0.5f, 0});
    const BodyId above = cube(world, {0, 1.5f, 0}, {.can_sleep = false});
    const BodyId apart = cube(world, {5, 0.5f, 0});
    run_for(world, 3);
    EXPECT_FALSE(world.state(below).asleep);
    EXPECT_FALSE(world.state(above).asleep);
    EXPECT_TRUE(world.state(apart).asleep);
}

TEST(Sleep, AMovingBodyDoesNotSleep) {
    World world(in_space(default_settings()));
    const BodyId body = add(world, Sphere{0.5f}, {}, {}, {.velocity = {0.2f, 0, 0}});
    run_for(world, 5);
    EXPECT_FALSE(world.state(body).asleep);
}

TEST(Sleep, ATurningBodyDoesNotSleep) {
    // 0.1 rad/s at a rim of 10 m are 1 m/s
    World world(in_space(default_settings()));
    const BodyId body = add(world, Box{10, 0.1f, 0.1f}, {}, {}, {.angular_velocity = {0, 0.1f, 0}});
    run_for(world, 5);
    EXPECT_FALSE(world.state(body).asleep);
}

TEST(Sleep, AJointMakesOneIslandOfTwoBodies) {
    World world(in_space(default_settings()));
    const BodyId still = add(world, Sphere{0.5f}, {});
    const BodyId turning = add(world, Sphere{0.5f}, {2, 0, 0}, {}, {.angular_velocity = {3, 0, 0}});
    world.create_joint({.type = JointType::hinge,
                        .first = still,
                        .second = turning,
                        .anchor = {1, 0, 0},
                        .axis = {1, 0, 0}});
    run_for(world, 3);
    EXPECT_FALSE(world.state(still).asleep);
    EXPECT_FALSE(world.state(turning).asleep);
}

TEST(Sleep, AHangingChainSleepsWhenItHangsStill) {
    World world(default_settings());
    for (int k = 0; k < 5; ++k) {
        const BodyId link = add(world, Sphere{0.2f}, {0, -0.5f * static_cast<float>(k) - 0.25f, 0}, {},
                                {.linear_damping = 2, .angular_damping = 2});
        JointDef joint{.first = link, .anchor = {0, -0.5f * static_cast<float>(k), 0}};
        if (k) joint.second = world.bodies()[static_cast<std::size_t>(k - 1)];
        world.create_joint(joint);
    }
    EXPECT_GT(steps_until_asleep(world, 20), 0);
    EXPECT_EQ(world.measure().asleep, 5u);
}

TEST(Sleep, StaticBodiesDoNotConnectIslands) {
    World world(default_settings());
    add_slab(world, 20);
    const BodyId left = cube(world, {-3, 0.5f, 0});
    const BodyId right = cube(world, {3, 0.5f, 0});
    run_for(world, 2);
    world.apply_impulse(right, {2000, 0, 0});
    world.step(frame);
    EXPECT_TRUE(world.state(left).asleep);
    EXPECT_FALSE(world.state(right).asleep);
}

TEST(Sleep, IslandsAreCounted) {
    World world(default_settings());
    add_slab(world, 50);
    for (int tower = 0; tower < 7; ++tower)
        for (int k = 0; k < 3; ++k)
            cube(world, {3 * static_cast<float>(tower), 0.5f + static_cast<float>(k), 0});
    std::uint32_t most = 0;
    for (int k = 0; k < 120; ++k) {
        world.step(frame);
        most = std::max(most, world.counters().islands);
    }
    EXPECT_EQ(most, 7u);
}

// waking -------------------------------------------------------------------------------------------------------------

TEST(Sleep, ATouchWakesTheWholeIsland) {
    World world(default_settings());
    add_slab(world, 20);
    std::vector<BodyId> tower;
    for (int k = 0; k < 4; ++k) tower.push_back(cube(world, {0, 0.5f + static_cast<float>(k), 0}));
    const BodyId apart = cube(world, {6, 0.5f, 0});
    run_for(world, 4);
    ASSERT_TRUE(all_asleep(world, tower));
    const BodyId ball = add(world, Sphere{0.3f}, {-4, 3.6f, 0}, {}, {.velocity = {12, 0, 0}});
    for (int k = 0; k < 60 && world.state(tower[3]).asleep; ++k) world.step(frame);
    for (const BodyId body : tower) EXPECT_FALSE(world.state(body).asleep);
    EXPECT_TRUE(world.state(apart).asleep);
    EXPECT_GT(position(world, ball).x, -1.2);
    EXPECT_LT(position(world, ball).x, -0.4);
}

TEST(Sleep, TakingTheSupportAwayWakesWhatStoodOnIt) {
    {
        Sleeper s;
        s.world.destroy(s.slab);
        run_for(s.world, 1);
        EXPECT_LT(height(s.world, s.body), -3) << "body destroyed";
    }
    {
        Sleeper s;
        s.world.destroy(s.world.shapes(s.slab)[0]);
        run_for(s.world, 1);
        EXPECT_LT(height(s.world, s.body), -3) << "shape destroyed";
    }
    {
        Sleeper s;
        s.world.set_pose(s.slab, {0, -30, 0}, {});
        run_for(s.world, 1);
        EXPECT_LT(height(s.world, s.body), -3) << "body moved";
    }
    {
        Sleeper s;
        s.world.set_filter(s.world.shapes(s.slab)[0], {.category = 1, .mask = 0});
        run_for(s.world, 1);
        EXPECT_LT(height(s.world, s.body), -3) << "filter changed";
    }
    {
        Sleeper s;
        s.world.set_filter(s.world.shapes(s.body)[0], {.category = 1, .mask = 0});
        run_for(s.world, 1);
        EXPECT_LT(height(s.world, s.body), -3) << "its own filter changed";
    }
}

TEST(Sleep, RemovingTheLowestCubeWakesTheTower) {
    World world(default_settings());
    add_slab(world, 20);
    std::vector<BodyId> tower;
    for (int k = 0; k < 4; ++k) tower.push_back(cube(world, {0, 0.5f + static_cast<float>(k), 0}));
    run_for(world, 4);
    ASSERT_TRUE(all_asleep(world, tower));
    world.destroy(tower[0]);
    run_for(world, 3);
    for (std::size_t k = 1; k < 4; ++k)
        EXPECT_NEAR(height(world, tower[k]), static_cast<double>(k) - 0.5, 0.05);
}

TEST(Sleep, CallsThatSetABodyInMotionWakeIt) {
    const auto wakes = [](const char* name, auto&& call) {
        Sleeper s;
        call(s.world, s.body);
        EXPECT_FALSE(s.asleep()) << name;
        s.world.step(frame);
        EXPECT_FALSE(s.asleep()) << name;
    };
    wakes("wake", [](World& w, BodyId b) { w.wake(b); });
    wakes("apply_force", [](World& w, BodyId b) { w.apply_force(b, {1, 0, 0}); });
    wakes("apply_torque", [](World& w, BodyId b) { w.apply_torque(b, {1, 0, 0}); });
    wakes("apply_impulse", [](World& w, BodyId b) { w.apply_impulse(b, {1, 0, 0}); });
    wakes("set_velocity", [](World& w, BodyId b) { w.set_velocity(b, {1, 0, 0}); });
    wakes("set_pose", [](World& w, BodyId b) { w.set_pose(b, {0, 2, 0}, {}); });
    wakes("set_gravity_scale", [](World& w, BodyId b) { w.set_gravity_scale(b, -1); });
    wakes("set_mass",
          [](World& w, BodyId b) { w.set_mass(b, MassProperties{.mass = 5, .inertia = {1, 1, 1}}); });
}

TEST(Sleep, OtherGravityWakesAll) {
    Sleeper s;
    WorldSettings settings = s.world.settings();
    settings.gravity = {0, 5, 0};
    s.world.change_settings(settings);
    run_for(s.world, 1);
    EXPECT_GT(height(s.world, s.body), 2);
}

/// A sleeper hangs in the air until a ball falls on it.
void expect_to_hang(World& world, BodyId body) {
    run_for(world, 1);
    EXPECT_EQ(height(world, body), 5);
    add(world, Sphere{0.3f}, {0, 6.5f, 0});
    run_for(world, 2);
    EXPECT_LT(height(world, body), 3);
}

TEST(Sleep, ABodyPutToSleepHangsInTheAirUntilItIsTouched) {
    World world(default_settings());
    const BodyId body = cube(world, {0, 5, 0});
    world.put_to_sleep(body);
    expect_to_hang(world, body);
}

TEST(Sleep, ABodyCreatedAsleepSleepsUntilItIsTouched) {
    World world(default_settings());
    expect_to_hang(world, cube(world, {0, 5, 0}, {.awake = false}));
}

TEST(Sleep, ABodyPutToSleepUnderOthersGainsNoVelocity) {
    World world(default_settings());
    add_slab(world, 20);
    const BodyId plate = add(world, Box{3, 0.25f, 3}, {0, 0.25f, 0});
    for (int k = 0; k < 9; ++k)
        cube(world, {2.2f * static_cast<float>(k % 3 - 1), 1.0f, 2.2f * static_cast<float>(k / 3 - 1)},
             {.can_sleep = false});
    run_for(world, 1);
    world.put_to_sleep(plate);
    run_steps(world, 1);
    if (world.state(plate).asleep) {
        EXPECT_EQ(world.state(plate).velocity, Vec3{});
        EXPECT_EQ(world.state(plate).angular_velocity, Vec3{});
    }
    run_for(world, 1);
    EXPECT_NEAR(height(world, plate), 0.25, 0.02);
}

TEST(Sleep, AFastBodyPutToSleepIsTouchedWhereItStopped) {
    World world(in_space(default_settings()));
    const BodyId box = cube(world, {}, {.velocity = {60, 0, 0}});
    run_steps(world, 10);
    world.put_to_sleep(box);
    const double stopped = position(world, box).x;
    const BodyId ball =
        add(world, Sphere{0.2f}, {static_cast<float>(stopped) + 3, 0, 0}, {}, {.velocity = {-2, 0, 0}});
    for (int k = 0; k < 120 && world.state(box).asleep; ++k) world.step(frame);
    EXPECT_NEAR(position(world, ball).x - stopped, 0.7, 0.05);
}

TEST(Sleep, WokenByATouchABodyDoesNotFeelTheForcesOfItsLastStepAgain) {
    World world(in_space(default_settings()));
    const BodyId body = cube(world, {});
    const float mass = world.mass(body).mass;
    world.apply_force(body, {0, 600 * mass, 0}); // 10 m/s in a step
    world.step(frame);
    world.put_to_sleep(body);
    const float y = world.state(body).position.y;
    add(world, Sphere{0.2f}, {1.2f, y, 0}, {}, {.velocity = {-1, 0, 0}});
    for (int k = 0; k < 120 && world.state(body).asleep; ++k) world.step(frame);
    EXPECT_FALSE(world.state(body).asleep);
    EXPECT_NEAR(velocity(world, body).y, 0, 0.01);
}

TEST(Sleep, AFixedBodyPushedFromNearbyIntoASleeperWakesIt) {
    Sleeper s;
    const BodyId wall = add(s.world, Box{0.5f, 0.5f, 0.5f}, {1.05f, 0.5f, 0}, {}, {.type = BodyType::fixed});
    run_for(s.world, 2);
    ASSERT_TRUE(s.asleep());
    s.world.set_pose(wall, {0.7f, 0.5f, 0}, {});
    run_for(s.world, 2);
    EXPECT_NEAR(position(s.world, s.body).x, -0.3, 0.02);
}

TEST(Sleep, AKinematicBodyThatStartsWakesWhatSleepsOnIt) {
    World world(default_settings());
    const BodyId lift = add(world, Box{3, 0.5f, 3}, {0, -0.5f, 0}, {}, {.type = BodyType::kinematic});
    const BodyId body = cube(world, {0, 0.5f, 0});
    run_for(world, 3);
    ASSERT_TRUE(world.state(body).asleep) << "a kinematic body at rest lets others sleep";
    world.set_velocity(lift, {0, 1, 0});
    run_for(world, 1);
    EXPECT_NEAR(height(world, body), 1.5, 0.05);
}

TEST(Sleep, AKinematicBodyThatArrivesWakesASleeper) {
    Sleeper s;
    add(s.world, Box{0.5f, 0.5f, 0.5f}, {-3, 0.6f, 0}, {},
        {.type = BodyType::kinematic, .velocity = {2, 0, 0}});
    run_for(s.world, 2);
    EXPECT_GT(position(s.world, s.body).x, 0.5);
}

TEST(Sleep, DestroyingAJointWakesWhatHungOnIt) {
    World world(default_settings());
    const BodyId ball = add(world, Sphere{0.5f}, {0, -1, 0}, {}, {.linear_damping = 3, .angular_damping = 3});
    const JointId joint = world.create_joint({.first = ball});
    ASSERT_GT(steps_until_asleep(world, 20), 0);
    world.destroy(joint);
    run_for(world, 1);
    EXPECT_LT(height(world, ball), -2.5); // damped
}

TEST(Sleep, AnIslandWokenManyTimesStillStands) {
    World world(default_settings());
    add_slab(world, 20);
    const std::vector<BodyId> cubes = add_pyramid(world, 6);
    const std::vector<DVec3> before = positions(world, cubes);
    for (int round = 0; round < 10; ++round) {
        ASSERT_GT(steps_until_asleep(world, 5), 0) << round;
        world.wake(cubes[static_cast<std::size_t>(round)]);
        EXPECT_EQ(world.measure().asleep, 0u) << "the island wakes as one";
    }
    EXPECT_LT(largest_move(world, cubes, before), 0.1);
}

// cost ---------------------------------------------------------------------------------------------------------------

TEST(Sleep, SleepersCostNoWork) {
    const int sleepers = built_with_sanitizer() ? 2000 : 100'000;
    const auto build = [](World& world, int sleeping) {
        add_slab(world, 2000);
        for (int k = 0; k < sleeping; ++k)
            cube(world, {2 * static_cast<float>(k % 400) - 400, 0.5f, 2 * static_cast<float>(k / 400) + 20},
                 {.awake = false});
        for (int k = 0; k < 100; ++k)
            add(world, Sphere{0.5f},
                {2 * static_cast<float>(k % 10), 0.5f, -30 + 2 * static_cast<float>(k / 10)}, {},
                {.velocity = {0.5f, 0, 0}, .angular_velocity = {0, 0, -1}, .can_sleep = false});
    };
    World crowded(default_settings()), alone(default_settings());
    build(crowded, sleepers);
    build(alone, 0);
    run_steps(crowded, 60);
    run_steps(alone, 60);
    ASSERT_EQ(crowded.measure().asleep, static_cast<std::uint32_t>(sleepers));
    const StepCounters a = crowded.counters(), b = alone.counters();
    EXPECT_EQ(a.awake, 100u);
    EXPECT_EQ(a.awake, b.awake);
    EXPECT_EQ(a.pairs, b.pairs);
    EXPECT_EQ(a.contacts, b.contacts);
}

} // namespace
} // namespace scree::test
