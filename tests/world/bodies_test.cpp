// SPDX-License-Identifier: MIT
// bodies_test.cpp — what is set on a body is what is read, and pushes do what they should at once.
#include "scree/world.h"
#include "support/expect_near.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::test {
namespace {

const float half = 0.70710678f;

TEST(WorldBodies, ABodyStartsAsDefined) {
    World world;
    const BodyId body = world.create_body({.position = {1, 2, 3},
                                           .rotation = {.y = half, .s = half},
                                           .velocity = {4, 5, 6},
                                           .angular_velocity = {7, 8, 9},
                                           .user_data = 42});
    const BodyState state = world.state(body);
    EXPECT_EQ(state.position, (Vec3{1, 2, 3}));
    EXPECT_NEAR(state.rotation.y, half, 1e-6f);
    EXPECT_EQ(state.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(state.angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(world.user_data(body), 42u);
    EXPECT_EQ(world.type(body), BodyType::dynamic);
    EXPECT_FALSE(state.asleep);
}

TEST(WorldBodies, TheOriginIsReadAsItWasSetToTheBit) {
    World world;
    const BodyId body = world.create_body(
        {.position = {0.1f, 0.2f, 0.3f}, .rotation = {.x = 0.5f, .y = 0.5f, .z = 0.5f, .s = 0.5f}});
    world.attach(body, Sphere{0.3f}, {.position = {0.7f, 0.1f, 0.05f}});
    EXPECT_EQ(world.state(body).position, (Vec3{0.1f, 0.2f, 0.3f}));
    world.attach(body, Sphere{0.2f}, {.position = {-0.3f, 0.9f, 0.11f}});
    EXPECT_EQ(world.state(body).position, (Vec3{0.1f, 0.2f, 0.3f}));
    world.set_pose(body, {1.1f, 1.3f, 1.7f}, {});
    EXPECT_EQ(world.state(body).position, (Vec3{1.1f, 1.3f, 1.7f}));
}

TEST(WorldBodies, LookingChangesNoBit) {
    const auto build = [](bool look) {
        World world;
        const BodyId body =
            world.create_body({.position = {0.1f, 0.2f, 0.3f}, .rotation = {.x = half, .s = half}});
        for (int k = 1; k < 9; ++k) {
            const float x = 0.37f * static_cast<float>(k);
            world.attach(body, Sphere{0.1f * x}, {.position = {x, 0.3f * x, -0.7f * x}});
            if (look) world.state(body);
            if (look) world.positions();
            if (k == 5) world.step(1 / 60.0f);
            if (look) world.mass(body);
        }
        return world.hash();
    };
    EXPECT_EQ(build(true), build(false));
}

TEST(WorldBodies, AnImpulseAtTheCentreChangesTheVelocityOnly) {
    World world;
    const BodyId body = world.create_body({.mass = MassProperties{2, {}, {1, 1, 1}, {}}});
    world.apply_impulse(body, {4, 0, -2});
    EXPECT_EQ(world.state(body).velocity, (Vec3{2, 0, -1}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{}));
}

TEST(WorldBodies, AnImpulseAtAPointTurns) {
    World world;
    const BodyId body =
        world.create_body({.position = {1, 0, 0}, .mass = MassProperties{2, {}, {1, 2, 3}, {}}});
    world.apply_impulse(body, {0, 6, 0}, {2, 0, 0}); // arm x, push y: about z
    EXPECT_EQ(world.state(body).velocity, (Vec3{0, 3, 0}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{0, 0, 2}));
    world.apply_angular_impulse(body, {1, 1, 0});
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{1, 0.5f, 2}));
}

TEST(WorldBodies, AnAngularImpulseMeetsTheInertiaOfTheTurnedBody) {
    World world;
    // a quarter turn about z: the body's x is the world's y
    const BodyId body =
        world.create_body({.rotation = {.z = half, .s = half}, .mass = MassProperties{1, {}, {1, 2, 3}, {}}});
    world.apply_angular_impulse(body, {0, 1, 0});
    expect_near(world.state(body).angular_velocity, {0, 1, 0}, 1e-6f);
    world.apply_angular_impulse(body, {1, 0, 0});
    expect_near(world.state(body).angular_velocity, {0.5f, 1, 0}, 1e-6f);
}

TEST(WorldBodies, PushesDoNothingToWhatIsNotDynamic) {
    World world;
    for (const BodyType type : {BodyType::fixed, BodyType::kinematic}) {
        const BodyId body = world.create_body({.type = type});
        world.apply_impulse(body, {1, 1, 1});
        world.apply_impulse(body, {1, 1, 1}, {3, 0, 0});
        world.apply_angular_impulse(body, {1, 1, 1});
        world.apply_force(body, {1, 1, 1});
        world.apply_torque(body, {1, 1, 1});
        world.step(1 / 60.0f);
        EXPECT_EQ(world.state(body).velocity, (Vec3{}));
        EXPECT_EQ(world.state(body).angular_velocity, (Vec3{}));
        EXPECT_EQ(world.state(body).position, (Vec3{}));
    }
}

TEST(WorldBodies, AFixedBodyHasNoVelocity) {
    World world;
    const BodyId body = world.create_body({.type = BodyType::fixed, .velocity = {1, 2, 3}});
    EXPECT_EQ(world.state(body).velocity, (Vec3{}));
    world.set_velocity(body, {1, 2, 3}, {4, 5, 6});
    EXPECT_EQ(world.state(body).velocity, (Vec3{}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{}));
}

TEST(WorldBodies, LockedDirectionsHaveNoVelocity) {
    World world;
    const BodyId body = world.create_body(
        {.velocity = {1, 2, 3}, .angular_velocity = {4, 5, 6}, .locks = {.y = true, .turn_x = true}});
    EXPECT_EQ(world.state(body).velocity, (Vec3{1, 0, 3}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{0, 5, 6}));
    world.apply_impulse(body, {1, 1, 1});
    EXPECT_EQ(world.state(body).velocity, (Vec3{2, 0, 4}));
    world.apply_angular_impulse(body, {1, 0, 0});
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{0, 5, 6}));
    world.set_locks(body, {.x = true, .turn_z = true});
    EXPECT_EQ(world.state(body).velocity, (Vec3{0, 0, 4}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{0, 5, 0}));
}

TEST(WorldBodies, PushesWakeASleepingBody) {
    World world;
    const BodyId body = world.create_body({.awake = false});
    EXPECT_TRUE(world.state(body).asleep);
    const auto wakes = [&](auto&& call) {
        call();
        EXPECT_FALSE(world.state(body).asleep);
        world.put_to_sleep(body);
        EXPECT_TRUE(world.state(body).asleep);
    };
    wakes([&] { world.wake(body); });
    wakes([&] { world.apply_force(body, {1, 0, 0}); });
    wakes([&] { world.apply_torque(body, {1, 0, 0}); });
    wakes([&] { world.apply_impulse(body, {1, 0, 0}); });
    wakes([&] { world.apply_impulse(body, {1, 0, 0}, {0, 1, 0}); });
    wakes([&] { world.apply_angular_impulse(body, {1, 0, 0}); });
    wakes([&] { world.set_velocity(body, {1, 0, 0}); });
    wakes([&] { world.set_pose(body, {1, 0, 0}, {}); });
    wakes([&] { world.set_type(body, BodyType::kinematic), world.set_type(body, BodyType::dynamic); });
}

TEST(WorldBodies, ABodyMadeAsleepStaysAsleepWhenItGetsShapes) {
    World world;
    const BodyId body = world.create_body({.awake = false});
    world.attach(body, Sphere{0.5f}, {.position = {1, 0, 0}});
    EXPECT_EQ(world.state(body).centre, (Vec3{1, 0, 0}));
    EXPECT_TRUE(world.state(body).asleep);
}

TEST(WorldBodies, OtherGravityWakesAll) {
    World world;
    const BodyId body = world.create_body({.awake = false});
    WorldSettings settings = world.settings();
    settings.slop = 0.01f;
    world.change_settings(settings);
    EXPECT_TRUE(world.state(body).asleep);
    settings.gravity = {0, 0, 0};
    world.change_settings(settings);
    EXPECT_FALSE(world.state(body).asleep);
}

TEST(WorldBodies, WhatBecomesFixedStops) {
    World world;
    const BodyId body = world.create_body({.velocity = {1, 0, 0}, .angular_velocity = {0, 1, 0}});
    world.set_type(body, BodyType::fixed);
    EXPECT_EQ(world.type(body), BodyType::fixed);
    EXPECT_EQ(world.state(body).velocity, (Vec3{}));
    EXPECT_EQ(world.state(body).angular_velocity, (Vec3{}));
}

TEST(WorldBodies, ABodyAndTheArraysAreOneMemory) {
    World world;
    std::vector<BodyId> bodies;
    for (int k = 0; k < 5; ++k) {
        bodies.push_back(world.create_body({.position = {3 * static_cast<float>(k), 0, 0}}));
        world.attach(bodies.back(), Sphere{0.5f});
    }
    const auto expect_equal = [&] {
        const DeviceState arrays = world.device_state();
        for (const BodyId body : bodies) {
            const BodyState state = world.state(body);
            const float* x = arrays.positions + 4 * std::size_t{body.index};
            const float* q = arrays.rotations + 4 * std::size_t{body.index};
            const float* v = arrays.motion + 16 * std::size_t{body.index};
            EXPECT_EQ(state.centre, (Vec3{x[0], x[1], x[2]}));
            EXPECT_EQ(state.rotation, (Quat{.x = q[0], .y = q[1], .z = q[2], .s = q[3]}));
            EXPECT_EQ(state.velocity, (Vec3{v[0], v[1], v[2]}));
            EXPECT_EQ(state.angular_velocity, (Vec3{v[4], v[5], v[6]}));
        }
        EXPECT_EQ(arrays.positions, world.positions().data()); // no copy
    };
    expect_equal();
    // written by the body, read in the arrays
    world.set_pose(bodies[2], {1, 2, 3}, {.y = half, .s = half});
    world.set_velocity(bodies[3], {4, 5, 6}, {7, 8, 9});
    expect_equal();
    EXPECT_EQ(world.device_state().positions[4 * bodies[2].index + 1], 2.0f);
    EXPECT_EQ(world.device_state().motion[16 * bodies[3].index + 6], 9.0f);
    // written in the arrays by a step, read by the body
    for (int k = 0; k < 3; ++k) world.step(1 / 60.0f);
    expect_equal();
    EXPECT_LT(world.state(bodies[0]).velocity.y, -0.4f);
}

TEST(WorldBodies, PositionsHoldTheCentresOfMassByIndex) {
    World world;
    world.create_body();
    const BodyId body = world.create_body({.position = {1, 2, 3}});
    world.attach(body, Sphere{}, {.position = {0, 4, 0}});
    const std::span<const float> positions = world.positions(), rotations = world.rotations();
    ASSERT_EQ(positions.size(), 4 * (body.index + 1));
    EXPECT_EQ(positions[4 * body.index + 1], 6);
    EXPECT_EQ(positions[4 * body.index + 3], 0);
    EXPECT_EQ(rotations[4 * body.index + 3], 1);
}

TEST(WorldBodies, TheTreeOfBoundsHoldsEveryBody) {
    World world;
    std::vector<BodyId> balls;
    for (int k = 0; k < 100; ++k) {
        const float at = static_cast<float>(k);
        balls.push_back(world.create_body({.position = {3 * at, 2, 0.1f * at * at}}));
        world.attach(balls.back(), Sphere{1});
    }
    EXPECT_TRUE(world.tree().empty()); // no step has looked for pairs yet
    for (int k = 0; k < 30; ++k) world.step(1 / 60.0f);
    const std::vector<TreeBox> boxes = world.tree();
    for (const BodyId ball : balls) {
        const Vec3 at = world.state(ball).position;
        int levels = 0;
        for (const TreeBox& box : boxes) {
            const bool inside = box.low.x < at.x && at.x < box.high.x && box.low.y < at.y &&
                                at.y < box.high.y && box.low.z < at.z && at.z < box.high.z;
            if (inside) levels |= 1 << box.level;
        }
        EXPECT_EQ(levels & 3, 3) << ball.index; // a leaf, and what is above it
    }
    World grid({.broad_phase = BroadPhase::grid});
    grid.attach(grid.create_body(), Sphere{1});
    grid.step(1 / 60.0f);
    EXPECT_TRUE(grid.tree().empty());
}

TEST(WorldBodies, TheHashIsOfTheLivingBodiesAlone) {
    World a, b;
    a.create_body({.position = {1, 0, 0}});
    b.create_body({.position = {1, 0, 0}});
    EXPECT_EQ(a.hash(), b.hash());
    const BodyId more = b.create_body();
    EXPECT_NE(a.hash(), b.hash());
    b.destroy(more);
    EXPECT_EQ(a.hash(), b.hash());
    b.set_velocity(b.bodies()[0], {0, 1e-30f, 0});
    EXPECT_NE(a.hash(), b.hash());
}

// joints: the bookkeeping alone --------------------------------------------------------------------------------------

TEST(WorldBodies, AJointBeginsWithoutError) {
    World world;
    const BodyId a = world.create_body({.position = {1, 2, 3}, .rotation = {.x = half, .s = half}});
    const BodyId b = world.create_body({.position = {-2, 0, 1}, .rotation = {.y = 0.6f, .z = 0.8f, .s = 0}});
    world.attach(a, Cone{});
    world.attach(b, Sphere{}, {.position = {3, 0, 0}});
    for (const JointType type : {JointType::ball, JointType::hinge, JointType::fixed})
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 0, -1}, Vec3{1e-3f, 0, -1}, Vec3{-5, 2, 1}}) {
            const JointId pair = world.create_joint(
                {.type = type, .first = a, .second = b, .anchor = {0.5f, 1, 2}, .axis = axis});
            const JointId to_world =
                world.create_joint({.type = type, .first = a, .anchor = {0.5f, 1, 2}, .axis = axis});
            for (const JointId joint : {pair, to_world}) {
                EXPECT_NEAR(world.error(joint).distance, 0, 1e-6f);
                EXPECT_NEAR(world.error(joint).angle, 0, 1e-3f);
            }
        }
    EXPECT_NEAR(world.measure().joint_error, 0, 1e-6);
}

TEST(WorldBodies, AJointGivesItsDefinitionBack) {
    World world;
    const BodyId first = world.create_body({.position = {1, 2, 3}}), second = world.create_body();
    const JointId hinge = world.create_joint({.type = JointType::hinge,
                                              .first = first,
                                              .second = second,
                                              .anchor = {1, 3, 3},
                                              .axis = {2, 0, 0},
                                              .collide = true,
                                              .user_data = 77});
    const JointId ball = world.create_joint({.first = first});
    EXPECT_EQ(world.user_data(hinge), 77u);
    EXPECT_EQ(world.user_data(ball), 0u);
    // a quarter turn about z takes x to y
    world.set_pose(first, {}, {.z = half, .s = half});
    const JointDef now = world.definition(hinge);
    EXPECT_EQ(now.type, JointType::hinge);
    EXPECT_EQ(now.first, first);
    EXPECT_EQ(now.second, second);
    EXPECT_TRUE(now.collide);
    EXPECT_EQ(now.user_data, 77u);
    EXPECT_NEAR(now.anchor.x, -1, 1e-6f);
    EXPECT_NEAR(now.anchor.y, 0, 1e-6f);
    EXPECT_NEAR(now.axis.y, 1, 1e-6f);
    EXPECT_EQ(world.definition(ball).second, BodyId{});
    const World copy = World::restore(world.save());
    EXPECT_EQ(copy.user_data(hinge), 77u);
    EXPECT_EQ(copy.definition(hinge).second, second);
}

TEST(WorldBodies, TheErrorOfAJointIsWhatABodyWasMovedBy) {
    World world;
    const BodyId body = world.create_body();
    const JointId ball = world.create_joint({.first = body, .anchor = {0, 1, 0}});
    const JointId hinge = world.create_joint({.type = JointType::hinge, .first = body, .axis = {0, 0, 1}});
    const JointId fixed = world.create_joint({.type = JointType::fixed, .first = body});
    world.set_pose(body, {0.3f, 0, 0.4f}, {});
    EXPECT_NEAR(world.error(ball).distance, 0.5f, 1e-6f);
    EXPECT_NEAR(world.measure().joint_error, 0.5, 1e-6);
    // a quarter turn about z: free for the hinge, an error for what is fixed
    world.set_pose(body, {}, {.z = half, .s = half});
    EXPECT_NEAR(world.error(hinge).angle, 0, 1e-3f);
    EXPECT_NEAR(world.error(fixed).angle, 1.5707963f, 1e-3f);
    world.set_pose(body, {}, {.x = half, .s = half});
    EXPECT_NEAR(world.error(hinge).angle, 1.5707963f, 1e-3f);
    EXPECT_EQ(world.error(ball).angle, 0);
}

TEST(WorldBodies, JointsLeaveInAnyOrder) {
    World world;
    const BodyId hub = world.create_body();
    std::vector<BodyId> bodies;
    std::vector<JointId> joints;
    for (int k = 0; k < 20; ++k) {
        bodies.push_back(world.create_body({.position = {static_cast<float>(k), 0, 0}}));
        joints.push_back(k % 2 == 0 ? world.create_joint({.first = hub, .second = bodies.back()})
                                    : world.create_joint({.first = bodies.back(), .second = hub}));
    }
    for (int k = 0; k < 20; k += 3) world.destroy(joints[static_cast<std::size_t>(k)]);
    for (int k = 1; k < 20; k += 3) world.destroy(bodies[static_cast<std::size_t>(k)]);
    EXPECT_EQ(world.joint_count(), 6u);
    world.destroy(hub);
    EXPECT_EQ(world.joint_count(), 0u);
}

TEST(WorldBodies, ANewCentreOfMassLeavesTheAnchorInPlace) {
    World world;
    const BodyId body = world.create_body({.position = {1, 2, 3}, .rotation = {.y = half, .s = half}});
    const JointId joint = world.create_joint({.first = body, .anchor = {4, 4, 4}});
    world.attach(body, Box{}, {.position = {2, -3, 5}});
    EXPECT_NEAR(world.error(joint).distance, 0, 2e-6f);
    EXPECT_GT(std::abs(world.state(body).centre.y - 2), 1.0f);
}

TEST(WorldBodies, MemoryIsAccounted) {
    World world;
    const std::uint64_t before = world.memory().total();
    for (int k = 0; k < 1000; ++k) world.attach(world.create_body(), Sphere{});
    const WorldMemory memory = world.memory();
    EXPECT_GT(memory.bodies, 1000u * 128u);
    EXPECT_GT(memory.shapes, 1000u * 128u);
    EXPECT_GT(memory.total(), before);
}

} // namespace
} // namespace scree::test
