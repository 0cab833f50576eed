// SPDX-License-Identifier: MIT
// friction_test.cpp — Coulomb's angle, sliding distances, rolling and twisting against what mechanics says.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A body on a ramp that rises along x, turned with it; how far it goes down the ramp in two seconds.
double way_down(const Geometry& geometry, double friction, double degrees, float mass_scale = 1) {
    World world(without_sleep());
    const Quat slope = about({0, 0, 1}, degrees);
    const Material material{.friction = static_cast<float>(friction)};
    add(world, Box{20, 1, 20}, {}, {.material = material}, {.type = BodyType::fixed, .rotation = slope});
    const DVec3 up = matrix(wide(slope)) * DVec3{0, 1, 0}, along = matrix(wide(slope)) * DVec3{1, 0, 0};
    const BodyId body = add(world, geometry, narrow(1.3 * up),
                            {.density = 1000 * mass_scale, .material = material}, {.rotation = slope});
    // first it must lie: the start is taken when it has come to rest or to sliding
    run_for(world, 0.5);
    const DVec3 start = position(world, body);
    run_for(world, 2);
    return -dot(position(world, body) - start, along);
}

TEST(Friction, ABoxOnARampStaysBelowTheAngleOfFrictionAndSlidesAboveIt) {
    for (const double friction : {0.2, 0.5, 0.8, 1.0}) {
        const double angle = std::atan(friction) / degree;
        EXPECT_LT(std::abs(way_down(Box{0.5f, 0.3f, 0.5f}, friction, angle - 1)), 0.01) << friction;
        EXPECT_GT(way_down(Box{0.5f, 0.3f, 0.5f}, friction, angle + 1), 0.05) << friction;
    }
}

TEST(Friction, AHullOnARampDoesAsABoxDoes) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? 0.5f : -0.5f, k & 2 ? 0.3f : -0.3f, k & 4 ? 0.5f : -0.5f});
    const double angle = std::atan(0.5) / degree;
    EXPECT_LT(std::abs(way_down(Hull::from_points(corners), 0.5, angle - 1)), 0.01);
    EXPECT_GT(way_down(Hull::from_points(corners), 0.5, angle + 1), 0.05);
}

TEST(Friction, TheAngleDoesNotDependOnTheMass) {
    const double angle = std::atan(0.5) / degree;
    for (const float mass : {0.01f, 100.0f}) {
        EXPECT_LT(std::abs(way_down(Box{0.5f, 0.3f, 0.5f}, 0.5, angle - 1, mass)), 0.01) << mass;
        EXPECT_GT(way_down(Box{0.5f, 0.3f, 0.5f}, 0.5, angle + 1, mass), 0.05) << mass;
    }
}

TEST(Friction, ABoxSlidesDownARampAsFastAsMechanicsSays) {
    // g (sin a - mu cos a) t^2 / 2, from what it has after half a second
    const double a = 35 * degree, mu = 0.3, g = 9.81 * (std::sin(a) - mu * std::cos(a));
    EXPECT_NEAR(way_down(Box{0.5f, 0.3f, 0.5f}, mu, 35), g * (2.5 * 2.5 - 0.5 * 0.5) / 2, 0.05 * g * 3);
}

TEST(Friction, ASlidingBoxStopsAfterItsStoppingDistance) {
    for (const float friction : {0.2f, 0.6f}) {
        World world(without_sleep());
        add_floor(world, {.friction = friction});
        const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0},
                               {.material = {.friction = friction}}, {.velocity = {4, 0, 0}});
        run_for(world, 5);
        const double distance = 16 / (2 * 9.81 * static_cast<double>(friction));
        EXPECT_NEAR(position(world, box).x, distance, 0.03 * distance) << friction;
        EXPECT_LT(speed(world, box), 0.001);
    }
}

TEST(Friction, ASlidingBallEndsRollingWithFiveSeventhsOfItsSpeed) {
    World world(without_sleep());
    add_floor(world, {.friction = 0.5f});
    const BodyId ball =
        add(world, Sphere{0.5f}, {0, 0.5f, 0}, {.material = {.friction = 0.5f}}, {.velocity = {7, 0, 0}});
    run_for(world, 3);
    EXPECT_NEAR(velocity(world, ball).x, 5, 0.05);
    EXPECT_NEAR(static_cast<double>(world.state(ball).angular_velocity.z), -10, 0.1);
}

TEST(Friction, ABallRollsDownARampWithFiveSeventhsOfTheSlope) {
    World world(without_sleep());
    const Quat slope = about({0, 0, 1}, 20);
    add(world, Box{30, 1, 30}, {}, {}, {.type = BodyType::fixed, .rotation = slope});
    const DVec3 up = matrix(wide(slope)) * DVec3{0, 1, 0}, along = matrix(wide(slope)) * DVec3{1, 0, 0};
    const BodyId ball = add(world, Sphere{0.5f}, narrow(1.5 * up));
    run_for(world, 2);
    const double g = 9.81 * std::sin(20 * degree) * 5 / 7;
    EXPECT_NEAR(-dot(velocity(world, ball), along), 2 * g, 0.04 * 2 * g);
}

TEST(Friction, FrictionIsTheSameInEveryDirection) {
    // the two tangents of a contact must not show
    double least = 1e9, most = 0;
    for (int k = 0; k < 12; ++k) {
        World world(without_sleep());
        add_floor(world, {.friction = 0.4f});
        const double angle = 30 * k * degree;
        const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0}, {.material = {.friction = 0.4f}},
                               {.velocity = narrow(DVec3{3 * std::cos(angle), 0, 3 * std::sin(angle)})});
        run_for(world, 3);
        const DVec3 at = position(world, box);
        const double way = std::hypot(at.x, at.z);
        least = std::min(least, way);
        most = std::max(most, way);
    }
    EXPECT_LT(most - least, 0.04 * most);
}

TEST(Friction, ASpinningBoxIsBrakedByTheFloor) {
    World world(without_sleep());
    add_floor(world);
    const BodyId box =
        add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0}, {}, {.angular_velocity = {0, 10, 0}});
    run_for(world, 3);
    EXPECT_LT(std::abs(world.state(box).angular_velocity.y), 0.01f);
    EXPECT_LT(length(position(world, box) - DVec3{0, 0.25, 0}), 0.05);
}

TEST(Friction, WithoutFrictionNothingIsBraked) {
    World world(without_sleep());
    add_floor(world, {.friction = 0});
    const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0}, {.material = {.friction = 0}},
                           {.velocity = {2, 0, 1}, .angular_velocity = {0, 1, 0}});
    run_for(world, 5);
    const DVec3 v = velocity(world, box);
    EXPECT_NEAR(v.x, 2, 0.01);
    EXPECT_NEAR(v.z, 1, 0.01);
    EXPECT_NEAR(static_cast<double>(world.state(box).angular_velocity.y), 1, 0.01);
}

TEST(Friction, ABoxAgainstAWallIsHeldByPushAndFriction) {
    // pressed with F at mu F = 1.2 m g it stays, at 0.8 m g it slides
    for (const double share : {1.2, 0.8}) {
        World world(without_sleep());
        const Material material{.friction = 0.5f};
        add(world, Box{1, 10, 10}, {1.5f, 0, 0}, {.material = material}, {.type = BodyType::fixed});
        const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0, 0}, {.material = material});
        const double weight = static_cast<double>(world.mass(box).mass) * 9.81;
        for (int k = 0; k < 120; ++k) {
            world.apply_force(box, {static_cast<float>(share * weight / 0.5), 0, 0});
            world.step(frame);
        }
        if (share > 1) EXPECT_LT(std::abs(height(world, box)), 0.01);
        else EXPECT_LT(height(world, box), -2);
    }
}

} // namespace
} // namespace scree::test
