// SPDX-License-Identifier: MIT
// locks_test.cpp — bodies that do not move along some axes: in contacts and joints they weigh infinitely much along those.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

constexpr Locks no_turning{.turn_x = true, .turn_y = true, .turn_z = true};
constexpr Locks everything{.x = true, .y = true, .z = true, .turn_x = true, .turn_y = true, .turn_z = true};

MassProperties ball_of(float mass, float radius = 0.5f) {
    const float moment = 0.4f * mass * radius * radius;
    return {.mass = mass, .inertia = {moment, moment, moment}};
}

TEST(Locks, ALockedDirectionIsNotTakenInACollision) {
    World world(without_sleep());
    add_slab(world, 10);
    const BodyId ball = add(world, Sphere{0.5f}, {0, 0.5f, 0}, {}, {.locks = {.z = true}});
    add(world, Sphere{0.5f}, {-2, 0.5f, 0.4f}, {}, {.velocity = {8, 0, 0}});
    run_for(world, 1);
    EXPECT_EQ(position(world, ball).z, 0);
    EXPECT_GT(position(world, ball).x, 0.5);
}

TEST(Locks, ABodyThatCannotTurnStaysUpright) {
    World world(without_sleep());
    add_slab(world, 50);
    const BodyId body = add(world, Capsule{0.6f, 0.3f}, {0, 0.9f, 0}, {}, {.locks = no_turning});
    add(world, Sphere{0.3f}, {-3, 1.4f, 0.1f}, {}, {.velocity = {10, 0, 0}});
    run_for(world, 3);
    EXPECT_LT(tilt_degrees(world, body), 0.01);
    EXPECT_NEAR(height(world, body), 0.9, 0.02);
}

TEST(Locks, ABodyLockedInAllDirectionsCarriesLikeAStaticOne) {
    World world(without_sleep());
    const BodyId shelf = add(world, Box{2, 0.25f, 2}, {0, -0.25f, 0}, {}, {.locks = everything});
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 1.5f, 0});
    run_for(world, 5);
    EXPECT_EQ(height(world, shelf), -0.25);
    EXPECT_NEAR(height(world, box), 0.5, 0.02);
}

// both solvers -------------------------------------------------------------------------------------------------------

class LocksOf : public ::testing::TestWithParam<Solver> {
protected:
    static WorldSettings settings(WorldSettings from = without_sleep()) {
        from.solver = GetParam();
        from.sor_iterations = 50;
        return from;
    }
};
INSTANTIATE_TEST_SUITE_P(Solvers, LocksOf, ::testing::Values(Solver::soft_step, Solver::sor),
                         [](const auto& each) { return each.param == Solver::sor ? "Sor" : "SoftStep"; });

TEST_P(LocksOf, ALightBodyLockedInHeightCarriesAHeavyOne) {
    for (const bool turns : {false, true}) { // about y
        World world(settings());
        Locks locks = no_turning;
        locks.y = true;
        locks.turn_y = !turns;
        const BodyId shelf = add(world, Box{2, 0.25f, 2}, {0, -0.25f, 0}, {},
                                 {.locks = locks, .mass = MassProperties{1, {}, {1, 1, 1}, {}}});
        const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}); // 1000 kg
        run_for(world, 3);
        EXPECT_EQ(height(world, shelf), -0.25) << turns;
        EXPECT_NEAR(height(world, box), 0.5, 0.006) << turns;
        EXPECT_LT(speed(world, box), 0.01) << turns;
    }
}

TEST_P(LocksOf, AnObliqueImpactMovesOnlyWhatIsFree) {
    // Without friction and turning: the struck ball slides along x, the normal lies at 30 degrees to it. Its share of the
    // normal is cos 30, so the inverse of the effective mass is 1 + cos^2 30.
    const double c = std::sqrt(0.75), s = 0.5, mass = 1, v = 5;
    World world(settings(in_space()));
    const ShapeDef smooth{.material = {.friction = 0, .restitution = 1}};
    const BodyId struck =
        add(world, Sphere{0.5f}, {}, smooth, {.locks = {.y = true, .z = true}, .mass = ball_of(1)});
    const BodyId ball =
        add(world, Sphere{0.5f}, narrow(DVec3{-1.2 * c, 0, -1.2 * s}), smooth,
            {.velocity = narrow(DVec3{v * c, 0, v * s}), .mass = ball_of(1)}); // along the normal
    run_for(world, 0.25);
    const double impulse = 2 * v / (1 / mass + c * c / mass);
    EXPECT_NEAR(velocity(world, struck).x, impulse * c / mass, 0.02);
    EXPECT_EQ(velocity(world, struck).y, 0);
    EXPECT_EQ(velocity(world, struck).z, 0);
    const double along = c * velocity(world, ball).x + s * velocity(world, ball).z;
    EXPECT_NEAR(along, v - impulse / mass, 0.02);
}

TEST_P(LocksOf, FrictionBrakesABodyThatKeepsToAPlane) {
    // across its plane the body cannot answer at all: the response of friction has one direction only
    for (const double degrees : {0.0, 35.0}) { // how the floor's tangents lie to the locked axis
        World world(settings());
        add(world, Box{60, 0.5f, 60}, {0, -0.5f, 0}, {},
            {.type = BodyType::fixed, .rotation = about({0, 1, 0}, degrees)});
        Locks plane = no_turning;
        plane.z = true;
        const BodyId box =
            add(world, Box{0.5f, 0.5f, 0.5f}, {-10, 0.5f, 0}, {}, {.velocity = {6, 0, 0}, .locks = plane});
        run_for(world, 0.5);
        EXPECT_NEAR(velocity(world, box).x, 6 - 0.6 * 9.81 * 0.5, 0.1) << degrees;
        EXPECT_EQ(position(world, box).z, 0) << degrees;
        run_for(world, 1);
        EXPECT_LT(speed(world, box), 0.01) << degrees;
    }
}

TEST_P(LocksOf, ABodyHeldWhereItOverlapsIsNotThrownSideways) {
    // the floor leans by a tenth of a degree: getting out along x would take a hundred metres
    World world(settings());
    add(world, Box{20, 0.5f, 20}, {0, -0.5f, 0}, {},
        {.type = BodyType::fixed, .rotation = about({0, 0, 1}, 0.1)});
    Locks locks = no_turning;
    locks.y = true;
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.4f, 0}, {}, {.locks = locks});
    run_for(world, 2);
    EXPECT_LT(std::abs(position(world, box).x), 0.05);
    EXPECT_LT(speed(world, box), 0.1);
}

TEST_P(LocksOf, AHeavyBallHangsFromALightTrolley) {
    World world(settings());
    const BodyId trolley =
        add(world, Sphere{0.5f}, {}, {}, {.locks = {.y = true, .z = true}, .mass = ball_of(1)});
    const BodyId ball =
        add(world, Sphere{0.5f}, {0, -2, 0}, {}, {.linear_damping = 0.5f, .mass = ball_of(1000)});
    const JointId joint = world.create_joint({.first = trolley, .second = ball, .anchor = {0, 0, 0}});
    run_for(world, 2);
    EXPECT_LT(world.error(joint).distance, 0.001f);
    EXPECT_NEAR(height(world, ball), -2, 0.001);
    EXPECT_EQ(height(world, trolley), 0);
    EXPECT_LT(std::abs(velocity(world, trolley).x), 0.01);
}

TEST_P(LocksOf, APendulumThatKeepsToAPlaneSwingsAsLongAsAnyOther) {
    // to the world: along the locked axis nothing answers to the joint
    const auto lowest_after = [](const Locks& locks) {
        World world(settings());
        const BodyId ball = add(world, Sphere{0.1f}, {1, 0, 0}, {}, {.locks = locks});
        const JointId joint = world.create_joint({.first = ball, .anchor = {}});
        float drift = 0;
        int steps = 0;
        for (; steps < 120 && position(world, ball).x > 0; ++steps) {
            world.step(frame);
            drift = std::max(drift, world.error(joint).distance);
        }
        EXPECT_LT(drift, 0.05f);
        return steps;
    };
    const int free = lowest_after({});
    EXPECT_NEAR(lowest_after({.z = true, .turn_x = true, .turn_y = true}), free, 1);
    EXPECT_GT(free, 20);
}

TEST_P(LocksOf, AFixedJointHoldsABodyThatTurnsAboutOneAxisOnly) {
    World world(settings());
    const BodyId arm = add(world, Box{0.5f, 0.1f, 0.1f}, {0.5f, 0, 0}, {},
                           {.locks = {.z = true, .turn_x = true, .turn_y = true}});
    const JointId joint = world.create_joint({.type = JointType::fixed, .first = arm, .anchor = {}});
    run_for(world, 2);
    EXPECT_LT(world.error(joint).distance, 0.01f);
    EXPECT_LT(world.error(joint).angle, 0.02f);
}

} // namespace
} // namespace scree::test
