// SPDX-License-Identifier: MIT
// exact_impact_test.cpp — times of impact by intervals over features, and by them a judge of those from below.
#include "collision/exact_impact.h"
#include "collision/flow.h"
#include "geometry/hull.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace scree::test {
namespace {

using Features = ExactImpact::Features;

MovingConvex box_at(const DVec3& at, const DVec3& velocity = {}) {
    MovingConvex m;
    m.shape = {ShapeType::box, {0.5f, 0.5f, 0.5f}, 0, nullptr};
    m.centre = at;
    m.velocity = velocity;
    return m;
}

TEST(Flow, HoldsTheSumsAndProductsOfWhatItHolds) {
    Dice dice(41);
    for (int round = 0; round < 2000; ++round) {
        const double half = std::pow(10, dice.between(-6, 0));
        const FlowMath math(half);
        // numbers that move within their bounds: at + slope τ + rest sin(w τ)
        struct Number {
            Flow flow;
            double pace;
            double at(double t) const { return flow.at + flow.slope * t + flow.rest * std::sin(pace * t); }
        };
        std::vector<Number> n;
        for (int k = 0; k < 6; ++k)
            n.push_back({{dice.between(-2, 2), dice.between(-3, 3), dice.between(0, 0.3)},
                         dice.between(-50, 50) / half});
        const Flow3 a{n[0].flow, n[1].flow, n[2].flow}, b{n[3].flow, n[4].flow, n[5].flow};
        const Flow product = math.dot(a, b);
        const Flow3 normal = math.cross(a, b), sum = math.subtract(math.add(a, b), b);
        for (int k = -10; k <= 10; ++k) {
            const double t = half * k / 10;
            const DVec3 p{n[0].at(t), n[1].at(t), n[2].at(t)}, q{n[3].at(t), n[4].at(t), n[5].at(t)};
            const auto holds = [&](const Flow& f, double x) {
                return x >= f.at + f.slope * t - f.rest && x <= f.at + f.slope * t + f.rest;
            };
            EXPECT_TRUE(holds(product, dot(p, q)));
            EXPECT_TRUE(holds(normal.x, cross(p, q).x) && holds(normal.y, cross(p, q).y) &&
                        holds(normal.z, cross(p, q).z));
            EXPECT_TRUE(holds(sum.x, p.x));
        }
    }
    // what moves smoothly is known to the second order of the interval
    const FlowMath small(1e-3);
    const Flow f = small.multiply({1, 2, 0}, {3, 4, 0});
    EXPECT_NEAR(f.most(1e-3) - f.least(1e-3), 2 * 1e-3 * 10, 2e-5);
}

TEST(ExactImpact, IsTheClosedFormForEachPairOfFeatures) {
    // faces that meet flat
    ExactImpact hit = exact_impact(box_at({-3, 0.2, 0.1}, {2, 0, 0}), box_at({}), 5, 1e-12, 100000);
    ASSERT_TRUE(hit.found);
    EXPECT_NEAR(hit.time, 1, 1e-11);
    EXPECT_NEAR(hit.normal.x, 1, 1e-12);
    // an edge that falls on another across it: two cubes on their edges
    MovingConvex upper = box_at({0, 5, 0}), lower = box_at({});
    upper.rotation = rotation_about(DVec3{1, 0, 0}, 0.7853981633974483);
    lower.rotation = rotation_about(DVec3{0, 0, 1}, 0.7853981633974483);
    upper.acceleration = {0, -9.81, 0};
    hit = exact_impact(upper, lower, 5, 1e-12, 100000);
    ASSERT_TRUE(hit.found);
    EXPECT_EQ(hit.features, Features::edge_edge);
    EXPECT_NEAR(hit.time, std::sqrt(2 * (5 - std::sqrt(2.0)) / 9.81), 1e-11);
    EXPECT_NEAR(hit.normal.y, -1, 1e-10);
    EXPECT_NEAR(length(hit.point - DVec3{0, std::sqrt(0.5), 0}), 0, 1e-9);
    // a corner of a box that turns about an edge, on a plane that stands: sin of the angle is known
    MovingConvex plate = box_at({});
    plate.shape.size = {1, 0.01f, 1};
    plate.arm = {1, 0, 0};
    plate.spin = {0, 0, -1};
    MovingConvex ground;
    ground.shape.type = ShapeType::plane;
    ground.centre = {0, -1, 0};
    hit = exact_impact(plate, ground, 2, 1e-12, 100000);
    ASSERT_TRUE(hit.found);
    EXPECT_EQ(hit.features, Features::vertex_face);
    // 2 sin θ + 0.01 cos θ = 1
    const double thin = double{0.01f}, far = std::hypot(2.0, thin);
    EXPECT_NEAR(hit.time, std::asin(1 / far) - std::atan2(thin, 2), 1e-10);
    EXPECT_NEAR(hit.point.y, -1, 1e-9);
    // a plane first: the normal is its own
    EXPECT_NEAR(exact_impact(ground, plate, 2, 1e-12, 100000).normal.y, 1, 1e-12);
}

TEST(ExactImpact, TellsWhatOverlapsWhatMissesAndWhatItDidNotFinish) {
    const ExactImpact inside = exact_impact(box_at({0.9, 0, 0}), box_at({}), 1, 1e-12, 1000);
    EXPECT_TRUE(inside.found);
    EXPECT_EQ(inside.time, 0);
    EXPECT_EQ(inside.features, Features::overlap);
    EXPECT_NEAR(inside.separation, -0.1, 1e-6);
    // parallel edges pass each other a micrometre apart
    const ExactImpact past = exact_impact(box_at({-3, 1.000001, 0}, {6, 0, 0}), box_at({}), 1, 1e-12, 100000);
    EXPECT_FALSE(past.found || past.gave_up);
    EXPECT_EQ(past.time, 1);
    MovingConvex turns = box_at({-3, 0, 0}, {2, 0, 0});
    turns.spin = {5, 3, 2};
    const ExactImpact some = exact_impact(turns, box_at({}), 5, 1e-12, 10);
    EXPECT_TRUE(some.gave_up);
    EXPECT_FALSE(some.found);
    EXPECT_LT(some.time, exact_impact(turns, box_at({}), 5, 1e-12, 100000).time);
}

/// Boxes, hulls and a plane that fly and turn.
struct FlatPair {
    MovingConvex a, b;
    std::vector<std::uint32_t> words[2];
};
void make_flat(Dice& dice, bool hull, MovingConvex& out, std::vector<std::uint32_t>& words) {
    if (!hull) {
        out.shape = {ShapeType::box, dice.in_box({0.1f, 0.1f, 0.1f}, {0.5f, 0.5f, 0.5f}), 0, nullptr};
        return;
    }
    std::vector<Vec3> points;
    if (dice.between(0, 1) < 0.7) {
        for (int k = 0; k < 12; ++k) points.push_back(dice.in_box({-0.4f, -0.4f, -0.4f}, {0.4f, 0.4f, 0.4f}));
    } else { // a turned brick, whose corners are not quite in planes
        const Quat turn = dice.rotation();
        const Vec3 half = dice.in_box({0.1f, 0.1f, 0.1f}, {0.5f, 0.5f, 0.5f});
        for (int k = 0; k < 8; ++k)
            points.push_back(rotate(
                turn, Vec3{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z}));
    }
    words = hull_words(Hull::from_points(points).geometry());
    out.shape = {ShapeType::hull, {}, 0, words.data()};
}
void make_pair(Dice& dice, int k, FlatPair& out) {
    out.a = out.b = {};
    make_flat(dice, k & 1, out.a, out.words[0]);
    out.a.rotation = normalized(wide(dice.rotation())), out.a.own = normalized(wide(dice.rotation()));
    out.a.centre = normalized(wide(dice.in_box({-1, -1, -1}, {1, 1, 1}))) * dice.between(1.5, 4);
    const DVec3 aim = wide(dice.in_box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}));
    out.a.velocity = (aim - out.a.centre) * dice.between(0.5, 4);
    const float spin = k % 5 ? 4 : 30;
    out.a.spin = wide(dice.in_box({-spin, -spin, -spin}, {spin, spin, spin}));
    if (k & 2) out.a.acceleration = {0, -9.81, 0};
    if (k & 4) out.a.arm = wide(dice.in_box({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}));
    out.b.rotation = normalized(wide(dice.rotation()));
    if (k % 3 == 0) {
        out.b.shape.type = ShapeType::plane;
        out.b.centre = rotate(out.b.rotation, DVec3{0, -1, 0});
        return;
    }
    make_flat(dice, k % 3 == 1, out.b, out.words[1]);
    out.b.spin = wide(dice.in_box({-4, -4, -4}, {4, 4, 4}));
    out.b.velocity = wide(dice.in_box({-1, -1, -1}, {1, 1, 1}));
}

TEST(ExactImpact, JudgesTheTimesFromBelowOverRandomPairs) {
    Dice dice(42);
    FlatPair pair;
    int met = 0, missed = 0, grazed = 0;
    std::set<Features> seen;
    double farthest = 0, later = 0;
    for (int k = 0; met + missed < 700; ++k) {
        make_pair(dice, k, pair);
        const auto gap_at = [&](double time) {
            return gap_between(pair.a.shape, pose_at(pair.a, time), pair.b.shape, pose_at(pair.b, time))
                .distance;
        };
        constexpr double tolerance = 1e-7;
        if (!(gap_at(0) > tolerance)) continue;
        const ExactImpact exact = exact_impact(pair.a, pair.b, 1, 1e-12, 100000);
        const FirstImpact below = first_impact(pair.a, pair.b, tolerance, 1);
        ASSERT_FALSE(exact.gave_up) << k;
        if (!exact.found) {
            ++missed;
            grazed += below.found; // nearer than the tolerance, without touching
            continue;
        }
        ++met;
        seen.insert(exact.features);
        // from below, and not far
        ASSERT_TRUE(below.found) << k;
        EXPECT_LE(below.time, exact.time + 1e-11) << k;
        later = std::max(later, exact.time - below.time);
        // they touch, by another judge, with the normal of that
        farthest = std::max(farthest, std::abs(gap_at(exact.time)));
        EXPECT_NEAR(exact.separation, 0, 1e-7) << k; // faces of hulls are flat as floats are
        const Gap gap =
            gap_between(pair.a.shape, pose_at(pair.a, below.time), pair.b.shape, pose_at(pair.b, below.time));
        EXPECT_GT(dot(gap.normal, exact.normal), 0.999) << k;
    }
    EXPECT_GT(met, 250);
    EXPECT_GT(missed, 100);
    EXPECT_LE(grazed, 1);
    EXPECT_EQ(seen, (std::set{Features::vertex_face, Features::face_vertex, Features::edge_edge}));
    EXPECT_LT(farthest, 1e-9);
    EXPECT_LT(later, 1e-3);
}

} // namespace
} // namespace scree::test
