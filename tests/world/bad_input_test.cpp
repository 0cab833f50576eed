// SPDX-License-Identifier: MIT
// bad_input_test.cpp — worlds at the edge of what makes sense behave in a defined way.
#include "scree/world.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float step = 1 / 60.0f;

BodyId ground(World& world) {
    const BodyId body = world.create_body({.type = BodyType::fixed});
    world.attach(body, Plane{});
    return body;
}

// steps --------------------------------------------------------------------------------------------------------------

TEST(WorldBadInput, AStepOfNegativeOrNoTimeAtAllIsRefused) {
    World world;
    const BodyId body = world.create_body({.velocity = {1, 0, 0}});
    for (const float dt : {-step, nan, inf, -inf}) {
        const Refusal refused = refusal([&] { world.step(dt); });
        EXPECT_EQ(refused.where, "dt");
    }
    EXPECT_EQ(world.steps_done(), 0u);
    EXPECT_EQ(world.time(), 0);
    EXPECT_EQ(world.state(body).position, (Vec3{}));
}

TEST(WorldBadInput, AStepOfZeroFindsContactsAndMovesNothing) {
    World world;
    ground(world);
    const BodyId ball = world.create_body({.position = {0, 0.4f, 0}, .velocity = {1, 2, 3}});
    world.attach(ball, Sphere{0.5f});
    const std::uint64_t before = world.hash();
    for (int k = 0; k < 3; ++k) world.step(0);
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.contacts().size(), 1u);
    EXPECT_EQ(world.time(), 0);
}

TEST(WorldBadInput, AStepOfZeroKeepsForcesForTheNext) {
    World world({.gravity = {}});
    const BodyId body = world.create_body();
    world.apply_force(body, {60, 0, 0});
    world.step(0);
    EXPECT_EQ(world.state(body).velocity, (Vec3{}));
    world.step(step);
    EXPECT_NEAR(world.state(body).velocity.x, 1, 1e-5f);
}

TEST(WorldBadInput, StepsOfVeryDifferentLengthsStayFinite) {
    World world;
    ground(world);
    const BodyId ball = world.create_body({.position = {0, 2, 0}});
    world.attach(ball, Sphere{0.5f});
    for (const float dt : {1e-30f, 1e-6f, 0.5f, 1e-3f, 2.0f, 1 / 240.0f}) world.step(dt);
    EXPECT_TRUE(is_finite(world.state(ball).position));
    EXPECT_FALSE(world.state(ball).frozen);
}

// hulls --------------------------------------------------------------------------------------------------------------

TEST(WorldBadInput, DegenerateHullsAreRefusedBeforeTheyReachAWorld) {
    const auto refused = [](std::vector<Vec3> points) {
        return refusal([&] { Hull::from_points(points); }).what;
    };
    EXPECT_NE(refused({}), "");
    EXPECT_NE(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "");
    EXPECT_NE(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}}), ""); // in one plane
    EXPECT_NE(refused({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}), "");            // on one line
    EXPECT_NE(refused({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), "");            // one point
    EXPECT_NE(refused({{0, 0, 0}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}}), "");
}

// many, far, large and small -----------------------------------------------------------------------------------------

TEST(WorldBadInput, AMillionShapesOnOneBodyTakeSeconds) {
    constexpr int across = 100;
    World world({.gravity = {}});
    const BodyId body = world.create_body();
    std::vector<ShapeId> shapes;
    for (int k = 0; k < across * across * across; ++k) {
        const auto at = [](int n) { return 0.1f * static_cast<float>(n % across) - 4.95f; };
        shapes.push_back(world.attach(body, Box{0.05f, 0.05f, 0.05f},
                                      {.position = {at(k), at(k / across), at(k / across / across)}}));
    }
    EXPECT_EQ(world.shape_count(), 1000000u);
    const MassProperties mass = world.mass(body);
    EXPECT_NEAR(mass.mass, 1e6f, 1e2f);
    EXPECT_LT(std::abs(mass.centre.x) + std::abs(mass.centre.y) + std::abs(mass.centre.z), 1e-3f);
    EXPECT_NEAR(mass.inertia.x, 1e6f / 6 * 100, 1e4f);
    world.apply_impulse(body, {1e6f, 0, 0});
    world.step(step);
    EXPECT_NEAR(world.state(body).velocity.x, 1, 1e-3f);
    // from the first on: what is last in the body's list
    for (std::size_t k = 0; k < shapes.size() / 2; ++k) world.destroy(shapes[k]);
    EXPECT_NEAR(world.mass(body).mass, 5e5f, 1e2f);
    world.destroy(body);
    EXPECT_EQ(world.shape_count(), 0u);
}

TEST(WorldBadInput, BodiesTenKilometresApartDoNotDisturbEachOther) {
    World world;
    const BodyId floor = world.create_body({.type = BodyType::fixed});
    std::vector<BodyId> balls;
    for (const float x : {-5000.0f, 0.0f, 5000.0f}) {
        world.attach(floor, Box{5, 0.5f, 5}, {.position = {x, -0.5f, 0}});
        balls.push_back(world.create_body({.position = {x, 0.6f, 0}}));
        world.attach(balls.back(), Box{});
    }
    for (int k = 0; k < 180; ++k) world.step(step);
    for (const BodyId ball : balls) EXPECT_NEAR(world.state(ball).position.y, 0.5f, 0.02f);
    EXPECT_NEAR(world.state(balls[2]).position.x, 5000, 0.02f);
}

TEST(WorldBadInput, AMillimetreAndAKilometreShareAScene) {
    World world;
    const BodyId floor = world.create_body({.type = BodyType::fixed});
    world.attach(floor, Box{500, 500, 500}, {.position = {0, -500, 0}});
    const BodyId grain = world.create_body({.position = {0, 0.003f, 0}});
    world.attach(grain, Sphere{0.0005f});
    const BodyId giant = world.create_body({.position = {600, 500.1f, 0}});
    world.attach(giant, Sphere{500});
    for (int k = 0; k < 120; ++k) world.step(step);
    for (const BodyId body : {grain, giant}) {
        EXPECT_TRUE(is_finite(world.state(body).position));
        EXPECT_FALSE(world.state(body).frozen);
        EXPECT_GT(world.state(body).position.y, -0.01f);
    }
    EXPECT_LT(world.state(grain).position.y, 0.02f);
}

TEST(WorldBadInput, PositionsAtTheEndOfTheNumbersFreezeAtWorst) {
    for (const BroadPhase broad_phase : {BroadPhase::tree, BroadPhase::grid, BroadPhase::brute}) {
        World world({.broad_phase = broad_phase});
        const float most = std::numeric_limits<float>::max();
        const BodyId far = world.create_body({.position = {most, most, most}, .velocity = {1, 1, 1}});
        world.attach(far, Sphere{});
        const BodyId near = world.create_body();
        world.attach(near, Sphere{});
        for (int k = 0; k < 10; ++k) world.step(step);
        EXPECT_TRUE(is_finite(world.state(far).position));
        EXPECT_TRUE(is_finite(world.state(near).position));
        EXPECT_FALSE(world.state(near).frozen);
        EXPECT_LT(world.state(near).velocity.y, -1);
    }
}

TEST(WorldBadInput, BodiesInOnePlaceComeApartOrStayFinite) {
    World world;
    ground(world);
    std::vector<BodyId> boxes;
    for (int k = 0; k < 8; ++k) {
        boxes.push_back(world.create_body({.position = {0, 1, 0}}));
        world.attach(boxes.back(), Box{});
    }
    for (int k = 0; k < 120; ++k) world.step(step);
    for (const BodyId box : boxes) {
        EXPECT_TRUE(is_finite(world.state(box).position));
        EXPECT_FALSE(world.state(box).frozen);
    }
}

// between steps ------------------------------------------------------------------------------------------------------

TEST(WorldBadInput, EverythingMayGoInTheMidstOfContacts) {
    World world;
    const BodyId floor = ground(world);
    std::vector<BodyId> boxes;
    for (int k = 0; k < 10; ++k) {
        boxes.push_back(world.create_body({.position = {0, 0.5f + static_cast<float>(k), 0}}));
        world.attach(boxes.back(), Box{});
        if (k > 0)
            world.create_joint({.first = boxes[static_cast<std::size_t>(k)],
                                .second = boxes[static_cast<std::size_t>(k - 1)],
                                .anchor = {0, static_cast<float>(k), 0}});
    }
    for (int k = 0; k < 10; ++k) world.step(step);
    world.destroy(boxes[4]);
    world.step(step);
    world.set_type(boxes[5], BodyType::fixed);
    world.destroy(world.shapes(boxes[2])[0]);
    world.step(step);
    world.set_type(boxes[5], BodyType::dynamic);
    world.set_pose(boxes[9], {0, 1, 0}, {});
    world.step(step);
    world.destroy(floor);
    world.step(step);
    for (const BodyId body : world.bodies()) {
        EXPECT_TRUE(is_finite(world.state(body).position));
        world.destroy(body);
    }
    world.step(step);
    EXPECT_EQ(world.body_count() + world.shape_count() + world.joint_count(), 0u);
    EXPECT_TRUE(world.contacts().empty());
}

TEST(WorldBadInput, AnEmptyWorldSteps) {
    World world;
    for (int k = 0; k < 10; ++k) world.step(step);
    EXPECT_EQ(world.steps_done(), 10u);
    EXPECT_TRUE(world.bodies().empty());
}

TEST(WorldBadInput, AMovedWorldKeepsItsIds) {
    World world;
    const BodyId body = world.create_body({.position = {1, 0, 0}});
    World other = std::move(world);
    EXPECT_TRUE(other.alive(body));
    other.step(step);
    world = std::move(other);
    EXPECT_EQ(world.steps_done(), 1u);
    EXPECT_TRUE(world.alive(body));
}

} // namespace
} // namespace scree::test
