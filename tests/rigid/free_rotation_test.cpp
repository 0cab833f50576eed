// SPDX-License-Identifier: MIT
// free_rotation_test.cpp — bodies that nothing twists, against small steps, closed forms and the bounds that they tell.
#include "collision/time_of_impact.h"
#include "geometry/mass.h"
#include "rigid/free_rotation.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

MassProperties box_mass(const Vec3& half) {
    const auto moment = [](float a, float b) { return (a * a + b * b) / 3; };
    return {1, {}, {moment(half.y, half.z), moment(half.z, half.x), moment(half.x, half.y)}, {}};
}
/// Of a box that is turned in its body.
TurningMass some_mass(Dice& dice) {
    const Vec3 half = dice.in_box({0.02f, 0.02f, 0.02f}, {0.5f, 0.5f, 0.5f});
    return turning_mass(placed(box_mass(half), {}, dice.rotation()));
}
DVec3 some_spin(Dice& dice, double most) {
    return normalized(wide(dice.in_box({-1, -1, -1}, {1, 1, 1}))) * dice.between(0.1, most);
}
double energy(const TurningMass& mass, const DQuat& q, const DVec3& spin) {
    const DVec3 own = rotate(conjugate(q), spin);
    return 0.5 * dot(own, times(mass.inertia, own));
}
DVec3 momentum(const TurningMass& mass, const DQuat& q, const DVec3& spin) {
    return rotate(q, times(mass.inertia, rotate(conjugate(q), spin)));
}
double angle_between(const DQuat& a, const DQuat& b) {
    const DQuat q = conjugate(a) * b;
    return 2 * std::asin(std::min(1.0, std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z)));
}

/// The attitude after a time by steps of Runge and Kutta's rule of fourth order.
DQuat by_small_steps(const TurningMass& mass, DQuat q, const DVec3& spin, double time, int steps) {
    const DVec3 l = momentum(mass, q, spin);
    const auto rate = [&](const DQuat& at) {
        const DVec3 w = rotate(at, times(mass.inverse, rotate(conjugate(at), l)));
        const DQuat r = DQuat{w.x, w.y, w.z, 0} * at;
        return DQuat{0.5 * r.x, 0.5 * r.y, 0.5 * r.z, 0.5 * r.s};
    };
    const auto gone = [](const DQuat& a, const DQuat& b, double h) {
        return DQuat{a.x + h * b.x, a.y + h * b.y, a.z + h * b.z, a.s + h * b.s};
    };
    const double h = time / steps;
    for (int k = 0; k < steps; ++k) {
        const DQuat a = rate(q), b = rate(normalized(gone(q, a, h / 2))),
                    c = rate(normalized(gone(q, b, h / 2))), d = rate(normalized(gone(q, c, h)));
        q = normalized(gone(gone(gone(gone(q, a, h / 6), b, h / 3), c, h / 3), d, h / 6));
    }
    return q;
}

TEST(FreeRotation, TurnsAsSmallStepsSayAndKeepsMomentumAndEnergy) {
    Dice dice(1);
    for (int k = 0; k < 60; ++k) {
        const TurningMass mass = some_mass(dice);
        const DQuat q = normalized(wide(dice.rotation()));
        const DVec3 spin = some_spin(dice, k % 3 ? 10 : 200);
        const double time = 1 / 60.0;
        const FreeRotation turn(mass, q, spin, time);
        ASSERT_TRUE(turn.changes());
        const DQuat end = turn.rotation_at(time);
        EXPECT_LT(angle_between(end, by_small_steps(mass, q, spin, time, 4000)), 2e-10);
        const DVec3 now = turn.spin_in(end);
        EXPECT_NEAR(energy(mass, end, now) / energy(mass, q, spin), 1, 1e-11);
        const DVec3 l = momentum(mass, q, spin);
        EXPECT_LT(length(momentum(mass, end, now) - l), 1e-13 * length(l));
    }
}

TEST(FreeRotation, ASymmetricTopPrecessesAboutItsMomentum) {
    // its axis goes round the angular momentum at the rate |L| / I across the axis
    const TurningMass mass = turning_mass({1, {}, {0.2f, 0.3f, 0.2f}, {}});
    const DVec3 spin{1, 6, 0.5}, l = momentum(mass, {}, spin);
    const FreeRotation turn(mass, {}, spin, 0.5);
    for (const double time : {0.01, 0.2, 0.5}) {
        const DVec3 axis = rotate(turn.rotation_at(time), DVec3{0, 1, 0});
        const DVec3 expected = rotate(rotation_about(l, length(l) / double{0.2f} * time), DVec3{0, 1, 0});
        EXPECT_LT(length(axis - expected), 1e-12) << time;
    }
}

TEST(FreeRotation, ABodyOfEqualMomentsHasAConstantSpin) {
    EXPECT_FALSE(FreeRotation(turning_mass({1, {}, {0.1f, 0.1f, 0.1f}, {}}), {}, {1, 2, 3}, 1).changes());
    EXPECT_FALSE(FreeRotation(turning_mass(box_mass({0.1f, 0.2f, 0.3f})), {}, {}, 1).changes());
    // and one that is too fast to be followed
    EXPECT_FALSE(FreeRotation(turning_mass(box_mass({0.1f, 0.2f, 0.3f})), {}, {1e6, 2e6, 3e6}, 1).changes());
}

TEST(FreeRotation, AdvancingChangesNoBit) {
    Dice dice(2);
    for (int k = 0; k < 20; ++k) {
        const TurningMass mass = some_mass(dice);
        FreeRotation turn(mass, normalized(wide(dice.rotation())), some_spin(dice, 150), 1 / 60.0);
        const FreeRotation begin = turn;
        for (int n = 0; n <= 10; ++n) {
            const double time = n / 600.0;
            turn.advance(time);
            ASSERT_EQ(turn.rotation_at(time), begin.rotation_at(time));
        }
    }
}

TEST(FreeRotation, SpinsAndTheirChangesStayWithinTheirBounds) {
    Dice dice(3);
    int followed = 0;
    for (int k = 0; k < 300; ++k) {
        // some are as uneven as a mass may be by its last digits
        const TurningMass mass = k % 4 ? some_mass(dice) : turning_mass({1, {}, {1e-6f, 1, 1.00001f}, {}});
        const double longest = dice.between(0.001, 0.1);
        const FreeRotation turn(mass, normalized(wide(dice.rotation())), some_spin(dice, 30), longest);
        followed += turn.changes();
        for (int n = 0; n <= 20 && turn.changes(); ++n) {
            const DQuat q = turn.rotation_at(longest * n / 20);
            const DVec3 spin = turn.spin_in(q);
            EXPECT_LE(length(spin), turn.most_spin() * (1 + 1e-12));
            const DVec3 twist = cross(momentum(mass, q, spin), spin);
            EXPECT_LE(length(times(mass.inverse, rotate(conjugate(q), twist))),
                      turn.most_change() * (1 + 1e-12));
        }
    }
    EXPECT_GT(followed, 200);
}

// shapes come no nearer along a normal than the bound allows, and some come almost as near
TEST(FreeRotation, TheBoundOfAnApproachHoldsForIt) {
    Dice dice(4);
    double most = 0;
    for (int k = 0; k < 3000; ++k) {
        const TurningMass mass = turning_mass(box_mass({0.5f, 0.03f, 0.1f}));
        MovingConvex a, ground;
        if (k % 3 == 0) a.shape = {ShapeType::box, {0.5f, 0.03f, 0.1f}, 0, nullptr};
        else if (k % 3 == 1) a.shape = {ShapeType::capsule, {0, 0.4f, 0}, 0.1f, nullptr};
        else a.shape = {ShapeType::cylinder, {0, 0.4f, 0}, 0.1f, nullptr};
        ground.shape.type = ShapeType::plane;
        a.rotation = normalized(wide(dice.rotation()));
        a.spin = some_spin(dice, 20);
        // a point of the surface stands still, as where a body turns about a contact
        const DVec3 n{0, -1, 0};
        const Reach reach = extent_along(a, n);
        a.velocity = n * -dot(cross(a.spin, gap_between(a.shape, pose_at(a, 0), ground.shape, {}).on_a), n);
        a.centre = {0, reach.high + 1e-3, 0};
        const double horizon = 1 / 60.0;
        const FreeRotation turn(mass, a.rotation, a.spin, horizon);
        a.most_spin = turn.most_spin(), a.spin_change = turn.most_change();
        const double way = dice.between(1e-4, 5e-3);
        const double bound = approach_bound(a, ground, n, way, horizon);
        const DBox box = way_box(a, bound);
        for (int s = 1; s <= 20; ++s) {
            MovingConvex now = a;
            now.centre = centre_at(a, bound * s / 20);
            now.rotation = turn.rotation_at(bound * s / 20);
            const double come = extent_along(now, n).high - extent_along(a, n).high;
            EXPECT_LE(come, way + 1e-12) << k << " " << bound;
            most = std::max(most, come / way);
            EXPECT_GE(-extent_along(now, n).high, box.low.y - 1e-12);
        }
    }
    EXPECT_GT(most, 0.9);
}

} // namespace
} // namespace scree::test
