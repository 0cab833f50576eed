// SPDX-License-Identifier: MIT
// impact_detector_test.cpp — what Solver::impact finds impacts with: boxes, the queue, distances and bounds; and its impulses.
#include "collision/brute.h"
#include "collision/pair_map.h"
#include "collision/pair_queue.h"
#include "collision/sweep_and_prune.h"
#include "collision/time_of_impact.h"
#include "geometry/shapes.h"
#include "impact_judge.h"
#include "rigid/contact_rows.h"
#include "support/rigid_support.h"
#include "support/solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace scree::test {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs_of(const SweepAndPrune& boxes) {
    Pairs out;
    for (const SweepAndPrune::Pair& pair : boxes.pairs())
        if (pair.alive) out.insert({pair.of.first, pair.of.second});
    return out;
}
Pairs by_brute_force(const std::vector<DBox>& boxes, const std::vector<std::uint8_t>& moves) {
    Pairs out;
    for (std::uint32_t a = 0; a < boxes.size(); ++a)
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
            if ((moves[a] || moves[b]) && boxes[a].overlaps(boxes[b])) out.insert({a, b});
    return out;
}
DBox random_box(Dice& dice) {
    const DVec3 low = wide(dice.in_box({0, 0, 0}, {8, 8, 8}));
    return {low, low + wide(dice.in_box({0, 0, 0}, {2, 2, 2}))};
}

TEST(SweepAndPrune, FindsWhatBruteForceFindsInALongRun) {
    Dice dice(5);
    constexpr std::uint32_t count = 60;
    std::vector<DBox> boxes;
    std::vector<std::uint8_t> moves;
    std::vector<std::uint32_t> proxies;
    for (std::uint32_t k = 0; k < count; ++k) {
        boxes.push_back(random_box(dice));
        moves.push_back(k % 3 != 0);
        proxies.push_back(k);
    }
    boxes[0] = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 1, INFINITY}}; // a ground
    SweepAndPrune sweep;
    sweep.rebuild(proxies, moves, boxes);
    EXPECT_EQ(pairs_of(sweep), by_brute_force(boxes, moves));
    Pairs known = pairs_of(sweep);
    for (int step = 0; step < 400; ++step) {
        sweep.clear_changes();
        for (std::uint32_t k = 0; k < count; ++k) {
            if (!moves[k] && (k == 0 || step % 7)) continue; // one that is fixed may be put elsewhere
            const DVec3 way = wide(dice.in_box({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}));
            if (step % 50 == 49 && k % 5 == 0) boxes[k] = random_box(dice);
            else boxes[k] = {boxes[k].low + way, boxes[k].high + way};
            sweep.set(k, boxes[k]);
        }
        const Pairs expected = by_brute_force(boxes, moves);
        ASSERT_EQ(pairs_of(sweep), expected) << step;
        ASSERT_EQ(sweep.pair_count(), expected.size());
        // changes tell the same story
        for (const std::uint32_t slot : sweep.began())
            if (sweep.pairs()[slot].alive)
                known.insert({sweep.pairs()[slot].of.first, sweep.pairs()[slot].of.second});
        std::size_t lists = 0;
        for (std::uint32_t k = 0; k < count; ++k) lists += sweep.pairs_of(k).size();
        ASSERT_EQ(lists, 2 * expected.size());
        EXPECT_TRUE(std::includes(known.begin(), known.end(), expected.begin(), expected.end()));
    }
}

TEST(SweepAndPrune, DoesNotCompareTwoThatDoNotMove) {
    Dice dice(6);
    std::vector<DBox> boxes;
    std::vector<std::uint8_t> moves(40);
    std::vector<std::uint32_t> proxies;
    for (std::uint32_t k = 0; k < 40; ++k) boxes.push_back(random_box(dice)), proxies.push_back(k);
    SweepAndPrune sweep;
    sweep.rebuild(proxies, moves, boxes);
    sweep.set(3, random_box(dice));
    EXPECT_EQ(sweep.compared(), 0u);
    sweep.set_moving(3);
    EXPECT_GT(sweep.compared(), 0u);
    EXPECT_EQ(sweep.compared(), 39u);
}

TEST(SweepAndPrune, ABodyThatWakesHasPairsWithWhatStands) {
    const std::vector<DBox> boxes{{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{5, 0, 0}, {6, 1, 1}}};
    SweepAndPrune sweep;
    sweep.rebuild(std::vector<std::uint32_t>{7, 9, 11}, std::vector<std::uint8_t>{0, 0, 0}, boxes);
    EXPECT_TRUE(pairs_of(sweep).empty());
    EXPECT_EQ(sweep.all_pairs(), 0u);
    sweep.set_moving(9);
    EXPECT_EQ(pairs_of(sweep), (Pairs{{7, 9}}));
    EXPECT_EQ(sweep.all_pairs(), 2u);
}

TEST(PairQueue, GivesTheFirstWhateverWasRemovedAndRekeyed) {
    Dice dice(8);
    PairQueue queue;
    std::vector<double> times(200, -1); // -1: not in it
    for (int step = 0; step < 20000; ++step) {
        const auto slot = static_cast<std::uint32_t>(dice.between(0, 199.999));
        if (dice.between(0, 1) < 0.3) {
            queue.remove(slot);
            times[slot] = -1;
        } else {
            times[slot] = std::floor(dice.between(0, 50)); // equal ones too
            queue.put(slot, 1000 - slot, times[slot]);
        }
        ASSERT_EQ(queue.holds(slot), times[slot] >= 0);
        std::size_t first = times.size(), count = 0;
        for (std::size_t k = 0; k < times.size(); ++k) {
            if (times[k] < 0) continue;
            ++count;
            if (first == times.size() || times[k] <= times[first])
                first = k; // the larger slot has the smaller name
        }
        ASSERT_EQ(queue.size(), count);
        if (count) {
            ASSERT_EQ(queue.top().slot, first);
            ASSERT_EQ(queue.top().time, times[first]);
        }
    }
}

TEST(PairMap, HoldsWhatWasAddedAndNotRemoved) {
    Dice dice(9);
    PairMap<int> map;
    std::map<std::uint64_t, int> expected;
    for (int step = 0; step < 20000; ++step) {
        const auto first = static_cast<std::uint64_t>(dice.between(0, 14.999)),
                   second = first + 1 + static_cast<std::uint64_t>(dice.between(0, 14.999));
        const std::uint64_t key = first << 32 | second;
        const auto known = expected.find(key);
        const int* found = map.find(key);
        ASSERT_EQ(found != nullptr, known != expected.end());
        if (found && step % 2) {
            ASSERT_EQ(*found, known->second);
            map.remove(key);
            expected.erase(known);
        } else {
            const auto [value, is_new] = map.add(key);
            ASSERT_EQ(is_new, known == expected.end());
            ASSERT_EQ(*value, is_new ? 0 : known->second);
            *value = expected[key] = step;
        }
        ASSERT_EQ(map.size(), expected.size());
    }
    EXPECT_GT(map.size(), 60u);
    const std::uint64_t bytes = map.bytes();
    map.clear();
    EXPECT_EQ(map.size(), 0u);
    EXPECT_EQ(map.find(expected.begin()->first), nullptr);
    EXPECT_EQ(map.bytes(), bytes);
}

TEST(TimeOfImpact, GjkAgreesWithBruteForceOverPlanes) {
    // the distance of two boxes that are apart is the largest separation over all directions
    Dice dice(12);
    for (int k = 0; k < 30; ++k) {
        const Solid a = solid_box(dice.in_box({0.1f, 0.1f, 0.1f}, {1, 1, 1})),
                    b = solid_box(dice.in_box({0.1f, 0.1f, 0.1f}, {1, 1, 1}));
        const Pose pose{dice.in_box({2, 2, 2}, {3, 3, 3}), dice.rotation()};
        const Gap gap = gap_between(a.geometry, {}, b.geometry, wide(pose));
        const Placed placed(b, pose);
        const auto apart = [&](const DVec3& n) { return -overlap_along(a, placed, n); };
        // climbs from every direction of a sweep's best
        double best = -overlap_by_sweep(a, placed, 2000);
        EXPECT_GE(gap.distance, best - 1e-9);
        EXPECT_NEAR(gap.distance, length(gap.on_b - gap.on_a), 1e-5 * gap.distance);
        EXPECT_NEAR(apart(gap.normal), gap.distance, 1e-5 * gap.distance);
        EXPECT_LT(gap.distance, 1.01 * best + 0.02);
    }
}

TEST(TimeOfImpact, NoSampleBeforeItHasTheShapesTouching) {
    for (const bench::TimeCheck& row : bench::check_impact_times(1, 12, 150)) {
        SCOPED_TRACE(row.first + " " + row.second);
        EXPECT_GT(row.met, 0u);
        EXPECT_LT(row.met, row.pairs + 1);
        EXPECT_EQ(row.late, 0u) << row.closest;
        EXPECT_EQ(row.early, 0u);
        EXPECT_EQ(row.starved, 0u);
    }
}

MovingConvex ball(DVec3 at, DVec3 velocity) {
    MovingConvex m;
    m.shape = {ShapeType::sphere, {}, 0.5f, nullptr};
    m.centre = at;
    m.velocity = velocity;
    return m;
}

TEST(TimeOfImpact, IsExactForSpheresAndFallingOnes) {
    const FirstImpact hit = first_impact(ball({-3, 0, 0}, {2, 0, 0}), ball({3, 0, 0}, {-1, 0, 0}), 1e-9, 10);
    ASSERT_TRUE(hit.found);
    EXPECT_NEAR(hit.time, 5 / 3.0, 1e-8);
    MovingConvex falls = ball({0, 10, 0}, {});
    falls.acceleration = {0, -9.81, 0};
    MovingConvex ground;
    ground.shape.type = ShapeType::plane;
    const FirstImpact landed = first_impact(falls, ground, 1e-9, 10);
    ASSERT_TRUE(landed.found);
    EXPECT_NEAR(landed.time, std::sqrt(2 * 9.5 / 9.81), 1e-8);
    EXPECT_FALSE(first_impact(falls, ground, 1e-9, 1).found);
}

TEST(TimeOfImpact, TheBoundIsFromBelowAndCornersMakeItBetter) {
    // a box that turns about its lower edge, which stands still
    MovingConvex box;
    box.shape = {ShapeType::box, {0.5f, 0.5f, 0.5f}, 0, nullptr};
    box.rotation = rotation_about(DVec3{0, 0, 1}, 0.3);
    const DVec3 edge = rotate(box.rotation, DVec3{-0.5, -0.5, 0});
    box.centre = {0, 1e-4 - edge.y, 0};
    box.spin = {0, 0, -1};
    box.velocity = -cross(box.spin, edge);
    MovingConvex ground;
    ground.shape.type = ShapeType::plane;
    const double simple = simple_approach_bound(box, ground, {0, -1, 0}, 5e-5);
    const double better = approach_bound(box, ground, {0, -1, 0}, 5e-5, 1);
    EXPECT_GT(better, 50 * simple);
    for (int k = 0; k <= 100; ++k)
        EXPECT_GT(gap_between(box.shape, pose_at(box, better * k / 100), ground.shape, {}).distance,
                  5e-5 - 1e-12);
}

TEST(TimeOfImpact, ARollingCylinderIsNotAboutToHitItsGround) {
    MovingConvex wheel;
    wheel.shape = {ShapeType::cylinder, {0, 0.1f, 0}, 0.5f, nullptr};
    wheel.rotation = rotation_about(DVec3{1, 0, 0}, 1.5707963267948966);
    wheel.centre = {0, 0.5001, 0};
    wheel.velocity = {1, 0, 0};
    wheel.spin = {0, 0, -2};
    MovingConvex ground;
    ground.shape.type = ShapeType::plane;
    EXPECT_EQ(approach_bound(wheel, ground, {0, -1, 0}, 5e-5, 1), 1);
}

TEST(TimeOfImpact, TurnsAreRotationsOfAnyAngle) {
    for (const double angle : {0.0, 1e-9, 0.3, 2.0, 7.0, 300.0}) {
        const DQuat q = turn_in({0, angle, 0}, 1), expected = rotation_about(DVec3{0, 1, 0}, angle);
        EXPECT_NEAR(std::abs(q.y * expected.y + q.s * expected.s), 1, 1e-13);
        EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.s * q.s, 1, 1e-14);
        EXPECT_NEAR(rotate(q, DVec3{1, 0, 0}).z, -std::sin(angle), 1e-12);
    }
}

// impulses ----------------------------------------------------------------------------------------------------------------

PushedBody unit_box(DVec3 at, DVec3 velocity, DVec3 spin = {}) {
    return {at, velocity, spin, {1, 1, 1}, {6, 6, 6, 0, 0, 0}};
}
double energy(const PushedBody& b) { return 0.5 * dot(b.velocity, b.velocity) + dot(b.spin, b.spin) / 12; }

TEST(ImpactAnswer, BouncesAtEveryPointAndKeepsMomentum) {
    Dice dice(3);
    for (int k = 0; k < 200; ++k) {
        const double e = k % 3 * 0.5;
        std::array<PushedBody, 2> b{
            unit_box({}, {}, wide(dice.in_box({-2, -2, -2}, {2, 2, 2}))),
            unit_box({0.9, 0.2, 0}, {-3, 0.5, 0}, wide(dice.in_box({-2, -2, -2}, {2, 2, 2})))};
        std::vector<ContactRow> rows(1);
        rows[0].b = 1;
        rows[0].normal = normalized(DVec3{1, dice.between(-0.3, 0.3), dice.between(-0.3, 0.3)});
        rows[0].point = {0.45, dice.between(-0.4, 0.4), dice.between(-0.4, 0.4)};
        rows[0].friction = k % 2 ? 0.4 : 0;
        const std::array<PushedBody, 2> before = b;
        const double approach = dot(relative_speed(b, rows[0]), rows[0].normal);
        if (approach >= 0) continue;
        const ImpactAnswer answer = answer_impact(b, rows, e);
        EXPECT_GT(answer.impulse, 0);
        EXPECT_NEAR(answer.approach, -approach, 1e-12);
        EXPECT_LE(energy(b[0]) + energy(b[1]), energy(before[0]) + energy(before[1]) + 1e-12);
        EXPECT_LE(length(rows[0].friction_impulse), rows[0].friction * rows[0].impulse + 1e-12);
        const double parts = dot(relative_speed(b, rows[0]), rows[0].normal);
        if (rows[0].friction == 0) {
            EXPECT_NEAR(parts, -e * approach, 1e-6);
        } else {
            EXPECT_GT(parts, -1e-9);
        }
        const auto momentum = [](const std::array<PushedBody, 2>& bodies) {
            return bodies[0].velocity + bodies[1].velocity;
        };
        const auto spin = [](const std::array<PushedBody, 2>& bodies) {
            DVec3 sum;
            for (const PushedBody& each : bodies) sum += cross(each.centre, each.velocity) + each.spin / 6;
            return sum;
        };
        EXPECT_LT(length(momentum(b) - momentum(before)), 1e-12);
        EXPECT_LT(length(spin(b) - spin(before)), 1e-12);
    }
}

TEST(ImpactAnswer, SeveralPointsPartWithTheRestitutionHoweverCloseTheyAre) {
    Dice dice(7);
    int answered = 0;
    double worst = 0;
    for (int k = 0; k < 3000; ++k) {
        const double e = k % 3 * 0.5;
        std::array<PushedBody, 2> b;
        for (int side = 0; side < 2; ++side) {
            b[static_cast<std::size_t>(side)] = unit_box(
                {side ? 0.4 : -0.4, dice.between(-0.3, 0.3), dice.between(-0.3, 0.3)},
                wide(dice.in_box({-2, -2, -2}, {2, 2, 2})), wide(dice.in_box({-6, -6, -6}, {6, 6, 6})));
            for (std::size_t axis = 0; axis < 3; ++axis)
                b[static_cast<std::size_t>(side)].inverse_inertia[axis] = dice.between(5, 80);
        }
        b[1].velocity.x -= 3;
        std::vector<ContactRow> rows(2 + static_cast<std::size_t>(k % 4 > 1 ? k % 4 - 1 : 0));
        const double apart = std::pow(10, dice.between(-2.5, -0.6));
        bool all = true;
        double fastest = 0;
        std::vector<double> before;
        for (ContactRow& row : rows) {
            row.b = 1;
            row.normal = {1, 0, 0};
            row.point = {0, dice.between(-apart, apart), dice.between(-apart, apart)};
            before.push_back(dot(relative_speed(b, row), row.normal));
            fastest = std::max(fastest, -before.back());
            all = all && before.back() < 0;
        }
        if (!all) continue; // a point that leaves and is pushed costs energy, which bounds the answer
        ++answered;
        answer_impact(b, rows, e);
        for (std::size_t n = 0; n < rows.size(); ++n) {
            const double wrong = dot(relative_speed(b, rows[n]), rows[n].normal) + e * before[n];
            EXPECT_GE(rows[n].impulse, 0);
            // what is not pushed may leave faster
            worst = std::max(worst, (rows[n].impulse > 0 ? std::abs(wrong) : -wrong) / fastest);
        }
    }
    EXPECT_GT(answered, 1000);
    EXPECT_LT(worst, 1e-8); // sweeps alone: up to 0.02
}

TEST(ImpactAnswer, FrictionStopsSlidingOrIsLimited) {
    for (const double mu : {0.05, 5.0}) {
        // a body that cannot turn, against a wall that cannot move
        std::array<PushedBody, 2> b{PushedBody{}, PushedBody{{}, {1, -1, 0}, {}, {1, 1, 1}, {}}};
        std::vector<ContactRow> rows(1);
        rows[0].b = 1;
        rows[0].normal = {0, 1, 0};
        rows[0].friction = mu;
        (void)answer_impact(b, rows, 0.5);
        EXPECT_NEAR(b[1].velocity.y, 0.5, 1e-9);
        EXPECT_NEAR(b[1].velocity.x, mu > 1 ? 0 : 1 - mu * 1.5, 1e-9);
        EXPECT_EQ(b[0].velocity, DVec3{});
    }
}

TEST(ImpactAnswer, FacesThatMeetFlatPartFlat) {
    std::array<PushedBody, 2> b{unit_box({0, 0, 0}, {1, 0, 0}), unit_box({1, 0, 0}, {-1, 0, 0})};
    std::vector<ContactRow> rows(4);
    for (std::size_t k = 0; k < 4; ++k) {
        rows[k].b = 1;
        rows[k].normal = {1, 0, 0};
        rows[k].point = {0.5, k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5};
        rows[k].friction = 0.5;
    }
    (void)answer_impact(b, rows, 1);
    EXPECT_LT(length(b[0].velocity - DVec3{-1, 0, 0}), 1e-9);
    EXPECT_LT(length(b[1].velocity - DVec3{1, 0, 0}), 1e-9);
    EXPECT_LT(length(b[0].spin) + length(b[1].spin), 1e-9);
}

TEST(ImpactMass, OfATetrahedronIsTheClosedForm) {
    const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const MassProperties mass = mass_of(Hull::from_points(corners), 6);
    EXPECT_NEAR(mass.mass, 1, 1e-6);
    for (const float part : {mass.centre.x, mass.centre.y, mass.centre.z}) EXPECT_NEAR(part, 0.25, 1e-6);
    for (const float part : {mass.inertia.x, mass.inertia.y, mass.inertia.z})
        EXPECT_NEAR(part, 1 / 5.0 - 1 / 8.0, 1e-6);
}

} // namespace
} // namespace scree::test
