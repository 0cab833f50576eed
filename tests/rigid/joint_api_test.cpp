// SPDX-License-Identifier: MIT
// joint_api_test.cpp — what every type of joint holds, limits and drives, what it reads back, how it changes and breaks.
#include "scree/error.h"
#include "scree/ragdoll.h"
#include "scree/rollback.h"
#include "scree/worlds.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace scree::test {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
const Quat lying{.z = 0.70710678f, .s = 0.70710678f}; ///< turns y to -x: a cylinder along x

class JointApi : public testing::TestWithParam<Solver> {
protected:
    static WorldSettings settings(Vec3 gravity = {0, -9.81f, 0}) {
        WorldSettings s = without_sleep();
        s.gravity = gravity;
        s.solver = GetParam();
        s.sor_iterations = 60;
        return s;
    }
    static bool is_sor() { return GetParam() == Solver::sor; }
};
INSTANTIATE_TEST_SUITE_P(Solvers, JointApi, testing::Values(Solver::soft_step, Solver::sor),
                         [](const auto& which) {
                             return std::string(which.param == Solver::sor ? "Sor" : "SoftStep");
                         });

// types ----------------------------------------------------------------------------------------------------------------

TEST_P(JointApi, AHingeTurnsBetweenItsLimitsAndReadsItsAngle) {
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, 0});
    const JointId hinge = world.create_joint(
        {.type = JointType::hinge, .first = bar, .axis = {0, 0, 1}, .limit = JointLimit{-0.4f, 1.2f}});
    run_steps(world, 120);
    EXPECT_NEAR(world.state(hinge).coordinate, -0.4f, 0.01f);
    EXPECT_NEAR(world.state(hinge).speed, 0, 0.02f);
    // it carries the bar by its torque about the hinge, and by its weight
    const float weight = 9.81f * world.mass(bar).mass;
    EXPECT_NEAR(world.state(hinge).force.y, weight, 0.02f * weight);
    EXPECT_NEAR(world.state(hinge).torque.z, 0.5f * weight * std::cos(0.4f), 0.03f * weight);
    world.set_velocity(bar, {0, 4, 0}, {0, 0, 8});
    float most = 0;
    for (int k = 0; k < 40; ++k) {
        world.step(frame);
        most = std::max(most, world.state(hinge).coordinate);
    }
    EXPECT_GT(most, 1.1f);
    EXPECT_LT(most, 1.3f);
}

TEST_P(JointApi, AMotorTurnsTheFirstBodyAboutTheAxisAndStallsAtItsTorque) {
    World world(settings({}));
    const BodyId wheel = add(world, Cylinder{0.1f, 0.5f}, {});
    const float inertia = world.mass(wheel).inertia.y;
    const JointId hinge = world.create_joint({.type = JointType::hinge,
                                              .first = wheel,
                                              .drive = JointMotor{.speed = 6, .max_force = 3 * inertia}});
    run_steps(world, 60);
    EXPECT_NEAR(world.state(wheel).angular_velocity.y, 3, 0.03f);
    EXPECT_NEAR(world.state(hinge).torque.y, 3 * inertia, 0.01f * inertia);
    EXPECT_NEAR(world.state(hinge).speed, 3, 0.03f);
    run_steps(world, 90);
    EXPECT_NEAR(world.state(wheel).angular_velocity.y, 6, 0.03f);
}

TEST_P(JointApi, FrictionBrakesAtItsForce) {
    World world(settings({}));
    const BodyId cart = add(world, Box{0.2f, 0.2f, 0.2f}, {}, {}, {.velocity = {4, 0, 0}});
    const float mass = world.mass(cart).mass;
    world.create_joint(
        {.type = JointType::slider, .first = cart, .axis = {1, 0, 0}, .drive = JointFriction{2 * mass}});
    run_steps(world, 60);
    EXPECT_NEAR(world.state(cart).velocity.x, 2, 0.02f);
    run_steps(world, 120);
    EXPECT_NEAR(world.state(cart).velocity.x, 0, 0.001f);
}

TEST_P(JointApi, ASpringOfASliderSwingsAtItsFrequency) {
    World world(settings({}));
    const BodyId cart = add(world, Box{0.2f, 0.2f, 0.2f}, {});
    const JointId slider = world.create_joint(
        {.type = JointType::slider, .first = cart, .axis = {1, 1, 0}, .drive = JointSpring{1, 0.02f, 1}});
    int crossings = 0;
    double before = -1, first = 0, last = 0;
    for (int k = 0; k < 360; ++k) {
        world.step(frame);
        const double at = double{world.state(slider).coordinate} - 1;
        if (before < 0 && at >= 0) (crossings++ ? last : first) = world.time();
        before = at;
        EXPECT_LT(world.error(slider).distance, 1e-3f);
    }
    ASSERT_GE(crossings, 4);
    EXPECT_NEAR((last - first) / (crossings - 1), 1, 0.05);
    EXPECT_GT(position(world, cart).x * position(world, cart).y, 0);
}

TEST_P(JointApi, ARopeARodAndASpringKeepTheirLength) {
    World world(settings());
    std::vector<BodyId> balls;
    for (int k = 0; k < 3; ++k)
        balls.push_back(add(world, Sphere{0.2f}, {1.0f, 0, 3.0f * static_cast<float>(k)}));
    const auto distance = [&](int k) {
        return JointDef{.type = JointType::distance,
                        .first = balls[static_cast<std::size_t>(k)],
                        .anchor = {1, 0, 3.0 * k},
                        .second_anchor = DVec3{0, 0, 3.0 * k}};
    };
    JointDef rope = distance(0), rod = distance(1), spring = distance(2);
    rope.limit = JointLimit{0, 2};
    spring.drive = JointSpring{.hertz = 2, .damping_ratio = 1};
    const JointId ropes = world.create_joint(rope), rods = world.create_joint(rod),
                  springs = world.create_joint(spring);
    EXPECT_FLOAT_EQ(*world.definition(rods).length, 1);
    float longest = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        longest = std::max(longest, world.state(ropes).coordinate);
        EXPECT_NEAR(world.state(rods).coordinate, 1, 0.02f);
    }
    EXPECT_NEAR(longest, 2, 0.03f);
    for (const BodyId ball : balls) world.set_damping(ball, 2, 2);
    run_steps(world, 900);
    for (const BodyId ball : balls) world.set_damping(ball, 0, 0); // it would carry a part
    run_steps(world, 10);
    // at rest the spring is longer by the weight over its stiffness
    const double omega = 2 * std::numbers::pi * 2;
    EXPECT_NEAR(double{world.state(springs).coordinate}, 1 + 9.81 / (omega * omega), 0.01);
    const float weight = 9.81f * world.mass(balls[0]).mass;
    for (const JointId joint : {ropes, rods, springs})
        EXPECT_NEAR(world.state(joint).force.y, weight, 0.02f * weight);
}

TEST_P(JointApi, ABallStaysInItsConeAndTwist) {
    World world(settings());
    const BodyId arm = add(world, Capsule{0.4f, 0.1f}, {0, -0.5f, 0});
    const JointId joint = world.create_joint(
        {.first = arm, .axis = {0, -1, 0}, .limit = JointLimit{-0.2f, 0.4f}, .swing = 0.6f});
    float swing = 0, low = 0, high = 0;
    for (int k = 0; k < 600; ++k) {
        const float side = k % 200 ? 1.0f : -1.0f;
        if (k % 100 == 0) world.set_velocity(arm, {2 * side, 0, 2}, {4, 6 * side, 0});
        world.step(frame);
        const JointState state = world.state(joint);
        swing = std::max(swing, state.rotation.x);
        low = std::min(low, state.coordinate), high = std::max(high, state.coordinate);
    }
    EXPECT_GT(swing, 0.55f);
    EXPECT_LT(swing, 0.68f);
    // the axis points down: a turn about y is the opposite of the twist
    EXPECT_LT(low, -0.18f);
    EXPECT_GT(low, -0.27f);
    EXPECT_GT(high, 0.35f);
    EXPECT_LT(high, 0.47f);
}

TEST_P(JointApi, AConeTakesNothingFromASwingThroughItsAxis) {
    World world(settings());
    const BodyId bob = add(world, Sphere{0.1f}, {std::sin(0.5f), -std::cos(0.5f), 0});
    world.create_joint({.first = bob, .axis = {std::sin(0.5f), -std::cos(0.5f), 0}, .swing = 2});
    world.set_pose(bob, {0.8414710, -0.5403023, 0}, rotation_about(Vec3{0, 0, 1}, 0.5f)); // half a rad out
    double least = 1, most = -1;
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        if (k < 400) continue;
        least = std::min(least, position(world, bob).x);
        most = std::max(most, position(world, bob).x);
    }
    EXPECT_GT(most, is_sor() ? 0.75 : 0.82); // 0.84 at the beginning
    EXPECT_LT(least, is_sor() ? -0.75 : -0.82);
}

TEST_P(JointApi, AWheelSpinsIsSteeredAndCarriesItsLoad) {
    World world(settings());
    const BodyId car = add(world, Box{1, 0.2f, 0.5f}, {0, 2, 0}, {}, {.type = BodyType::fixed});
    const BodyId wheel = add(world, Cylinder{0.1f, 0.4f}, {1.5f, 2, 0}, {},
                             {.rotation = {.x = 0.70710678f, .s = 0.70710678f}});
    JointDef def{.type = JointType::wheel,
                 .first = wheel,
                 .second = car,
                 .anchor = {1.5f, 2, 0},
                 .axis = {0, 0, 1},
                 .drive = JointMotor{.speed = 10, .max_force = 100}};
    def.suspension.drive = JointSpring{.hertz = 2, .damping_ratio = 0.7f};
    const JointId joint = world.create_joint(def);
    run_steps(world, 180);
    EXPECT_NEAR(world.state(wheel).angular_velocity.z, 10, 0.05f);
    EXPECT_NEAR(world.state(joint).speed, 10, 0.05f);
    const float omega = 2 * pi * 2;
    EXPECT_NEAR(world.state(joint).translation.x, -9.81f / (omega * omega), 0.002f) << "hangs in its spring";
    // half a radian to the side: it still spins freely, about the turned axis
    def.steer = {.drive = JointSpring{.hertz = 10, .damping_ratio = 1, .target = 0.5f}};
    world.set_joint(joint, def);
    run_steps(world, 120);
    EXPECT_NEAR(world.state(joint).rotation.x, 0.5f, 0.01f);
    const Vec3 spin = world.state(wheel).angular_velocity;
    EXPECT_NEAR(std::hypot(spin.x, spin.z), 10, 0.1);
    EXPECT_NEAR(spin.y, 0, 0.05f);
    EXPECT_NEAR(std::atan2(spin.x, spin.z), 0.5, 0.01);
    EXPECT_LT(world.error(joint).angle, 0.01f);
}

TEST_P(JointApi, SixAxesLockLimitAndFreeEachByItself) {
    World world(settings({1, -9.81f, 2}));
    const BodyId body = add(world, Box{0.2f, 0.3f, 0.1f}, {0, 1, 0});
    JointDef def{.type = JointType::six_axes, .first = body, .anchor = {0, 1, 0}};
    def.axes[0].limit = JointLimit{-0.5f, 0.5f};
    def.axes[1] = locked_axis;
    def.axes[2].drive = JointFriction{1e6f};
    def.axes[3] = locked_axis;
    def.axes[4].drive = JointMotor{.speed = 3}; // about y, without end: it is not the middle one
    def.axes[5] = locked_axis;
    const JointId joint = world.create_joint(def);
    run_steps(world, 240);
    const JointState state = world.state(joint);
    EXPECT_NEAR(state.translation.x, 0.5f, 0.01f);
    EXPECT_NEAR(state.translation.y, 0, 0.005f);
    EXPECT_NEAR(state.translation.z, 0, 0.01f);
    EXPECT_NEAR(world.state(body).angular_velocity.y, 3, 0.02f);
    EXPECT_NEAR(state.rotation.x, 0, 0.01f);
    EXPECT_NEAR(state.rotation.z, 0, 0.01f);
    EXPECT_NEAR(position(world, body).x, 0.5, 0.01)
        << "along the axes of the world, not of the body that turns";
}

TEST_P(JointApi, AUniversalJointTurnsPastRightAngles) {
    World world(settings({}));
    const BodyId body = add(world, Box{0.2f, 0.3f, 0.1f}, {}, {}, {.angular_velocity = {2, 0, 0}});
    JointDef def{.type = JointType::six_axes, .first = body};
    for (const std::size_t k : {0u, 1u, 2u, 4u}) def.axes[k] = locked_axis; // x and z turn
    const JointId joint = world.create_joint(def);
    for (int k = 0; k < 300; ++k) {
        world.step(frame);
        ASSERT_LT(world.error(joint).angle, 0.02f) << k;
    }
    EXPECT_NEAR(world.state(body).angular_velocity.x, 2, 0.1f);
}

TEST_P(JointApi, APoseIsReachedAndHeldWithNoMoreThanItsForce) {
    World world(settings());
    const BodyId body = add(world, Box{0.2f, 0.3f, 0.1f}, {});
    const Quat turned = rotation_about(Vec3{1, 2, 3}, 2.0f);
    JointDef def{.type = JointType::pose, .first = body};
    def.pose = {.position = {1, 2, 3}, .rotation = turned, .hertz = 4};
    const JointId joint = world.create_joint(def);
    run_steps(world, 240);
    const DVec3 at = position(world, body);
    const double sag = 9.81 / std::pow(2 * std::numbers::pi * 4, 2);
    EXPECT_NEAR(at.x, 1, 0.01);
    EXPECT_NEAR(at.y, 2 - sag, 0.005);
    EXPECT_NEAR(at.z, 3, 0.01);
    const Quat q = world.state(body).rotation;
    EXPECT_NEAR(std::abs(q.x * turned.x + q.y * turned.y + q.z * turned.z + q.s * turned.s), 1, 1e-4);
    // another target; then too weak to carry the body
    def.pose.position = {0, 5, 0};
    world.set_joint(joint, def);
    run_steps(world, 240);
    EXPECT_NEAR(position(world, body).y, 5 - sag, 0.01);
    def.pose.max_force = 0.5f * 9.81f * world.mass(body).mass;
    world.set_joint(joint, def);
    world.set_velocity(body, {});
    const double from = position(world, body).y;
    run_steps(world, 60);
    EXPECT_NEAR(from - position(world, body).y, 0.25 * 9.81, 0.25) << "half its weight is left";
}

TEST_P(JointApi, FramesOfTheBodiesSayWhereAJointIs) {
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {7, 3, 2}, {}, {.rotation = lying});
    const BodyId post = add(world, Box{0.1f, 1, 0.1f}, {0, 1, 0}, {}, {.type = BodyType::fixed});
    const JointFrame frames[2] = {{{-0.5f, 0, 0}, {}}, {{0, 1, 0}, {}}};
    const JointId joint = world.create_joint({.type = JointType::hinge,
                                              .first = bar,
                                              .second = post,
                                              .frames = std::array{frames[0], frames[1]},
                                              .drive = JointFriction{20}});
    run_steps(world, 600);
    EXPECT_LT(world.error(joint).distance, 0.005f);
    EXPECT_LT(world.error(joint).angle, 0.01f);
    EXPECT_NEAR(position(world, bar).z, 0, 0.01);
}

TEST_P(JointApi, ForcesOfAFixedJointAreThoseOfABeam) {
    World world(settings());
    const BodyId beam = add(world, Box{1, 0.1f, 0.1f}, {1, 0, 0});
    const JointId joint = world.create_joint({.type = JointType::fixed, .first = beam});
    run_steps(world, 240);
    const float weight = 9.81f * world.mass(beam).mass;
    const JointState state = world.state(joint);
    EXPECT_NEAR(state.force.y, weight, 0.005f * weight);
    EXPECT_NEAR(state.torque.z, weight, 0.01f * weight) << "1 m from the wall to the centre";
}

// changes --------------------------------------------------------------------------------------------------------------

TEST_P(JointApi, ALimitThatIsTakenAwayLeavesNoForceBehind) {
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, 0});
    JointDef def{.type = JointType::hinge, .first = bar, .axis = {0, 0, 1}, .limit = JointLimit{-0.1f, 0.1f}};
    const JointId hinge = world.create_joint(def);
    run_steps(world, 60);
    def.limit = {};
    world.set_joint(hinge, def);
    EXPECT_FALSE(world.definition(hinge).limit.has_value());
    double lowest = 0;
    for (int k = 0; k < 120; ++k) {
        world.step(frame);
        lowest = std::min(lowest, position(world, bar).y);
    }
    EXPECT_LT(lowest, -0.49) << "it swings through below";
    EXPECT_NEAR(world.state(hinge).torque.z, 0, 0.1f);
}

TEST(JointChanges, OnlyAChangeThatMayMoveABodyWakesIt) {
    World world(default_settings());
    add_floor(world);
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    JointDef def{.type = JointType::slider, .first = box, .limit = JointLimit{-1, 1}};
    const JointId joint = world.create_joint(def);
    run_steps(world, 120);
    ASSERT_TRUE(world.state(box).asleep);
    world.set_joint(joint, def);
    EXPECT_TRUE(world.state(box).asleep);
    def.break_force = 1e9f;
    def.user_data = 7;
    world.set_joint(joint, def);
    EXPECT_TRUE(world.state(box).asleep);
    EXPECT_EQ(world.user_data(joint), 7u);
    def.drive = JointMotor{.speed = 1};
    world.set_joint(joint, def);
    EXPECT_FALSE(world.state(box).asleep);
    run_steps(world, 30);
    EXPECT_GT(position(world, box).y, 0.7);
}

TEST(JointChanges, BodiesCollideOrNotAsTheJointSays) {
    World world(without_sleep());
    add_floor(world);
    const BodyId low = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}),
                 high = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 1.6f, 0});
    JointDef def{.type = JointType::slider, .first = high, .second = low, .collide = true};
    const JointId joint = world.create_joint(def);
    run_steps(world, 60);
    EXPECT_NEAR(position(world, high).y, 1.5, 0.01);
    def.collide = false;
    world.set_joint(joint, def);
    run_steps(world, 60);
    EXPECT_LT(position(world, high).y, 0.6) << "through the other, down to the floor";
    def.collide = true;
    world.set_joint(joint, def);
    run_steps(world, 60);
    EXPECT_GT(length(position(world, high) - position(world, low)), 0.9) << "apart again";
}

// breaking -------------------------------------------------------------------------------------------------------------

TEST_P(JointApi, AJointBreaksAtItsForceAndNotBelow) {
    World world(settings());
    const BodyId weak = add(world, Sphere{0.2f}, {0, 0, 0}), strong = add(world, Sphere{0.2f}, {1, 0, 0});
    const float weight = 9.81f * world.mass(weak).mass;
    const JointId breaks = world.create_joint({.first = weak, .break_force = 0.9f * weight});
    const JointId holds =
        world.create_joint({.first = strong, .anchor = {1, 0, 0}, .break_force = 1.1f * weight});
    EXPECT_EQ(world.broken_joints().size(), 0u);
    world.step(frame);
    ASSERT_EQ(world.broken_joints().size(), 1u);
    EXPECT_EQ(world.broken_joints()[0], breaks);
    EXPECT_FALSE(world.alive(breaks));
    run_steps(world, 60);
    EXPECT_TRUE(world.broken_joints().empty());
    EXPECT_TRUE(world.alive(holds));
    EXPECT_LT(position(world, weak).y, -4);
    EXPECT_NEAR(position(world, strong).y, 0, 0.01);
}

TEST_P(JointApi, AFixedJointBreaksAtItsTorque) {
    for (const float share : {0.8f, 2.0f}) { // a load that comes at once is more than its weight
        World world(settings());
        const BodyId beam = add(world, Box{1, 0.1f, 0.1f}, {1, 0, 0});
        const float torque = 9.81f * world.mass(beam).mass;
        const JointId joint =
            world.create_joint({.type = JointType::fixed, .first = beam, .break_torque = share * torque});
        run_steps(world, 30);
        EXPECT_EQ(world.alive(joint), share > 1) << share;
    }
}

// everywhere the same --------------------------------------------------------------------------------------------------

JointDef some_joint(Dice& dice, std::uint32_t k) {
    JointDef def{.type = static_cast<JointType>(k % 8), .first = {}};
    const auto axis = [&](std::uint32_t n) {
        JointAxis a;
        if (n % 5 == 0) return locked_axis;
        if (n % 2) a.limit = JointLimit{-0.4f, 0.3f};
        if (n % 3 == 0) a.drive = JointMotor{1, 30};
        if (n % 3 == 1) a.drive = JointSpring{3, 0.4f, 0.1f};
        return a;
    };
    def.axis = dice.in_box({-1, -1, -1}, {1, 1, 1});
    if (def.type == JointType::ball) def.swing = 0.5f;
    if (def.type != JointType::fixed && def.type != JointType::six_axes && def.type != JointType::pose) {
        const JointAxis motion = axis(1 + k / 8);
        if (def.type != JointType::wheel && !(def.type == JointType::distance && motion.limit))
            def.limit = motion.limit;
        def.drive = motion.drive;
    }
    if (def.type == JointType::wheel) def.steer = axis(k / 8 + 2);
    if (def.type == JointType::six_axes)
        for (std::uint32_t n = 0; n < 6; ++n) def.axes[n] = axis(n + k);
    if (def.type == JointType::pose) def.pose = {.position = {0.3f, 1, 0}, .hertz = 2, .max_force = 300};
    if (k % 5 == 0) def.break_force = 400, def.break_torque = 300;
    return def;
}

/// Joints of every type between falling bodies; some are changed and some break on the way. Returns hash and what broke.
std::pair<std::uint64_t, std::uint32_t> busy_day(const WorldSettings& settings, const Place& place,
                                                 bool restored) {
    World world(settings, place);
    add_floor(world);
    Dice dice(11);
    std::vector<BodyId> bodies;
    std::vector<JointId> joints;
    std::uint64_t seen = 0;
    for (std::uint32_t k = 0; k < 64; ++k) {
        bodies.push_back(
            add(world, Box{0.2f, 0.3f, 0.1f}, dice.in_box({-3, 1, -3}, {3, 6, 3}), {},
                {.rotation = dice.rotation(), .angular_velocity = dice.in_box({-4, -4, -4}, {4, 4, 4})}));
        JointDef def = some_joint(dice, k);
        def.first = bodies.back();
        if (k % 3) def.second = bodies[k / 2];
        def.anchor = world.state(bodies.back()).position;
        if (def.type == JointType::distance) def.second_anchor = def.anchor + DVec3{0.5, 0.2, 0};
        joints.push_back(world.create_joint(def));
    }
    std::uint32_t broken = 0;
    for (int k = 0; k < 90; ++k) {
        world.step(frame);
        for (const JointId id : world.broken_joints()) seen = seen * 31 + id.index, ++broken;
        if (k % 10 == 4) {
            const auto n = static_cast<std::uint32_t>(k);
            for (std::uint32_t j = n % 7; j < joints.size(); j += 7) {
                if (!world.alive(joints[j])) continue;
                JointDef def = some_joint(dice, 8 * (n + j) + j % 8);
                def.collide = (n + j) % 3 == 0;
                world.set_joint(joints[j], def);
            }
        }
        if (restored && k == 47) world = World::restore(world.save(), place);
        for (std::uint32_t j = 0; j < joints.size(); j += 9)
            if (world.alive(joints[j])) {
                const JointState state = world.state(joints[j]);
                seen = seen * 31 + std::bit_cast<std::uint32_t>(state.coordinate);
                seen = seen * 31 + std::bit_cast<std::uint32_t>(state.force.y);
                seen = seen * 31 + std::bit_cast<std::uint32_t>(state.torque.z);
                seen = seen * 31 + std::bit_cast<std::uint32_t>(state.speed);
            }
    }
    EXPECT_TRUE(all_are_finite(world));
    return {world.hash() ^ seen, broken};
}

TEST_P(JointApi, AllTypesGiveTheSameBitsOnLanesThreadsAndDevices) {
    const SplitSmallWorlds split_small;
    const WorldSettings s = settings();
    const auto expected = busy_day(s, on(1), false);
    EXPECT_GT(expected.second, 2u) << "some joints were to break";
    for (const Place& place : places_of_all_lanes())
        EXPECT_EQ(busy_day(s, place, false), expected) << place.lanes() << " lanes";
    for (const std::string& device : kernel_devices())
        EXPECT_EQ(busy_day(s, on_device(device), false), expected) << device;
    EXPECT_EQ(busy_day(s, on(1), true), expected) << "restored";
    for (const std::string& device : kernel_devices())
        EXPECT_EQ(busy_day(s, on_device(device), true), expected) << device << ", restored";
}

TEST(JointCopies, RollbackBringsBrokenJointsBack) {
    for (const Place& place : {on(1), on_device("cpu:kernels")}) {
        World world(without_sleep(), place);
        const BodyId ball = add(world, Sphere{0.2f}, {});
        const JointId joint =
            world.create_joint({.first = ball, .break_force = 5 * 9.81f * world.mass(ball).mass});
        Rollback ring(world, 4);
        world.step(frame);
        ring.save();
        const auto blow = [&] {
            world.apply_impulse(ball, {0, 20 * world.mass(ball).mass, 0});
            world.step(frame);
        };
        blow();
        ASSERT_EQ(world.broken_joints().size(), 1u);
        const std::uint64_t hash = world.hash();
        ring.restore(0);
        EXPECT_TRUE(world.alive(joint));
        EXPECT_TRUE(world.broken_joints().empty());
        blow();
        EXPECT_FALSE(world.alive(joint));
        EXPECT_EQ(world.hash(), hash);
    }
}

TEST(JointCopies, JointsOfManyWorldsBreakEachByItself) {
    for (const Place& place : {on(2), on_device("cpu:kernels")}) {
        Worlds worlds(3, without_sleep(), place);
        std::vector<JointId> joints;
        for (std::uint32_t n = 0; n < 3; ++n) {
            const BodyId ball = add(worlds[n], Sphere{0.2f}, {});
            const float weight = 9.81f * worlds[n].mass(ball).mass;
            joints.push_back(
                worlds[n].create_joint({.first = ball, .break_force = (n == 1 ? 0.5f : 2) * weight}));
        }
        worlds.step(frame);
        for (std::uint32_t n = 0; n < 3; ++n) {
            EXPECT_EQ(worlds[n].broken_joints().size(), n == 1 ? 1u : 0u);
            EXPECT_EQ(worlds[n].alive(joints[n]), n != 1);
        }
    }
}

TEST(JointCopies, ADefinitionComesBackFromASnapshot) {
    World world(without_sleep());
    const BodyId body = add(world, Sphere{0.2f}, {});
    JointDef def{.type = JointType::wheel, .first = body, .axis = {1, 0, 0}, .drive = JointMotor{.speed = 2}};
    def.suspension = {}; // free, unlike that of a new definition
    def.steer = {.limit = JointLimit{-unlimited, 0.5f}, .drive = JointFriction{3}};
    def.break_torque = 500;
    const JointId joint = world.create_joint(def);
    const World copy = World::restore(world.save());
    const JointDef back = copy.definition(joint);
    EXPECT_EQ(back.suspension, def.suspension);
    EXPECT_EQ(back.steer, def.steer);
    EXPECT_EQ(back.drive, def.drive);
    EXPECT_EQ(back.break_force, unlimited);
    EXPECT_EQ(back.break_torque, 500);
}

TEST(JointDefinitions, AJointMadeFromADefinitionIsTheSame) {
    World world(without_sleep());
    Dice dice(3);
    for (std::uint32_t k = 0; k < 24; ++k) {
        const BodyId a = add(world, Sphere{0.2f}, dice.in_box({-3, 1, -3}, {3, 6, 3})),
                     b = add(world, Sphere{0.2f}, dice.in_box({-3, 1, -3}, {3, 6, 3}));
        JointDef def = some_joint(dice, k);
        def.first = a, def.second = b;
        const JointDef first = world.definition(world.create_joint(def));
        const JointDef second = world.definition(world.create_joint(first));
        EXPECT_EQ(first.limit, second.limit);
        EXPECT_EQ(first.drive, second.drive);
        EXPECT_EQ(first.swing, second.swing);
        EXPECT_EQ(first.axes, second.axes);
        EXPECT_EQ(first.length, second.length);
        EXPECT_EQ(first.break_force, second.break_force);
        EXPECT_LT(length(wide(first.axis - second.axis)), 1e-5);
        EXPECT_LT(length(first.anchor - second.anchor), 1e-6);
    }
}

// bad input ------------------------------------------------------------------------------------------------------------

std::string refused(World& world, const JointDef& joint) {
    const std::uint32_t count = world.joint_count();
    try {
        world.create_joint(joint);
    } catch (const Error& error) {
        EXPECT_EQ(world.joint_count(), count);
        return std::string(error.where());
    }
    return "";
}

TEST(JointsRefused, BadDefinitionsAreNamed) {
    World world(default_settings());
    const BodyId body = add(world, Sphere{0.2f}, {});
    const float nan = std::nanf("");
    using T = JointType;
    const auto where = [&](JointDef joint) {
        joint.first = body;
        return refused(world, joint);
    };
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .limit = JointLimit{1, -1}}), "limit.low");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .limit = JointLimit{nan, 1}}), "limit.low");
    EXPECT_EQ(where({.type = T::slider, .first = {}, .limit = JointLimit{unlimited, unlimited}}),
              "limit.low");
    EXPECT_EQ(where({.type = T::slider, .first = {}, .limit = JointLimit{-unlimited, -unlimited}}),
              "limit.high");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .axis = {}}), "axis");
    EXPECT_EQ(where({.type = T::slider, .first = {}, .axis = {}}), "axis");
    EXPECT_EQ(where({.first = {}, .axis = {}, .swing = 1}), "axis");
    EXPECT_EQ(where({.first = {}, .swing = -1}), "swing");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .drive = JointMotor{nan}}), "drive.speed");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .drive = JointMotor{1, -1}}), "drive.max_force");
    EXPECT_EQ(where({.type = T::hinge, .first = {}, .drive = JointSpring{0}}), "drive.hertz");
    EXPECT_EQ(where({.type = T::fixed, .first = {}, .limit = JointLimit{}}), "limit");
    EXPECT_EQ(where({.type = T::fixed, .first = {}, .swing = 1}), "swing");
    EXPECT_EQ(where({.type = T::distance, .first = {}, .length = -1}), "length");
    EXPECT_EQ(where({.type = T::wheel, .first = {}, .axis = {0, 2, 0}}), "up");
    EXPECT_EQ(where({.type = T::wheel, .first = {}, .axis = {1, 0, 0}, .limit = JointLimit{0, 1}}), "limit");
    EXPECT_EQ(where({.first = {}, .break_force = 0}), "break_force");
    EXPECT_EQ(where({.first = {}, .break_torque = nan}), "break_torque");
    JointDef six{.type = T::six_axes, .first = {}};
    six.axes[4].limit = JointLimit{2, 1};
    EXPECT_EQ(where(six), "axes[4].limit.low");
    six.type = T::ball;
    six.axes[4].limit = JointLimit{0, 1};
    EXPECT_EQ(where(six), "axes");
    JointDef pose{.type = T::pose, .first = {}};
    pose.pose.rotation = {0, 0, 0, 0};
    EXPECT_EQ(where(pose), "pose.rotation");
    EXPECT_EQ(refused(world, {.type = T::slider, .first = body, .second = body}), "second");
    const JointId good = world.create_joint({.type = T::hinge, .first = body});
    EXPECT_THROW(world.set_joint(good, {.first = {}, .limit = JointLimit{1, 0}}), Error);
    EXPECT_THROW(world.set_joint(good, {.first = {}, .swing = 1}), Error);
    EXPECT_THROW((void)world.state(JointId{}), Error);
}

TEST(JointsRefused, AJointOfTwoFixedBodiesDoesNothing) {
    World world(without_sleep());
    const BodyId a = add(world, Box{1, 1, 1}, {}, {}, {.type = BodyType::fixed}),
                 b = add(world, Box{1, 1, 1}, {1, 0, 0}, {}, {.type = BodyType::fixed});
    const JointId joint = world.create_joint(
        {.type = JointType::slider, .first = a, .second = b, .drive = JointMotor{.speed = 3}});
    run_steps(world, 10);
    EXPECT_EQ(position(world, a).y, 0);
    EXPECT_EQ(world.state(joint).force, (Vec3{}));
    world.set_type(a, BodyType::dynamic);
    world.set_gravity_scale(a, 0);
    run_steps(world, 60);
    EXPECT_NEAR(position(world, a).y, 3, 0.1) << "a motor without a largest force";
}

// ragdolls -------------------------------------------------------------------------------------------------------------

TEST(Ragdolls, LimbsStayWithinTheirLimits) {
    World world(without_sleep());
    add_floor(world);
    const Ragdoll doll =
        make_ragdoll(world, {.position = {0, 2, 0}, .rotation = rotation_about(Vec3{1, 0, 1}, 1.0f)});
    EXPECT_NEAR(world.mass(doll.bodies[Ragdoll::chest]).mass, 20, 20);
    for (int k = 0; k < 300; ++k) {
        world.step(frame);
        for (const JointId joint : doll.joints) {
            ASSERT_LT(world.error(joint).distance, 0.05f) << k; // when a fast limb is stopped at the floor
            ASSERT_LT(world.error(joint).angle, 0.4f) << k;
        }
    }
    for (const JointId joint : doll.joints) EXPECT_LT(world.error(joint).angle, 0.02f);
    EXPECT_THROW(make_ragdoll(world, {.height = 0}), Error);
}

TEST(Ragdolls, ALimbThatIsStoppedAtTheFloorDoesNotTearItsJoints) {
    const auto fall = [](const Place& place) {
        float worst = 0;
        std::uint64_t hash = 0;
        for (int k = 0; k < 12; ++k) {
            World world(without_sleep(), place);
            add_floor(world);
            const Ragdoll doll = make_ragdoll(
                world, {.position = {0, 5, 0},
                        .rotation = rotation_about(Vec3{1, 0, 1}, 0.5f * static_cast<float>(k))});
            for (int step = 0; step < 90; ++step) {
                world.step(frame);
                for (const JointId joint : doll.joints) worst = std::max(worst, world.error(joint).distance);
            }
            hash = hash * 31 + world.hash();
        }
        return std::pair{worst, hash};
    };
    const auto [worst, hash] = fall(on(1));
    EXPECT_LT(worst, 0.04f) << "m; 0.1 if nothing but the limb is put back";
    for (const std::string& device : kernel_devices()) EXPECT_EQ(fall(on_device(device)).second, hash);
}

} // namespace
} // namespace scree::test
