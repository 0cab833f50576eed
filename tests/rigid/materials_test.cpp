// SPDX-License-Identifier: MIT
// materials_test.cpp — restitution, rolling resistance, belts, and how two materials become one.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

/// The height of a ball's rebound over the height of its fall of 2 m.
double rebound(float restitution, const Geometry& geometry = Sphere{0.5f}, float fall = 2) {
    World world(without_sleep());
    add_floor(world);
    const BodyId ball = add(world, geometry, {0, 0.5f + fall, 0}, {.material = {.restitution = restitution}});
    bool bounced = false;
    double top = 0;
    for (int k = 0; k < 180; ++k) {
        world.step(frame);
        bounced = bounced || velocity(world, ball).y > 0.01;
        if (bounced) top = std::max(top, height(world, ball) - 0.5);
        if (bounced && velocity(world, ball).y < 0) break;
    }
    return top / static_cast<double>(fall);
}

// restitution --------------------------------------------------------------------------------------------------------

TEST(Materials, WithoutRestitutionABallDoesNotBounce) { EXPECT_LT(rebound(0), 0.01); }
TEST(Materials, WithFullRestitutionABallComesBackToItsHeight) { EXPECT_NEAR(rebound(1), 1, 0.1); }
TEST(Materials, HalfTheRestitutionGivesAQuarterOfTheHeight) { EXPECT_NEAR(rebound(0.5f), 0.25, 0.05); }
TEST(Materials, ABoxBouncesLikeABall) {
    EXPECT_NEAR(rebound(0.5f, Box{0.5f, 0.5f, 0.5f}), 0.25, 0.05);
    EXPECT_LT(rebound(0, Box{0.5f, 0.5f, 0.5f}), 0.01);
}

TEST(Materials, FullRestitutionDoesNotGainHeightOverManyBounces) {
    World world(without_sleep());
    add_floor(world);
    const BodyId ball = add(world, Sphere{0.5f}, {0, 2.5f, 0}, {.material = {.restitution = 1}});
    double top = 0;
    for (int k = 0; k < 1200; ++k) {
        world.step(frame);
        if (k > 60) top = std::max(top, height(world, ball));
    }
    EXPECT_LT(top, 2.6);
    EXPECT_GT(top, 1.5);
}

TEST(Materials, SlowImpactsDoNotBounce) {
    // 2 cm of fall give 0.63 m/s, less than the threshold of 1 m/s
    EXPECT_LT(rebound(0.9f, Sphere{0.5f}, 0.02f), 0.05);
}

TEST(Materials, EqualBallsExchangeTheirVelocities) {
    World world(in_space());
    const ShapeDef shape{.material = {.restitution = 1}};
    const BodyId first = add(world, Sphere{0.5f}, {-2, 0, 0}, shape, {.velocity = {4, 0, 0}});
    const BodyId second = add(world, Sphere{0.5f}, {1, 0, 0}, shape);
    run_for(world, 2);
    EXPECT_NEAR(velocity(world, first).x, 0, 0.05);
    EXPECT_NEAR(velocity(world, second).x, 4, 0.05);
}

TEST(Materials, RestitutionGivenLaterCounts) {
    World world(without_sleep());
    const BodyId floor = add_floor(world);
    const BodyId ball = add(world, Sphere{0.5f}, {0, 2.5f, 0});
    run_for(world, 2);
    world.set_material(world.shapes(floor)[0], {.restitution = 0.9f});
    world.set_pose(ball, {0, 2.5f, 0}, {});
    double top = 0;
    for (int k = 0; k < 75; ++k) {
        world.step(frame);
        if (k > 45) top = std::max(top, height(world, ball));
    }
    EXPECT_GT(top, 1.6);
}

// combining ----------------------------------------------------------------------------------------------------------

/// The way of a box that slides off with 4 m/s tells the friction: v^2 / (2 g mu).
double friction_of(const Material& box_material, const Material& floor_material) {
    World world(without_sleep());
    add_floor(world, floor_material);
    const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0}, {.material = box_material},
                           {.velocity = {4, 0, 0}});
    run_for(world, 5);
    return 16 / (2 * 9.81 * position(world, box).x);
}

TEST(Materials, TheFrictionOfTwoMaterialsIsAsTheirRulesSay) {
    const auto friction = [](Combine first, Combine second) {
        return friction_of({.friction = 0.2f, .friction_rule = first},
                           {.friction = 0.8f, .friction_rule = second});
    };
    EXPECT_NEAR(friction(Combine::geometric_mean, Combine::geometric_mean), 0.4, 0.02);
    EXPECT_NEAR(friction(Combine::average, Combine::average), 0.5, 0.025);
    EXPECT_NEAR(friction(Combine::least, Combine::least), 0.2, 0.01);
    EXPECT_NEAR(friction(Combine::product, Combine::product), 0.16, 0.01);
    EXPECT_NEAR(friction(Combine::greatest, Combine::greatest), 0.8, 0.04);
    // of two the later in the list
    EXPECT_NEAR(friction(Combine::least, Combine::geometric_mean), 0.2, 0.01);
    EXPECT_NEAR(friction(Combine::average, Combine::greatest), 0.8, 0.04);
}

// rolling ------------------------------------------------------------------------------------------------------------

TEST(Materials, WithoutResistanceABallRollsOn) {
    World world(without_sleep());
    add_floor(world);
    const BodyId ball =
        add(world, Sphere{0.5f}, {0, 0.5f, 0}, {}, {.velocity = {2, 0, 0}, .angular_velocity = {0, 0, -4}});
    run_for(world, 10);
    EXPECT_NEAR(velocity(world, ball).x, 2, 0.02);
}

TEST(Materials, RollingResistanceStopsABallWhereMechanicsSays) {
    // torque c N at radius r: deceleration g c r / (r^2 + 0.4 r^2)
    for (const float resistance : {0.01f, 0.05f}) {
        World world(without_sleep());
        add_floor(world);
        const BodyId ball =
            add(world, Sphere{0.5f}, {0, 0.5f, 0}, {.material = {.rolling_resistance = resistance}},
                {.velocity = {2, 0, 0}, .angular_velocity = {0, 0, -4}});
        run_for(world, 30);
        const double braking = 9.81 * static_cast<double>(resistance) / (1.4 * 0.5);
        EXPECT_NEAR(position(world, ball).x, 4 / (2 * braking), 0.05 * 4 / (2 * braking)) << resistance;
        EXPECT_LT(speed(world, ball), 0.001);
    }
}

TEST(Materials, RollingResistanceHoldsABallOnAGentleSlope) {
    World world(without_sleep());
    const Quat slope = about({0, 0, 1}, 2); // tan 2 deg = 0.035; c / r = 0.1
    add(world, Box{20, 1, 20}, {}, {}, {.type = BodyType::fixed, .rotation = slope});
    const DVec3 up = matrix(wide(slope)) * DVec3{0, 1, 0};
    const BodyId ball =
        add(world, Sphere{0.5f}, narrow(1.5 * up), {.material = {.rolling_resistance = 0.05f}});
    run_for(world, 5);
    EXPECT_LT(std::abs(position(world, ball).x - 1.5 * up.x), 0.05);
}

// belts --------------------------------------------------------------------------------------------------------------

TEST(Materials, ABeltCarriesABoxAtItsSpeed) {
    for (const Vec3 belt : {Vec3{2, 0, 0}, Vec3{0, 0, -1.5f}, Vec3{1, 0, 1}}) {
        World world(without_sleep());
        add_slab(world, 50, {.surface_velocity = belt});
        const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
        run_for(world, 3);
        EXPECT_LT(length(velocity(world, box) - wide(belt)), 0.02) << belt.x << " " << belt.z;
        EXPECT_LT(tilt_degrees(world, box), 0.5);
    }
}

TEST(Materials, ABeltsDirectionIsInItsShapesFrame) {
    // turned by 90 degrees about y, x becomes -z
    World world(without_sleep());
    add(world, Box{50, 0.5f, 50}, {0, -0.5f, 0}, {.material = {.surface_velocity = {2, 0, 0}}},
        {.type = BodyType::fixed, .rotation = about({0, 1, 0}, 90)});
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    run_for(world, 3);
    EXPECT_LT(length(velocity(world, box) - DVec3{0, 0, -2}), 0.02);
}

TEST(Materials, ABeltThatIsTurnedLaterCarriesInItsNewDirection) {
    World world(without_sleep());
    const BodyId belt = add_slab(world, 50, {.surface_velocity = {2, 0, 0}});
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    run_for(world, 1);
    world.set_pose(belt, {0, -0.5f, 0}, about({0, 1, 0}, 90));
    run_for(world, 3);
    EXPECT_LT(length(velocity(world, box) - DVec3{0, 0, -2}), 0.02);
}

TEST(Materials, ABeltThatStartsWakesWhatSleepsOnIt) {
    World world(default_settings());
    const BodyId belt = add_slab(world, 50);
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    run_for(world, 3);
    ASSERT_TRUE(world.state(box).asleep);
    world.set_material(world.shapes(belt)[0], {.surface_velocity = {2, 0, 0}});
    run_for(world, 2);
    EXPECT_NEAR(velocity(world, box).x, 2, 0.02);
}

TEST(Materials, ABoxOnASteepRampStartsWhenTheFrictionIsTaken) {
    World world(default_settings());
    const Quat slope = about({0, 0, 1}, 25);
    const BodyId ramp = add(world, Box{20, 1, 20}, {}, {}, {.type = BodyType::fixed, .rotation = slope});
    const DVec3 up = matrix(wide(slope)) * DVec3{0, 1, 0};
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, narrow(1.5 * up), {}, {.rotation = slope});
    run_for(world, 3);
    ASSERT_TRUE(world.state(box).asleep);
    world.set_material(world.shapes(ramp)[0], {.friction = 0});
    run_for(world, 1);
    EXPECT_GT(speed(world, box), 1);
}

} // namespace
} // namespace scree::test
