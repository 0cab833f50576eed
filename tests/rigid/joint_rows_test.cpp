// SPDX-License-Identifier: MIT
// joint_rows_test.cpp — rows of joints keep their range, follow their drive and its largest force, with both solvers and on
// every device, whatever type of joint may fill them.
#include "rigid/simulation.h"
#include "scree/error.h"
#include "support/rigid_support.h"
#include "world/joints.h"
#include "world/mass_update.h"
#include "world/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::test {
namespace {

struct RowJoint {
    JointDef definition;
    JointRows rows; ///< the anchor is the definition's
};

/// The world with joints of these rows besides its own; it comes back through a snapshot.
World with_rows(const World& world, const std::vector<RowJoint>& joints, const Place& place = on(1)) {
    const auto state = decode_snapshot(world.save(), on(1));
    for (const RowJoint& joint : joints)
        add_joint(*state, joint.definition, [&](const JointDef& def, const DPose&, const DPose&) {
            JointRows rows = joint.rows;
            rows.anchor[0] = rows.anchor[1] = def.anchor;
            return rows;
        });
    update_masses(*state);
    return World::restore(encode_snapshot(*state), place);
}

/// A hinge about z of the world, whose row about the axis is given.
JointRows hinge_rows(const JointRow& about) {
    JointRows rows;
    rows.angular = AngularRows::tilt;
    rows.row.fill(held_row);
    rows.row[5] = about;
    return rows;
}
/// No turn, and no motion but along x of the world, by the row that is given.
JointRows slider_rows(const JointRow& along) {
    JointRows rows;
    rows.row.fill(held_row);
    rows.row[0] = along;
    return rows;
}
JointRows ball_with_cone(float swing, float twist) {
    JointRows rows = hinge_rows({.low = -twist, .high = twist});
    rows.angular = AngularRows::cone;
    rows.row[3] = {.low = 0, .high = swing};
    rows.row[4] = free_row;
    return rows;
}

class JointRowsTest : public testing::TestWithParam<Solver> {
protected:
    static WorldSettings settings(Vec3 gravity = {0, -9.81f, 0}) {
        WorldSettings s = without_sleep();
        s.gravity = gravity;
        s.solver = GetParam();
        s.sor_iterations = 50;
        return s;
    }
};

INSTANTIATE_TEST_SUITE_P(Solvers, JointRowsTest, testing::Values(Solver::soft_step, Solver::sor),
                         [](const auto& which) {
                             return std::string(which.param == Solver::sor ? "Sor" : "SoftStep");
                         });

double angle_about_z(const World& world, BodyId body) {
    const Quat q = world.state(body).rotation;
    return 2 * std::atan2(double{q.z}, double{q.s});
}

// limits ---------------------------------------------------------------------------------------------------------------

TEST_P(JointRowsTest, AHingeStopsAtTheEndsOfItsRange) {
    // a bar that hangs from its end would swing from -90 to 90 degrees about straight down
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, 0});
    World limited = with_rows(world, {{{.first = bar}, hinge_rows({.low = -1.2f, .high = 0.4f})}});
    // the rows measure the second body, the world, against the bar: opposite to the bar's own angle
    double lowest = 0, highest = 0;
    for (int k = 0; k < 600; ++k) {
        limited.step(frame);
        lowest = std::min(lowest, angle_about_z(limited, bar));
        highest = std::max(highest, angle_about_z(limited, bar));
    }
    EXPECT_LT(lowest, -0.39);
    EXPECT_GT(lowest, -0.46);
    EXPECT_NEAR(angle_about_z(limited, bar), -0.4, 0.01) << "it rests on its limit";
    limited.set_velocity(bar, {0, 4, 0}, {0, 0, 8});
    for (int k = 0; k < 60; ++k) {
        limited.step(frame);
        highest = std::max(highest, angle_about_z(limited, bar));
    }
    EXPECT_GT(highest, 1.0) << "it did not come near its other limit";
    EXPECT_LT(highest, 1.3);
}

TEST_P(JointRowsTest, ARopeIsNoLongerThanItsLimit) {
    World world(settings());
    const BodyId ball = add(world, Sphere{0.2f}, {1, 0, 0});
    JointRows rope;
    rope.linear = LinearRows::line;
    rope.row[0] = {.low = 0, .high = 2};
    const auto hangs = [&](const JointDef& def, const DPose& first, const DPose&) {
        JointRows rows = rope;
        rows.anchor[0] = first.position;
        rows.anchor[1] = def.anchor;
        return rows;
    };
    const auto state = decode_snapshot(world.save(), on(1));
    const JointId joint = add_joint(*state, {.first = ball}, hangs);
    World roped = World::restore(encode_snapshot(*state), on(1));
    double longest = 0;
    for (int k = 0; k < 900; ++k) {
        roped.step(frame);
        const double length = std::hypot(position(roped, ball).x, position(roped, ball).y);
        longest = std::max(longest, length);
        EXPECT_NEAR(double{roped.error(joint).distance}, std::max(length - 2, 0.0), 1e-4);
    }
    EXPECT_NEAR(longest, 2, 0.03);
    EXPECT_LT(position(roped, ball).y, -1) << "it swings below its anchor";
}

TEST_P(JointRowsTest, AConeLimitsSwingAndTwist) {
    World world(settings());
    // z points down the arm, and the cone is about it
    const BodyId arm = add(world, Capsule{0.4f, 0.1f}, {0, -0.5f, 0});
    JointRows rows = ball_with_cone(0.6f, 0.3f);
    rows.frame = frame_along({0, -1, 0});
    World limited = with_rows(world, {{{.first = arm}, rows}});
    double most_swing = 0, most_twist = 0;
    for (int k = 0; k < 600; ++k) {
        const float side = k % 200 ? 1.0f : -1.0f;
        if (k % 100 == 0) limited.set_velocity(arm, {2 * side, 0, 2}, {4, 6 * side, 0});
        limited.step(frame);
        const Quat q = limited.state(arm).rotation;
        const double up = 1 - 2 * double{q.x * q.x + q.z * q.z};
        most_swing = std::max(most_swing, std::acos(std::min(up, 1.0)));
        most_twist = std::max(most_twist, 2 * std::abs(std::atan2(double{q.y}, double{q.s})));
    }
    EXPECT_GT(most_swing, 0.55);
    EXPECT_LT(most_swing, 0.68);
    EXPECT_GT(most_twist, 0.27);
    EXPECT_LT(most_twist, 0.36);
}

TEST_P(JointRowsTest, ASliderStaysOnItsAxisBetweenItsEnds) {
    World world(settings({3, -9.81f, 1}));
    const BodyId cart = add(world, Box{0.3f, 0.2f, 0.2f}, {0, 0, 0});
    // the world against the cart: the cart goes from -0.5 to 1
    World rails =
        with_rows(world, {{{.first = cart, .anchor = {0.1f, 0, 0}}, slider_rows({.low = -1, .high = 0.5f})}});
    run_steps(rails, 240);
    DVec3 p = position(rails, cart);
    EXPECT_NEAR(p.x, 1, 0.01);
    EXPECT_NEAR(p.y, 0, 0.01);
    EXPECT_NEAR(p.z, 0, 0.01);
    rails.set_velocity(cart, {-6, 0, 0});
    double least = 1;
    for (int k = 0; k < 60; ++k) {
        rails.step(frame);
        least = std::min(least, position(rails, cart).x);
    }
    EXPECT_NEAR(least, -0.5, 0.03);
}

TEST_P(JointRowsTest, TwoBodiesOnASliderKeepTheirMomentum) {
    // the second hangs far out on the rail of the first: the rail must pull where the second is
    World world(settings({}));
    const BodyId rail = add(world, Box{1, 0.1f, 0.1f}, {}, {}, {.angular_velocity = {0, 0.5f, 1}});
    const BodyId cart = add(world, Box{0.2f, 0.2f, 0.2f}, {1, 0.4f, 0}, {}, {.velocity = {0.5f, 1, 0.2f}});
    World moving = with_rows(world, {{{.first = rail, .second = cart, .anchor = {1, 0.2f, 0}},
                                      slider_rows({.low = -2, .high = 2})}});
    const WorldMeasure before = moving.measure();
    run_steps(moving, 240);
    const WorldMeasure after = moving.measure();
    EXPECT_LT(length(wide(after.momentum) - wide(before.momentum)), 0.01 * length(wide(before.momentum)));
    EXPECT_LT(length(wide(after.angular_momentum) - wide(before.angular_momentum)),
              0.05 * length(wide(before.angular_momentum)));
}

// drives ---------------------------------------------------------------------------------------------------------------

TEST_P(JointRowsTest, AMotorReachesItsSpeedWithItsTorque) {
    World world(settings({}));
    const BodyId wheel =
        add(world, Cylinder{0.1f, 0.5f}, {}, {}, {.rotation = {.x = 0.70710678f, .s = 0.70710678f}});
    const float inertia = world.mass(wheel).inertia.y;
    // a torque that takes two seconds to bring it to 6 rad/s
    World driven =
        with_rows(world, {{{.first = wheel}, hinge_rows({.speed = -6, .max_force = 3 * inertia})}});
    run_steps(driven, 60);
    EXPECT_NEAR(driven.state(wheel).angular_velocity.z, 3, 0.05);
    run_steps(driven, 120);
    EXPECT_NEAR(driven.state(wheel).angular_velocity.z, 6, 0.05);
    driven.set_velocity(wheel, {}, {0, 0, 20});
    run_steps(driven, 60);
    EXPECT_NEAR(driven.state(wheel).angular_velocity.z, 17, 0.1) << "it brakes with no more than its torque";
}

TEST_P(JointRowsTest, AMotorDoesNotLeaveItsRange) {
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, 0});
    const float weight = world.mass(bar).mass * 9.81f;
    // strong enough to lift it, and too weak: it drops on its lower limit
    for (const auto& [torque, end] : {std::pair{2 * weight, 0.7}, std::pair{0.2f * weight, -0.5}}) {
        World driven = with_rows(
            world,
            {{{.first = bar}, hinge_rows({.low = -0.7f, .high = 0.5f, .speed = -2, .max_force = torque})}});
        run_steps(driven, 180);
        EXPECT_NEAR(angle_about_z(driven, bar), end, 0.02) << torque;
        EXPECT_NEAR(driven.state(bar).angular_velocity.z, 0, 0.05) << torque;
    }
}

TEST_P(JointRowsTest, ASpringSwingsWithItsFrequencyAboutItsTarget) {
    World world(settings({}));
    const BodyId cart = add(world, Box{0.2f, 0.2f, 0.2f}, {});
    World sprung = with_rows(
        world,
        {{{.first = cart}, slider_rows({.hertz = 1, .damping = 0.02f, .target = -1, .max_force = 1e9f})}});
    int crossings = 0;
    double before = -1, first = 0, last = 0, most = 0;
    for (int k = 0; k < 360; ++k) {
        sprung.step(frame);
        const double x = position(sprung, cart).x - 1;
        if (before < 0 && x >= 0) (crossings++ ? last : first) = sprung.time();
        before = x;
        if (k < 60) most = std::max(most, x);
    }
    ASSERT_GE(crossings, 4);
    EXPECT_NEAR((last - first) / (crossings - 1), 1, 0.05);
    EXPECT_GT(most, 0.5) << "little of the swing is lost";
    EXPECT_LT(most, 1.0);
}

TEST_P(JointRowsTest, ARangeOfOneValueHoldsIt) {
    World world(settings());
    const BodyId bar = add(world, Box{0.5f, 0.05f, 0.05f}, {0.5f, 0, 0});
    World held = with_rows(world, {{{.first = bar}, hinge_rows({.low = 0.3f, .high = 0.3f})}});
    run_steps(held, 120);
    EXPECT_NEAR(angle_about_z(held, bar), -0.3, 0.01);
}

// everywhere the same --------------------------------------------------------------------------------------------------

/// Common joints of each type and rows of each kind between bodies that fall on a floor, one of them in more joints than
/// there are colours.
World all_kinds(const WorldSettings& settings, const Place& where) {
    World world(settings);
    add_floor(world);
    Dice dice(7);
    std::vector<BodyId> bodies;
    for (int k = 0; k < 60; ++k) {
        BodyDef body{.rotation = dice.rotation(), .angular_velocity = dice.in_box({-4, -4, -4}, {4, 4, 4})};
        if (k % 9 == 0) body.locks.z = true;
        bodies.push_back(add(world, Box{0.2f, 0.3f, 0.1f}, dice.in_box({-3, 1, -3}, {3, 6, 3}), {}, body));
        if (k % 4 == 0)
            world.create_joint({.type = static_cast<JointType>(k / 4 % 3),
                                .first = bodies.back(),
                                .second = k ? bodies[static_cast<std::size_t>(k / 2)] : BodyId{},
                                .anchor = world.state(bodies.back()).position});
    }
    std::vector<RowJoint> joints;
    for (std::size_t k = 1; k < bodies.size(); ++k) {
        JointRows rows;
        const JointRow limit{.low = -0.3f, .high = 0.2f}, motor{.speed = 2, .max_force = 20},
            spring{.low = -1, .high = 1, .hertz = 2, .damping = 0.3f, .target = 0.1f, .max_force = 500};
        switch (k % 6) {
        case 0:
            rows = hinge_rows(limit);
            break;
        case 1:
            rows = hinge_rows(motor);
            break;
        case 2:
            rows = slider_rows(spring);
            break;
        case 3:
            rows = ball_with_cone(0.4f, 0.5f);
            break;
        case 4:
            rows.linear = LinearRows::line;
            rows.row[0] = {.low = 0.5f, .high = 1.5f, .hertz = 3, .target = 1, .max_force = 100};
            break;
        default:
            rows.row = {limit, free_row, motor, spring, limit, held_row};
            break;
        }
        rows.frame = dice.rotation();
        const std::size_t other = k % 4 == 2 ? k / 2 : 0;
        joints.push_back({{.first = bodies[k],
                           .second = other == k ? BodyId{} : bodies[other],
                           .anchor = world.state(bodies[k]).position},
                          rows});
    }
    return with_rows(world, joints, where);
}

TEST_P(JointRowsTest, RowsGiveTheSameBitsOnLanesThreadsAndDevices) {
    const SplitSmallWorlds split_small;
    std::uint64_t expected = 0;
    bool split = false;
    const auto after = [&](const Place& where) {
        World world = all_kinds(settings(), where);
        for (int k = 0; k < 90; ++k) {
            world.step(frame);
            split = split || world.counters().overflow;
        }
        EXPECT_TRUE(all_are_finite(world));
        return world.hash();
    };
    for (const Place& place : places_of_all_lanes()) {
        const std::uint64_t hash = after(place);
        if (!expected) expected = hash;
        EXPECT_EQ(hash, expected) << place.lanes() << " lanes";
    }
    for (const std::string& device : kernel_devices())
        EXPECT_EQ(after(on_device(device)), expected) << device;
    EXPECT_TRUE(split) << "more joints than colours were wanted";
}

TEST_P(JointRowsTest, ARestoredWorldGoesOnWithTheSameBits) {
    World world = all_kinds(settings(), on(1));
    run_steps(world, 30);
    World copy = World::restore(world.save(), on(1));
    run_steps(world, 60);
    run_steps(copy, 60);
    EXPECT_EQ(copy.hash(), world.hash());
}

TEST(JointRowsRefused, RowsThatNobodyCanHoldAreRefused) {
    World world(default_settings());
    const BodyId body = add(world, Sphere{0.2f}, {});
    const auto where = [&](const JointRows& rows) -> std::string {
        try {
            with_rows(world, {{{.first = body}, rows}});
        } catch (const Error& error) {
            return std::string(error.where());
        }
        return "";
    };
    EXPECT_EQ(where(hinge_rows({.low = -1, .high = 1})), "");
    EXPECT_EQ(where(hinge_rows({.low = 1, .high = -1})), "low");
    EXPECT_EQ(where(hinge_rows({.hertz = -1, .max_force = 1})), "hertz");
    EXPECT_EQ(where(hinge_rows({.target = std::nanf(""), .max_force = 1})), "target");
    JointRows line = slider_rows({.low = 0, .high = 1});
    line.linear = LinearRows::line;
    EXPECT_EQ(where(line), "rows");
}

} // namespace
} // namespace scree::test
