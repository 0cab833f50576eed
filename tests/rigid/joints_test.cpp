// SPDX-License-Identifier: MIT
// joints_test.cpp — ball, hinge and fixed joints hold what they should and leave the rest free.
// Beside a limit stands what was measured, which is the same on every machine.
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::test {
namespace {

DVec3 spin(const World& world, BodyId body) { return wide(world.state(body).angular_velocity); }

/// The largest errors of the joints while the world runs.
World::JointError worst_while_running(World& world, const std::vector<JointId>& joints, int steps) {
    World::JointError worst;
    for (int k = 0; k < steps; ++k) {
        world.step(frame);
        for (const JointId joint : joints) {
            const World::JointError now = world.error(joint);
            worst.distance = std::max(worst.distance, now.distance);
            worst.angle = std::max(worst.angle, now.angle);
        }
    }
    return worst;
}

// ball ---------------------------------------------------------------------------------------------------------------

TEST(Joints, APendulumSwingsWithItsPeriod) {
    // a heavy small ball on a long arm: 2 pi sqrt(l / g) for small swings
    World world(without_sleep());
    const BodyId ball = add(world, Sphere{0.05f}, {0.2f, -2, 0});
    world.create_joint({.first = ball});
    const double period = 2 * 3.14159265 * std::sqrt(std::hypot(0.2, 2.0) / 9.81);
    int crossings = 0;
    double first = 0, last = 0, before = position(world, ball).x;
    for (int k = 0; k < 1200; ++k) {
        world.step(frame);
        const double x = position(world, ball).x;
        if (before > 0 && x <= 0) {
            (crossings++ ? last : first) = world.time();
        }
        before = x;
    }
    ASSERT_GT(crossings, 5);
    EXPECT_NEAR((last - first) / (crossings - 1), period, 0.003 * period); // 0.0011
}

TEST(Joints, APendulumGainsNoEnergy) {
    World world(without_sleep());
    const BodyId ball = add(world, Sphere{0.3f}, {2, 0, 0});
    const JointId joint = world.create_joint({.first = ball});
    const double before = energy(world), scale = static_cast<double>(world.mass(ball).mass) * 9.81 * 2;
    double most = before;
    for (int k = 0; k < 1200; ++k) {
        world.step(frame);
        most = std::max(most, energy(world));
    }
    EXPECT_LT(most - before, 0.005 * scale);       // 0.0020
    EXPECT_LT(world.error(joint).distance, 6e-5f); // 2.3e-5
}

TEST(Joints, FrictionOfABallStopsSwingingAndCircling) {
    for (const Solver solver : {Solver::soft_step, Solver::sor})
        for (const Vec3 push : {Vec3{0.5f, 0, 0}, Vec3{0, 0, 0.5f}}) {
            WorldSettings settings = without_sleep();
            settings.solver = solver;
            World world(settings);
            const BodyId ball = add(world, Sphere{0.1f}, {0.1f, -1, 0}, {}, {.velocity = push});
            // gravity turns it back with 4 N m where it begins
            world.create_joint({.first = ball, .axis = {0, -1, 0}, .drive = JointFriction{1}});
            run_steps(world, 300);
            EXPECT_LT(length(spin(world, ball)), 6e-4) // 2.7e-4
                << "solver " << static_cast<int>(solver);
            // and holds it where gravity is weaker than friction
            EXPECT_LT(std::hypot(position(world, ball).x, position(world, ball).z), 0.03); // 0.016
        }
}

TEST(Joints, AChainOfTwentyHangsTogether) {
    World world(without_sleep());
    const Chain chain = add_chain(world, 20, {0, 12, 0});
    const World::JointError worst = worst_while_running(world, chain.joints, 600);
    report("worst_gap_mm", 1000 * static_cast<double>(worst.distance));
    EXPECT_LT(worst.distance, 0.025f); // 0.0107
    EXPECT_TRUE(all_are_finite(world));
    // its length is what the links give
    EXPECT_LT(length(position(world, chain.links.back()) - DVec3{0, 12, 0}), 10.2);
}

TEST(Joints, AChainThatCarriesAHeavyBallHolds) {
    World world(without_sleep());
    Chain chain;
    for (int k = 0; k < 10; ++k) {
        const auto y = -0.5f * static_cast<float>(k);
        chain.links.push_back(add(world, Capsule{0.15f, 0.1f}, {0, y - 0.25f, 0}));
        JointDef joint{.first = chain.links.back(), .anchor = {0, y, 0}};
        if (k) joint.second = chain.links[static_cast<std::size_t>(k - 1)];
        chain.joints.push_back(world.create_joint(joint));
    }
    const BodyId ball = add(world, Sphere{0.6f}, {0, -5.6f, 0});
    chain.joints.push_back(
        world.create_joint({.first = ball, .second = chain.links.back(), .anchor = {0, -5, 0}}));
    report("mass_ratio", static_cast<double>(world.mass(ball).mass / world.mass(chain.links[0]).mass));
    world.set_velocity(ball, {1, 0, 0});
    const World::JointError worst = worst_while_running(world, chain.joints, 900);
    report("worst_gap_mm", 1000 * static_cast<double>(worst.distance));
    EXPECT_LT(worst.distance, 0.01f); // 0.0045
}

// hinge --------------------------------------------------------------------------------------------------------------

TEST(Joints, AHingeTurnsAboutItsAxisAndNoOther) {
    World world(in_space());
    const BodyId wheel = add(world, Cylinder{0.1f, 1}, {}, {}, {.angular_velocity = {0, 5, 0}});
    const JointId joint = world.create_joint({.type = JointType::hinge, .first = wheel, .axis = {0, 1, 0}});
    world.apply_angular_impulse(wheel, {200, 0, 100});
    const World::JointError worst = worst_while_running(world, {joint}, 600);
    EXPECT_LT(worst.angle, 1e-4f); // 4.0e-5
    EXPECT_LT(worst.distance, 1e-6f);
    EXPECT_NEAR(spin(world, wheel).y, 5, 0.003); // 0.0012
}

TEST(Joints, ADoorStaysOnItsHingesWhenItIsHit) {
    World world(without_sleep());
    const BodyId door = add(world, Box{0.5f, 1, 0.05f}, {0.5f, 1, 0});
    const JointId joint = world.create_joint({.type = JointType::hinge, .first = door, .anchor = {0, 1, 0}});
    add(world, Sphere{0.2f}, {0.8f, 1.4f, 3}, {}, {.velocity = {0, 1, -15}});
    const World::JointError worst = worst_while_running(world, {joint}, 300);
    report("worst_gap_mm", 1000 * static_cast<double>(worst.distance));
    report("worst_angle_deg", static_cast<double>(worst.angle) * 57.3);
    EXPECT_GT(length(position(world, door) - DVec3{0.5, 1, 0}), 0.05) << "it was not hit";
    EXPECT_LT(worst.distance, 2.5e-4f);              // 9.4e-5
    EXPECT_LT(worst.angle, 2e-4f);                   // 7.3e-5
    EXPECT_LT(world.error(joint).distance, 2.5e-4f); // 9.4e-5
    EXPECT_NEAR(height(world, door), 1, 1e-4);       // 3.8e-5
}

TEST(Joints, TwoBodiesOnAHingeKeepTheirMomentum) {
    World world(in_space());
    const BodyId a = add(world, Box{0.5f, 0.2f, 0.2f}, {-0.5f, 0, 0}, {},
                         {.velocity = {0, 0, 1}, .angular_velocity = {1, 2, 0}});
    const BodyId b = add(world, Box{0.5f, 0.2f, 0.2f}, {0.5f, 0, 0}, {}, {.velocity = {0.5f, 0, 0}});
    world.create_joint({.type = JointType::hinge, .first = a, .second = b, .axis = {0, 1, 0}});
    const Vec3 before = world.measure().momentum;
    run_steps(world, 600);
    const double scale = 1000 * 0.16 * 2;
    EXPECT_LT(length(wide(world.measure().momentum) - wide(before)), 1e-5 * scale); // 4.6e-6
}

// fixed --------------------------------------------------------------------------------------------------------------

TEST(Joints, AFixedJointHoldsABeam) {
    World world(without_sleep());
    const BodyId beam = add(world, Box{1, 0.1f, 0.1f}, {1, 0, 0});
    const JointId joint = world.create_joint({.type = JointType::fixed, .first = beam});
    const World::JointError worst = worst_while_running(world, {joint}, 600);
    report("sag_mm", -1000 * height(world, beam));
    EXPECT_LT(worst.distance, 2e-4f);          // 6.9e-5
    EXPECT_LT(worst.angle, 1.5e-4f);           // 5.1e-5
    EXPECT_NEAR(height(world, beam), 0, 3e-4); // 1.2e-4
}

TEST(Joints, BodiesHeldTogetherDoNotCollideUnlessTheyMay) {
    for (const bool collide : {false, true}) {
        World world(in_space());
        const BodyId a = add(world, Sphere{0.5f}, {}), b = add(world, Sphere{0.5f}, {0.6f, 0, 0});
        world.create_joint(
            {.type = JointType::ball, .first = a, .second = b, .anchor = {0.3f, 0, 0}, .collide = collide});
        run_steps(world, 10);
        EXPECT_EQ(world.measure().contacts, collide ? 1u : 0u);
    }
}

TEST(Joints, ABodyWithoutItsJointFallsFree) {
    World world(without_sleep());
    const BodyId ball = add(world, Sphere{0.3f}, {0, -1, 0});
    const JointId joint = world.create_joint({.first = ball});
    run_for(world, 1);
    EXPECT_NEAR(height(world, ball), -1, 6e-5); // 2e-5
    world.destroy(joint);
    run_for(world, 1);
    EXPECT_NEAR(height(world, ball), -1 - 4.905, 6e-5); // 2e-5
}

TEST(Joints, DestroyingABodyTakesItsJoints) {
    World world(without_sleep());
    const Chain chain = add_chain(world, 3, {});
    world.destroy(chain.links[1]);
    EXPECT_EQ(world.joint_count(), 1u);
    EXPECT_TRUE(world.alive(chain.joints[0]));
    EXPECT_FALSE(world.alive(chain.joints[1]));
    run_for(world, 1);
    EXPECT_NEAR(height(world, chain.links[2]), -4.905, 1e-3);
}

// the molecule of the seed -------------------------------------------------------------------------------------------------

/// How far the balls are from where a rigid cube would have them, after its own best turn and shift.
double shape_error(const World& world, const std::vector<BodyId>& balls, int n) {
    // distances from the middle and along the space diagonals do not depend on the turn
    DVec3 middle;
    for (const BodyId ball : balls)
        middle += (1.0 / static_cast<double>(balls.size())) * position(world, ball);
    double worst = 0;
    for (int i = 0; i < n * n * n; ++i) {
        const DVec3 ideal{2.5 * (i / (n * n) - 0.5 * (n - 1)), 2.5 * (i / n % n - 0.5 * (n - 1)),
                          2.5 * (i % n - 0.5 * (n - 1))};
        const double now = length(position(world, balls[static_cast<std::size_t>(i)]) - middle);
        const double error = std::abs(now - length(ideal));
        worst = error <= worst ? worst : error;
    }
    return worst;
}

TEST(Joints, AMoleculeOfFixedJointsSpinsAsOneBody) {
    const int n = 6;
    World world(in_space());
    const Molecule molecule = add_molecule(world, n);
    // a turn about y of 1 rad/s, as one body
    for (const BodyId ball : molecule.balls) {
        const DVec3 p = position(world, ball);
        world.set_velocity(ball, narrow(DVec3{p.z, 0, -p.x}), {0, 1, 0});
    }
    const WorldMeasure before = world.measure();
    double worst_joint = 0, worst_shape = 0, worst_angle = 0;
    for (int k = 0; k < 60; ++k) {
        run_steps(world, 60);
        worst_joint = std::max(worst_joint, world.measure().joint_error);
        worst_shape = std::max(worst_shape, shape_error(world, molecule.balls, n));
    }
    for (const JointId joint : molecule.joints)
        worst_angle = std::max(worst_angle, static_cast<double>(world.error(joint).angle));
    const WorldMeasure after = world.measure();
    DVec3 mean;
    for (const BodyId ball : molecule.balls) mean += (1.0 / 216) * spin(world, ball);
    report("worst_joint_gap_mm", 1000 * worst_joint);
    report("worst_joint_angle_mrad", 1000 * worst_angle);
    report("worst_shape_error_mm", 1000 * worst_shape);
    report("spin_after_60_s", mean.y);
    report("energy_kept", after.kinetic_energy / before.kinetic_energy);
    EXPECT_LT(worst_joint, 1.5e-4); // 6.3e-5
    EXPECT_LT(worst_angle, 4e-5);   // 1.4e-5
    EXPECT_LT(worst_shape, 3e-4);   // 1.2e-4 of 10.8 m from corner to middle
    EXPECT_NEAR(after.kinetic_energy / before.kinetic_energy, 1, 3e-5); // 1.2e-5
    EXPECT_LT(length(mean - DVec3{0, 1, 0}), 1e-4);                     // 3.6e-5
    EXPECT_LT(length(wide(after.angular_momentum) - wide(before.angular_momentum)),
              2e-5 * length(wide(before.angular_momentum))); // 6.7e-6
}

TEST(Joints, AMoleculeThatFallsOnTheFloorStaysInOnePiece) {
    World world(without_sleep());
    add(world, Plane{}, {0, -6, 0}, {}, {.type = BodyType::fixed});
    const Molecule molecule = add_molecule(world, 3);
    for (const BodyId ball : molecule.balls) world.set_velocity(ball, {0, -5, 0});
    run_for(world, 10);
    EXPECT_TRUE(all_are_finite(world));
    report("joint_gap_mm", 1000 * world.measure().joint_error);
    EXPECT_LT(world.measure().joint_error, 2e-4);           // 7.1e-5
    EXPECT_LT(shape_error(world, molecule.balls, 3), 2e-4); // 6.7e-5
}

} // namespace
} // namespace scree::test
