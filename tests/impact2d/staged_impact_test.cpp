// SPDX-License-Identifier: MIT
// staged_impact_test.cpp — impacts in stages on the CPU: formulas, stages, single impacts, bad input.
#include "impact2d/scenes.h"
#include "impact2d/world.h"
#include "scree/error.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace scree {
namespace {

using impact2d::Array;
using namespace impact2d::kernels;
using test::error_message;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float pi = 3.14159265f;

std::vector<float> read(StagedImpactWorld& world, Array array) { return world.state().stages->read(array); }

/// The item of an array over pairs, four words.
std::array<float, 4> pair_item(StagedImpactWorld& world, Array array, std::size_t column, std::size_t row) {
    const std::vector<float> all = read(world, array);
    const std::size_t at = 4 * (row * world.body_count() + column);
    return {all[at], all[at + 1], all[at + 2], all[at + 3]};
}

StagedPolygon slab(float half_x, float half_y, Vec2 at) {
    return {.vertices = {{-half_x, -half_y}, {half_x, -half_y}, {half_x, half_y}, {-half_x, half_y}},
            .position = at,
            .mass = infinite};
}

/// Host arrays of two polygons, for the kernels alone.
struct Two {
    explicit Two(const std::vector<StagedPolygon>& bodies)
        : world(bodies), copy(impact2d::copied_to_host(*world.state().stages)), host(*copy) {
        p = world.state().params;
    }
    bool overlap(float time) { return polygons_overlap(1, 0, time, host.view(), p); }

    StagedImpactWorld world;
    std::unique_ptr<impact2d::DeviceStages> copy;
    impact2d::DeviceStages& host;
    ImpactParams p;
};

struct Random {
    std::mt19937 engine{7};
    float operator()(float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(engine);
    }
};

/// Two polygons of different kinds that fly at each other.
std::vector<StagedPolygon> random_pair(Random& random) {
    const int kinds[] = {3, 4, 5, 6, 8};
    std::vector<StagedPolygon> two;
    for (int k = 0; k < 2; ++k) {
        StagedPolygon p;
        p.vertices = regular_polygon(kinds[random.engine() % 5], random(0.4f, 1.2f));
        p.position = {k == 0 ? 0 : random(2.5f, 3.0f), random(-0.6f, 0.6f)};
        p.angle = random(-pi, pi);
        p.velocity = {k == 0 ? random(0.3f, 1.0f) : random(-1.0f, -0.3f), random(-0.2f, 0.2f)};
        p.angular_velocity = random(-0.6f, 0.6f);
        p.mass = random(0.5f, 3.0f);
        two.push_back(p);
    }
    return two;
}

// formulas --------------------------------------------------------------------------------------------------

TEST(StagedImpact, PointVelocityIsTheDerivativeOfTheTransform) {
    Random random;
    for (int trial = 0; trial < 50; ++trial) {
        Two two(random_pair(random));
        const ImpactView w = two.host.view();
        const float h = 1e-2f;
        const Flat local = flat2(random(-1, 1), random(-1, 1));
        const FlatBody now = polygon_body(0, 0, w);
        const Flat at = polygon_out(local, now), after = polygon_out(local, polygon_body(0, h, w)),
                   before = polygon_out(local, polygon_body(0, -h, w));
        const Flat v =
            flat_point_velocity(flat2(now.vx, now.vy), now.omega, flat2(at.x - now.x, at.y - now.y));
        EXPECT_NEAR(v.x, (after.x - before.x) / (2 * h), 1e-4);
        EXPECT_NEAR(v.y, (after.y - before.y) / (2 * h), 1e-4);
        const Flat back = polygon_in(at, now);
        EXPECT_NEAR(back.x, local.x, 1e-5);
        EXPECT_NEAR(back.y, local.y, 1e-5);
    }
    // a quarter turn takes the x axis to the y axis
    Two quarter({{.vertices = regular_polygon(4, 1), .position = {5, 7}, .angle = pi / 2},
                 {.vertices = regular_polygon(4, 1)}});
    const Flat p = polygon_out(flat2(1, 0), polygon_body(0, 0, quarter.host.view()));
    EXPECT_NEAR(p.x, 5, 1e-6);
    EXPECT_NEAR(p.y, 8, 1e-6);
}

TEST(StagedImpact, InertiaOfRegularPolygons) {
    const auto inertia = [](int k) { return polygon_inertia(regular_polygon(k, 1.3f), 2); };
    EXPECT_NEAR(inertia(3), 0.845, 1e-6);
    EXPECT_NEAR(inertia(4), 1.126667, 1e-6);
    EXPECT_NEAR(inertia(6), 1.408333, 1e-6);
    for (int k = 3; k < 20; ++k) {
        const double b = 2 * 1.3 * std::sin(M_PI / k), h = 1.3 * std::cos(M_PI / k);
        EXPECT_NEAR(inertia(k), 2.0 / 24 * (b * b + 12 * h * h), 1e-6);
    }
    const std::vector<Vec2> off{{3, 3}, {5, 3}, {5, 4}, {3, 4}}, centred = centred_polygon(off);
    EXPECT_NEAR(centred[0].x, -1, 1e-6);
    EXPECT_NEAR(polygon_inertia(centred, 12), 4 + 1, 1e-5); // m (a^2 + b^2) / 12
}

TEST(StagedImpact, FreeBodiesKeepTheirVelocities) {
    const std::vector<StagedPolygon> one{{.vertices = regular_polygon(5, 1),
                                          .position = {1, 2},
                                          .angle = 0.5f,
                                          .velocity = {0.25f, -0.5f},
                                          .angular_velocity = 0.125f}};
    StagedImpactWorld world(one);
    for (int k = 0; k < 8; ++k) {
        const StagedReport report = world.step();
        EXPECT_FALSE(report.impact);
        EXPECT_EQ(report.passes, 0); // no impulses are computed
    }
    const StagedPolygon p = world.polygons()[0];
    EXPECT_EQ(p.position.x, 3);
    EXPECT_EQ(p.position.y, -2);
    EXPECT_EQ(p.angle, 1.5f);
    EXPECT_EQ(p.velocity.y, -0.5f); // no gravity
    EXPECT_EQ(p.angular_velocity, 0.125f);
    EXPECT_EQ(world.time(), 8);
}

// detection -------------------------------------------------------------------------------------------------

TEST(StagedImpact, CirclesAreToldApartWithoutRoot) {
    const auto relation = [](float distance) { return circle_relation(distance * distance, 2, 0.005f); };
    EXPECT_EQ(relation(1.99f), -1);
    EXPECT_EQ(relation(1.997f), 0);
    EXPECT_EQ(relation(2.003f), 0);
    EXPECT_EQ(relation(2.01f), 1);
    EXPECT_EQ(relation(0), -1);
}

TEST(StagedImpact, BoxesAreTightAndDropNoPair) {
    Random random;
    int overlaps = 0, dropped = 0;
    for (int trial = 0; trial < 200; ++trial) {
        Two two(random_pair(random));
        two.world.state().find();
        const std::vector<float> boxes = read(two.world, Array::box);
        for (std::uint32_t body = 0; body < 2; ++body) {
            const FlatBody b = polygon_body(body, 1, two.host.view());
            float low = 1e9f, high = -1e9f;
            for (int k = 0; k < b.count; ++k) {
                const Flat v = polygon_out(polygon_vertex(b.first, k, two.host.view()), b);
                low = std::min(low, v.x);
                high = std::max(high, v.y);
            }
            EXPECT_EQ(boxes[4 * body], low);
            EXPECT_EQ(boxes[4 * body + 3], high);
        }
        const bool candidate = read(two.world, Array::candidate)[1] == 1, overlap = two.overlap(1);
        overlaps += overlap;
        dropped += !candidate;
        EXPECT_TRUE(candidate || !overlap);
        if (!candidate) {
            EXPECT_EQ(pair_item(two.world, Array::pair, 1, 0)[3], 2);
        }
    }
    EXPECT_GT(overlaps, 30);
    EXPECT_GT(dropped, 20);
}

TEST(StagedImpact, BisectionBracketsTheFirstImpact) {
    Random random;
    int met = 0;
    for (int trial = 0; trial < 300; ++trial) {
        Two two(random_pair(random));
        two.world.state().find();
        const auto [end, begin, finished, time] = pair_item(two.world, Array::pair, 1, 0);
        EXPECT_EQ(finished, 1);
        if (two.overlap(0) || !two.overlap(1)) {
            EXPECT_EQ(time, 2);
            continue;
        }
        ++met;
        EXPECT_FALSE(two.overlap(time));
        EXPECT_TRUE(two.overlap(end));
        EXPECT_EQ(time, begin);
        EXPECT_EQ(end - begin, 1.0f / 256); // the first power of two below the tolerance of 0.005
    }
    EXPECT_GT(met, 50);
}

TEST(StagedImpact, PassesAndOnePassFindTheSameTimes) {
    const std::vector<StagedPolygon> bodies = impact2d::polygon_scene(40);
    StagedImpactWorld passes(bodies), one(bodies, {.bisection = StagedBisection::one_pass});
    for (int step = 0; step < 60; ++step) {
        passes.step();
        one.step();
        ASSERT_EQ(read(passes, Array::pair), read(one, Array::pair));
    }
    EXPECT_GT(passes.impacts(), 20u);
}

TEST(StagedImpact, ToleranceSetsTheWidth) {
    const std::vector<StagedCircle> two{{.position = {-3, 0}, .velocity = {1, 0}, .radius = 1},
                                        {.position = {-0.63f, 0}, .radius = 1}};
    for (const float tolerance : {0.05f, 0.005f, 0.0005f}) {
        StagedImpactWorld world(two, {.tolerance = tolerance});
        const double time = world.step().advanced; // when the distance is 2 - tolerance
        EXPECT_LE(time, 0.37 + tolerance + 1e-5);
        EXPECT_GT(time, 0.37 - 1e-5);
    }
    EXPECT_NE(error_message([&] { StagedImpactWorld(two, {.tolerance = 0}); }).find("tolerance"),
              std::string::npos);
}

TEST(StagedImpact, LeastOfAnySizeIsExact) {
    Random random;
    for (const std::uint32_t n : {1u, 2u, 3u, 5u, 8u, 17u, 33u}) {
        impact2d::Stages stages({}, impact2d::extents(false, n, 1));
        std::vector<float> pairs(std::size_t{4} * n * n);
        float least = 1e9f;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            pairs[k] = k % 4 == 3 ? random(3, 100) : -5; // only the fourth word counts
            if (k % 4 == 3) least = std::min(least, pairs[k]);
        }
        stages.write(Array::pair, pairs);
        EXPECT_EQ(stages.least(Array::pair), least);
    }
}

TEST(StagedImpact, ContactsAreVerticesOnEdges) {
    // a square above a wide one: two corners on the upper edge, normal from the lower (0) to the upper (1)
    Two flat({slab(4, 1, {0, -1}), {.vertices = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, .position = {0, 1}}});
    const ImpactView w = flat.host.view();
    const FlatContacts c = polygon_contacts(polygon_body(1, 0, w), polygon_body(0, 0, w), w, flat.p);
    ASSERT_EQ(c.count, 2);
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(std::abs(c.x[k]), 1, 1e-6);
        EXPECT_NEAR(c.y[k], 0, 1e-6);
        EXPECT_NEAR(c.nx[k], 0, 1e-6);
        EXPECT_NEAR(c.ny[k], 1, 1e-6);
    }
    // the other way round the normal turns
    const FlatContacts back = polygon_contacts(polygon_body(0, 0, w), polygon_body(1, 0, w), w, flat.p);
    ASSERT_EQ(back.count, 2);
    EXPECT_NEAR(back.ny[0], -1, 1e-6);
    // a corner on an edge: one
    Two corner({slab(4, 1, {0, -1}), {.vertices = regular_polygon(4, 1), .position = {0.3f, 1}}});
    const ImpactView v = corner.host.view();
    const FlatContacts one = polygon_contacts(polygon_body(1, 0, v), polygon_body(0, 0, v), v, corner.p);
    ASSERT_EQ(one.count, 1);
    EXPECT_NEAR(one.x[0], 0.3f, 1e-6);
    EXPECT_NEAR(one.ny[0], 1, 1e-6);
}

TEST(StagedImpact, TheNearestVertexIsAContactWithoutOthers) {
    Two apart({slab(4, 1, {0, -1}), {.vertices = regular_polygon(4, 1), .position = {0.3f, 1.5f}}});
    const ImpactView w = apart.host.view();
    const FlatContacts c = polygon_contacts(polygon_body(1, 0, w), polygon_body(0, 0, w), w, apart.p);
    ASSERT_EQ(c.count, 1);
    EXPECT_NEAR(c.x[0], 0.3f, 1e-6);
    EXPECT_NEAR(c.y[0], 0.5f, 1e-6);
    EXPECT_NEAR(c.ny[0], 1, 1e-6);
}

TEST(StagedImpact, NumberingDoesNotMatter) {
    std::vector<StagedPolygon> bodies = impact2d::polygon_scene(12);
    StagedImpactWorld forward(bodies);
    std::reverse(bodies.begin(), bodies.end());
    StagedImpactWorld backward(bodies);
    for (int step = 0; step < 8; ++step) {
        EXPECT_EQ(forward.step().advanced, backward.step().advanced);
        // the diagonal and what is below it is never computed
        for (std::size_t row = 0; row < forward.body_count(); ++row)
            ASSERT_EQ(pair_item(forward, Array::pair, row / 2, row)[3], 2);
    }
    EXPECT_GT(forward.impacts(), 3u);
    const std::vector<StagedPolygon> a = forward.polygons(), b = backward.polygons();
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_NEAR(a[k].position.x, b[a.size() - 1 - k].position.x, 1e-4);
        EXPECT_NEAR(a[k].velocity.y, b[a.size() - 1 - k].velocity.y, 1e-4);
        EXPECT_NEAR(a[k].angular_velocity, b[a.size() - 1 - k].angular_velocity, 1e-4);
    }
}

// response --------------------------------------------------------------------------------------------------

TEST(StagedImpact, ContactsPartWithTheirRestitution) {
    Random random;
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        int met = 0;
        for (int trial = 0; trial < 100; ++trial) {
            Two two(random_pair(random));
            StagedImpactWorld world(two.world.polygons(), {.restitution = restitution});
            const StagedMeasure before = world.measure();
            const StagedReport report = world.step();
            if (!report.impact) continue;
            const auto time = static_cast<float>(report.advanced);
            const ImpactView w = two.host.view();
            const FlatBody a = polygon_body(1, time, w), b = polygon_body(0, time, w);
            const FlatContacts c = polygon_contacts(a, b, w, two.p);
            FlatBody na = a, nb = b;
            const std::vector<StagedPolygon> after = world.polygons();
            na.vx = after[1].velocity.x, na.vy = after[1].velocity.y, na.omega = after[1].angular_velocity;
            nb.vx = after[0].velocity.x, nb.vy = after[0].velocity.y, nb.omega = after[0].angular_velocity;
            int equal = 0, approaching = 0;
            for (int k = 0; k < c.count; ++k) {
                const Flat at = flat2(c.x[k], c.y[k]), n = flat2(c.nx[k], c.ny[k]);
                const float speed = polygon_speed(a, b, at, n);
                if (speed >= 0) continue;
                ++approaching;
                const float parting = polygon_speed(na, nb, at, n);
                EXPECT_GE(parting, -restitution * speed - 1e-5f);
                equal += std::abs(parting + restitution * speed) < 1e-5f;
            }
            met += approaching > 0;
            EXPECT_GE(equal, approaching > 0);
            const StagedMeasure then = world.measure();
            EXPECT_NEAR(then.momentum_x, before.momentum_x, 1e-5);
            EXPECT_NEAR(then.momentum_y, before.momentum_y, 1e-5);
            EXPECT_NEAR(then.angular_momentum, before.angular_momentum, 3e-5);
            if (restitution == 1) {
                EXPECT_NEAR(then.kinetic_energy, before.kinetic_energy, 1e-5);
            } else {
                EXPECT_LT(then.kinetic_energy, before.kinetic_energy + 1e-6);
            }
        }
        EXPECT_GT(met, 20);
    }
}

TEST(StagedImpact, CornersThatMeetKeepTheEnergy) {
    // two contacts at one place, with normals so different that sweeps over them may end before they agree
    Random random;
    int met = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        std::vector<StagedPolygon> two;
        for (int k = 0; k < 2; ++k)
            two.push_back(
                {.vertices = regular_polygon(3 + static_cast<int>(random.engine() % 4), 1),
                 .position = {k == 0 ? 0 : 2.3f, random(-0.02f, 0.02f)},
                 .angle = (k == 0 ? 0 : pi) + random(-0.1f, 0.1f),
                 .velocity = {k == 0 ? random(0.3f, 1.0f) : random(-1.0f, -0.3f), random(-0.2f, 0.2f)},
                 .angular_velocity = random(-0.6f, 0.6f),
                 .mass = random(0.5f, 3.0f)});
        StagedImpactWorld world(two);
        const StagedMeasure before = world.measure();
        met += world.step().impact;
        const StagedMeasure after = world.measure();
        ASSERT_NEAR(after.kinetic_energy, before.kinetic_energy, 3e-6 * before.kinetic_energy) << trial;
        ASSERT_NEAR(after.angular_momentum, before.angular_momentum, 1e-5) << trial;
    }
    EXPECT_GT(met, 3900);
}

TEST(StagedImpact, PartingBodiesGetNoImpulse) {
    // in contact and separating, or at rest against each other: no impulse
    for (const float speed : {0.0f, 0.2f}) {
        Two two(
            {slab(4, 1, {0, -1}),
             {.vertices = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, .position = {0, 1}, .velocity = {0, speed}}});
        const ImpactView w = two.host.view();
        const FlatBody a = polygon_body(1, 0, w), b = polygon_body(0, 0, w);
        const FlatImpulse j =
            polygon_answer(a, b, polygon_contacts(a, b, w, two.p), impact_nothing(), impact_nothing(), two.p);
        EXPECT_EQ(j.impulse.y, 0);
        EXPECT_EQ(j.turn_a, 0);
    }
}

/// The speed with which a regular polygon leaves a wall that it meets flat with speed 1.
StagedPolygon flat_impact(int k, StagedResponse response, StagedReport& report) {
    const float apothem = std::cos(pi / static_cast<float>(k));
    const std::vector<StagedPolygon> bodies{{.vertices = regular_polygon(k, 1),
                                             .position = {0, apothem + 0.3f},
                                             .angle = -pi / 2 - pi / static_cast<float>(k),
                                             .velocity = {0, -1}},
                                            slab(10, 1, {0, -1})};
    StagedImpactWorld world(bodies, {.response = response});
    report = world.step();
    const std::vector<StagedPolygon> after = world.polygons();
    // the wall stays: infinite mass, infinite moment of inertia
    EXPECT_EQ(after[1].position.y, -1);
    EXPECT_EQ(after[1].velocity.y, 0);
    EXPECT_EQ(after[1].angular_velocity, 0);
    return after[0];
}

TEST(StagedImpact, AFlatImpactReturnsWithoutSpin) {
    for (const int k : {3, 4, 5, 6, 8}) {
        StagedReport report;
        const StagedPolygon p = flat_impact(k, StagedResponse::together, report);
        EXPECT_TRUE(report.impact);
        EXPECT_TRUE(report.settled);
        EXPECT_NEAR(p.velocity.y, 1, 1e-5);
        EXPECT_NEAR(p.velocity.x, 0, 1e-6);
        EXPECT_NEAR(p.angular_velocity, 0, 1e-5);
    }
}

TEST(StagedImpact, SummedImpulsesAreWrongAsKnown) {
    const std::pair<int, float> known[] = {{3, 0}, {4, 0.6f}, {5, 1.108f}, {6, 1.5f}, {8, 2.02f}};
    for (const auto& [k, speed] : known) {
        StagedReport report;
        EXPECT_NEAR(flat_impact(k, StagedResponse::summed, report).velocity.y, speed, 1e-3);
    }
}

/// Two circles that meet a third at rest at the same instant from both sides of its path.
std::vector<StagedCircle> three_circles(float angle) {
    const auto beside = [&](float sign) {
        const Vec2 direction{std::cos(angle), sign * std::sin(angle)};
        return StagedCircle{.position = {-2.3f * direction.x, -2.3f * direction.y},
                            .velocity = {0.6f * direction.x, 0.6f * direction.y},
                            .radius = 1};
    };
    return {{.radius = 1}, beside(1), beside(-1)};
}

TEST(StagedImpact, SimultaneousImpulsesAreSummedFromTheVelocitiesBefore) {
    const float angle = 0.7f; // more than pi/6, so that the two do not touch
    StagedImpactWorld world(three_circles(angle), {.response = StagedResponse::summed});
    ASSERT_TRUE(world.step().impact);
    // equal masses: each alone would hand over its speed of 0.6
    const std::vector<StagedCircle> after = world.circles();
    EXPECT_NEAR(after[0].velocity.x, 2 * 0.6 * std::cos(angle), 1e-5);
    EXPECT_NEAR(after[0].velocity.y, 0, 1e-5);
    EXPECT_NEAR(after[1].velocity.x, 0, 1e-5);
}

TEST(StagedImpact, SimultaneousImpactsArePartedTogether) {
    const float angle = 0.7f;
    const std::vector<StagedCircle> start = three_circles(angle);
    for (const float restitution : {1.0f, 0.5f}) {
        StagedImpactWorld world(start, {.restitution = restitution});
        const double energy = world.measure().kinetic_energy;
        const StagedReport report = world.step();
        EXPECT_GT(report.passes, 1);
        EXPECT_TRUE(report.settled);
        const std::vector<StagedCircle> after = world.circles();
        for (const std::size_t k : {1u, 2u}) {
            const Vec2 n{std::cos(angle), (k == 1 ? 1.0f : -1.0f) * std::sin(angle)};
            const float parting = (after[0].velocity.x - after[k].velocity.x) * n.x +
                                  (after[0].velocity.y - after[k].velocity.y) * n.y;
            EXPECT_NEAR(parting, 0.6 * restitution, 1e-4);
        }
        if (restitution == 1) {
            EXPECT_NEAR(world.measure().kinetic_energy, energy, 1e-4);
        }
        // the sum does not keep the energy
        StagedImpactWorld summed(start, {.restitution = restitution, .response = StagedResponse::summed});
        summed.step();
        if (restitution == 1) {
            EXPECT_GT(std::abs(summed.measure().kinetic_energy - energy), 0.01);
        }
    }
}

TEST(StagedImpact, LaterPairsWaitForTheirTime) {
    const std::vector<StagedCircle> four{{.position = {-5, 5}, .velocity = {0.5f, 0}},
                                         {.position = {-3.8f, 5}},
                                         {.position = {-5, -5}, .velocity = {0.5f, 0}},
                                         {.position = {-3.6f, -5}}};
    for (const StagedResponse response : {StagedResponse::together, StagedResponse::summed}) {
        StagedImpactWorld world(four, {.response = response});
        const StagedReport first = world.step();
        EXPECT_NEAR(first.advanced, 0.4, 0.02);
        EXPECT_NEAR(world.circles()[1].velocity.x, 0.5, 1e-6);
        EXPECT_EQ(world.circles()[3].velocity.x, 0);
        const StagedReport second = world.step(); // a new unit of time from the impact on
        EXPECT_NEAR(world.time(), 0.8, 0.02);
        EXPECT_TRUE(second.impact);
        EXPECT_NEAR(world.circles()[3].velocity.x, 0.5, 1e-6);
    }
}

TEST(StagedImpact, TimeGoesOnWhereContactsTurnIntoEachOther) {
    Random random;
    for (int trial = 0; trial < 150; ++trial) {
        StagedImpactWorld world(random_pair(random), {.restitution = 0});
        for (int step = 0; step < 60; ++step) world.step();
        EXPECT_GT(world.time(), 1) << "trial " << trial;
    }
}

TEST(StagedImpact, ScenesAreSeeded) {
    const auto numbers = [](std::uint32_t seed) {
        std::vector<float> all;
        for (const StagedPolygon& p : impact2d::polygon_scene(20, seed))
            for (const float value : {p.position.x, p.angle, p.velocity.x, p.angular_velocity, p.mass})
                all.push_back(value);
        for (const StagedCircle& c : impact2d::circle_scene(20, seed).circles)
            for (const float value : {c.position.y, c.velocity.y, c.radius, c.mass}) all.push_back(value);
        return all;
    };
    EXPECT_EQ(numbers(1), numbers(1));
    EXPECT_NE(numbers(1), numbers(2));
    const std::vector<StagedPolygon> bodies = impact2d::polygon_scene(20);
    ASSERT_EQ(bodies.size(), 24u); // and four walls
    for (const int k : {3, 4, 5, 6, 8})
        EXPECT_TRUE(std::any_of(bodies.begin(), bodies.end(), [&](const StagedPolygon& p) {
            return p.vertices.size() == static_cast<std::size_t>(k);
        }));
}

TEST(StagedImpact, LongRunsKeepTheEnergy) {
    StagedImpactWorld polygons(impact2d::polygon_scene(24));
    const impact2d::CircleScene scene = impact2d::circle_scene(36);
    StagedImpactWorld circles(scene.circles, {.limit = scene.limit});
    for (StagedImpactWorld* world : {&polygons, &circles}) {
        EXPECT_EQ(world->measure().overlapping_pairs, 0u);
        const double energy = world->measure().kinetic_energy;
        for (int step = 0; step < 600; ++step) ASSERT_TRUE(world->step().settled);
        EXPECT_GT(world->impacts(), 200u);
        EXPECT_NEAR(world->measure().kinetic_energy, energy, 2e-4 * energy);
        EXPECT_LE(world->measure().overlapping_pairs, 1u);
    }
    for (const StagedPolygon& p : polygons.polygons()) { // all in the room
        if (std::isinf(p.mass)) continue;
        EXPECT_LT(std::abs(p.position.x), 5.01f);
        EXPECT_LT(std::abs(p.position.y), 5.01f);
    }
}

TEST(StagedImpact, NoPolygonLeavesTheRoom) {
    // a corner that turns towards an edge ends a step in it: what overlaps by less than the tolerance may not pass through
    StagedImpactWorld world(impact2d::polygon_scene(16));
    for (int step = 0; step < 1500; ++step) world.step();
    for (const StagedPolygon& p : world.polygons()) {
        if (std::isinf(p.mass)) continue;
        EXPECT_LT(std::abs(p.position.x), 4);
        EXPECT_LT(std::abs(p.position.y), 4);
    }
}

TEST(StagedImpact, ABodyInTheEndOfAWallGoesBackTheWayItCame) {
    // the wall on the left ends in the wall above: the corner that is in it is nearer to its upper end than to its side
    StagedPolygon triangle{.vertices = regular_polygon(3, 0.608510971f),
                           .position = {-3.50917292f, 3.66388035f},
                           .angle = 84.2391968f,
                           .velocity = {-0.0850503594f, 0.0950766206f},
                           .angular_velocity = 0.98999244f,
                           .mass = 0.481015116f};
    const std::vector<StagedPolygon> bodies{triangle, slab(1, 4, {-5, 0}), slab(6, 1, {0, 5})};
    StagedImpactWorld world(bodies);
    EXPECT_EQ(world.measure().overlapping_pairs, 1u);
    for (int step = 0; step < 20; ++step) world.step();
    EXPECT_GT(world.time(), 5);
    EXPECT_GT(world.polygons()[0].position.x, -3.5f);
}

// layout ----------------------------------------------------------------------------------------------------

TEST(StagedImpact, PairsWithoutImpactHoldTwo) {
    const std::vector<StagedCircle> three{
        {.position = {-2, 0}, .velocity = {1, 0}}, {.position = {-0.5f, 0}}, {.position = {5, 5}}};
    StagedImpactWorld world(three);
    world.state().find();
    const std::array<float, 4> none{0, 0, 0, 2};
    for (std::size_t column = 0; column < 3; ++column)
        for (std::size_t row = 0; row < 3; ++row)
            if (column != 1 || row != 0) {
                EXPECT_EQ(pair_item(world, Array::pair, column, row), none);
            }
    const auto [nx, ny, unused, time] = pair_item(world, Array::pair, 1, 0);
    EXPECT_EQ(nx, 1); // to the body of the column
    EXPECT_EQ(ny, 0);
    EXPECT_NEAR(time, 0.5, 0.02);
    const std::vector<float> place = read(world, Array::place), motion = read(world, Array::motion);
    EXPECT_EQ(place[3], 0.5f);
    EXPECT_EQ(motion[3], 1);
}

TEST(StagedImpact, AnIndexLeadsToTheVertices) {
    std::vector<StagedPolygon> bodies;
    for (int k = 0; k < 6; ++k)
        bodies.push_back({.vertices = regular_polygon(k == 5 ? 4 : 8, 0.4f),
                          .position = {2.0f * static_cast<float>(k), 0}});
    bodies.push_back({.vertices = regular_polygon(6, 0.4f), .position = {20, 0}, .mass = 2, .inertia = 5});
    bodies.push_back({.vertices = regular_polygon(3, 0.4f), .position = {24, 0}});
    bodies.push_back({.vertices = regular_polygon(5, 0.4f), .position = {28, 0}, .mass = 3});
    StagedImpactWorld world(bodies);
    const std::vector<float> index = read(world, Array::index), vertex = read(world, Array::vertex);
    EXPECT_EQ((std::vector<float>(index.begin() + 24, index.begin() + 28)),
              (std::vector<float>{22, 6, 2, 5}));
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(vertex[4 * 22 + 2 * k], bodies[6].vertices[k].x);
        EXPECT_EQ(vertex[4 * 22 + 2 * k + 1], bodies[6].vertices[k].y);
    }
    EXPECT_EQ(index[28], 25); // a hexagon has three items
    EXPECT_EQ(index[32], 27); // a triangle two, half of the second unused
    EXPECT_EQ(read(world, Array::motion)[0],
              0); // angle, angular velocity, radius: no mass in the fourth word
    EXPECT_EQ(read(world, Array::motion)[3], 0);
}

// what the work printed otherwise: each switch, and what is right ------------------------------------------

TEST(StagedErrata, NormalsAreThoseOfTheImpact) {
    // body 1 of the column flies, body 0 is at rest
    const std::vector<StagedCircle> two{{.position = {3, 0.9f}, .radius = 1},
                                        {.velocity = {1.6f, 0}, .radius = 1}};
    StagedImpactWorld right(two, {.tolerance = 0.01f}),
        printed(two, {.tolerance = 0.01f, .normal_at_start = true});
    const double about = right.measure().angular_momentum;
    EXPECT_EQ(right.step().advanced, 0.765625);
    EXPECT_EQ(printed.step().advanced, 0.765625);
    EXPECT_NEAR(right.circles()[1].velocity.x, 0.3272, 1e-4);
    EXPECT_NEAR(right.circles()[1].velocity.y, -0.6454, 1e-4);
    EXPECT_NEAR(right.measure().angular_momentum, about, 1e-5);
    EXPECT_NEAR(printed.circles()[1].velocity.x, 0.1321, 1e-4);
    EXPECT_NEAR(printed.circles()[1].velocity.y, -0.4404, 1e-4);
    EXPECT_NEAR(printed.measure().angular_momentum, about - 0.539, 1e-3);
    EXPECT_NEAR(printed.measure().kinetic_energy, right.measure().kinetic_energy, 1e-5);
}

TEST(StagedErrata, PolygonsAreTestedBothWays) {
    // the corner of 0 is in the large square 1, no corner of 1 is in 0; the kernel's first body is 1
    const std::vector<StagedPolygon> two{{.vertices = regular_polygon(4, 0.5f), .position = {-2.4f, 0}},
                                         {.vertices = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}}};
    Two bodies(two);
    EXPECT_TRUE(bodies.overlap(0));
    bodies.p.by_vertices = 1;
    EXPECT_TRUE(bodies.overlap(0));
    bodies.p.one_way = 1;
    EXPECT_FALSE(bodies.overlap(0));
    EXPECT_TRUE(polygons_overlap(0, 1, 0, bodies.host.view(), bodies.p)); // in the other order it is seen
}

TEST(StagedErrata, CrossingShapesOverlap) {
    const auto cross = [](int k) {
        Two bodies({{.vertices = regular_polygon(k, 1)},
                    {.vertices = regular_polygon(k, 1), .angle = pi / static_cast<float>(k)}});
        const bool axes = bodies.overlap(0);
        bodies.p.by_vertices = 1;
        return std::pair(axes, bodies.overlap(0));
    };
    EXPECT_EQ(cross(3), std::pair(true, false)); // a star
    EXPECT_EQ(cross(4), std::pair(true, false)); // squares turned by 45 degrees
}

TEST(StagedErrata, PrintedBisectionEndsInAnInvertedInterval) {
    // the corner reaches the slab at 0.37
    const std::vector<StagedPolygon> two{
        slab(4, 1, {0, -1}),
        {.vertices = regular_polygon(4, 1), .position = {0, 1.37f}, .velocity = {0, -1}}};
    StagedImpactWorld right(two, {.tolerance = 0.01f}),
        printed(two, {.tolerance = 0.01f, .bisection = StagedBisection::printed});
    right.state().find();
    printed.state().find();
    const auto [end, begin, finished, time] = pair_item(right, Array::pair, 1, 0);
    EXPECT_EQ(begin, 0.3671875f);
    EXPECT_EQ(end, 0.375f);
    EXPECT_EQ(time, begin);
    const auto wrong = pair_item(printed, Array::pair, 1, 0);
    EXPECT_EQ(wrong[0], 0.25f);
    EXPECT_EQ(wrong[1], 0.5f);
}

TEST(StagedErrata, FastBodiesHaveContacts) {
    // the gap before the impact is the tolerance times the speed: 0.005 is not enough at speed 8
    const auto after = [](bool plain) {
        const std::vector<StagedPolygon> two{
            slab(4, 10, {0, -10}),
            {.vertices = regular_polygon(4, 1), .position = {0, 5.019f}, .velocity = {0, -8}}};
        StagedImpactWorld world(two, {.plain_contacts = plain});
        world.step();
        return world.polygons()[1].velocity.y;
    };
    EXPECT_NEAR(after(false), 8, 1e-4);
    EXPECT_EQ(after(true), -8);
}

TEST(StagedErrata, WallsMeetTheRimAndTurnOnlyWhatLeaves) {
    const std::vector<StagedCircle> one{{.position = {8, 0}, .velocity = {0.9f, 0.3f}, .radius = 1}};
    StagedImpactWorld right(one), printed(one, {.centre_walls = true});
    for (int k = 0; k < 2; ++k) {
        right.step();
        printed.step();
    }
    EXPECT_EQ(right.circles()[0].position.x, 9); // the rim at 10
    EXPECT_EQ(right.circles()[0].velocity.x, -0.9f);
    EXPECT_EQ(right.circles()[0].velocity.y, 0.3f);
    EXPECT_EQ(printed.circles()[0].velocity.x, 0.9f); // the centre has not come to the wall yet
    EXPECT_GT(printed.circles()[0].position.x, 9.5f);

    // a body at the wall that moves inwards goes on; as printed it turns round
    const auto speed = [](bool centre) {
        ImpactParams p{};
        p.centre_walls = centre;
        p.limit = 10;
        return circle_walls(centre ? 10 : 9, -0.5f, 1, p).y;
    };
    EXPECT_EQ(speed(false), -0.5f);
    EXPECT_EQ(speed(true), 0.5f);
}

TEST(StagedErrata, ZeroRestitutionStopsTheRelativeSpeedOnly) {
    const std::vector<StagedCircle> two{{.position = {-1.2f, 0}, .velocity = {0.5f, 0.25f}},
                                        {.position = {0, 0}}};
    StagedImpactWorld world(two, {.restitution = 0});
    ASSERT_TRUE(world.step().impact);
    const std::vector<StagedCircle> after = world.circles();
    EXPECT_GT(after[1].velocity.x, 0.2f); // both go on together along the normal
    const auto normal = pair_item(world, Array::pair, 1, 0);
    EXPECT_NEAR((after[1].velocity.x - after[0].velocity.x) * normal[0] +
                    (after[1].velocity.y - after[0].velocity.y) * normal[1],
                0, 1e-6);
}

TEST(StagedErrata, NoImpactIsTwoNotMinusOne) {
    StagedImpactWorld world(std::vector<StagedCircle>{{}, {.position = {3, 3}}});
    EXPECT_EQ(world.state().find(), 2); // what a minimum needs
}

// bad input -------------------------------------------------------------------------------------------------

TEST(StagedImpact, BadBodiesAreRefusedByName) {
    const auto refused = [](StagedPolygon p, const char* what) {
        const std::vector<StagedPolygon> all{{.vertices = regular_polygon(3, 1)}, p};
        const std::string message = error_message([&] { StagedImpactWorld world(all); });
        EXPECT_NE(message.find("polygons[1]"), std::string::npos) << message;
        EXPECT_NE(message.find(what), std::string::npos) << message;
    };
    const std::vector<Vec2> square = regular_polygon(4, 1);
    refused({.vertices = {square.rbegin(), square.rend()}}, "counter-clockwise");
    refused({.vertices = {{-1, -1}, {1, -1}, {-0.1f, -0.2f}, {-1, 1}}}, "convex");
    std::vector<Vec2> star = regular_polygon(5, 1);
    refused({.vertices = {star[0], star[2], star[4], star[1], star[3]}}, "round once");
    refused({.vertices = {{0, 0}, {1, 0}}}, "3 to 1024");
    refused({.vertices = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, "centre of mass");
    refused({.vertices = square, .mass = 0}, "mass");
    refused({.vertices = square, .velocity = {1, 0}, .mass = infinite}, "finite mass");
    refused({.vertices = square, .velocity = {NAN, 0}}, "velocity");
    // their inverses, and what impulses make of them, are beyond single precision
    for (const float inertia : {1e-40f, 1e20f, -1.0f, NAN})
        refused({.vertices = square, .inertia = inertia}, "1e-24 to 1e19");
    refused({.vertices = regular_polygon(4, 1e-21f)}, "1e-24 to 1e19");
    const std::vector<StagedCircle> out{{.position = {9.8f, 0}}}, none;
    EXPECT_NE(error_message([&] { StagedImpactWorld world(out); }).find("in the room"), std::string::npos);
    EXPECT_NE(error_message([&] { StagedImpactWorld world(none); }).find("no body"), std::string::npos);
    const std::vector<StagedCircle> fine{{}};
    EXPECT_THROW(StagedImpactWorld(fine, {}, "tpu"), Error);
    StagedImpactWorld world(fine);
    EXPECT_NE(error_message([&] { world.step(0); }).find("more than 0, at most 1"), std::string::npos);
}

TEST(StagedImpact, PairsThatOverlapAreIgnoredUntilTheyPart) {
    const std::vector<StagedCircle> two{{.position = {0, 0}, .velocity = {0.25f, 0}},
                                        {.position = {0.5f, 0}}};
    StagedImpactWorld world(two);
    EXPECT_EQ(world.measure().overlapping_pairs, 1u);
    EXPECT_EQ(world.measure().max_overlap, 0.5);
    for (int k = 0; k < 6; ++k) EXPECT_FALSE(world.step().impact);
    EXPECT_EQ(world.circles()[0].velocity.x, 0.25f);
}

TEST(StagedImpact, TheDeepestPairIsNamedWithItsDepth) {
    const std::vector<StagedCircle> circles{
        {.position = {5, 5}}, {.position = {0, 0}}, {.position = {0.75f, 0}}, {.position = {0, 0.5f}}};
    const StagedMeasure round = StagedImpactWorld(circles).measure();
    EXPECT_EQ(round.overlapping_pairs, 3u); // 2 and 3 by a tenth
    EXPECT_EQ(round.deepest, (std::array<std::uint32_t, 2>{1, 3}));
    EXPECT_EQ(round.max_overlap, 0.5);
    // a square on its corner, a quarter of a unit into the face of another one
    const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const float turn = 0.78539816f, half = 1.41421356f;
    const std::vector<StagedPolygon> polygons{
        {.vertices = square, .position = {50, 0}},
        {.vertices = square},
        {.vertices = square, .position = {0.75f + half, 0}, .angle = turn}};
    const StagedMeasure cornered = StagedImpactWorld(polygons).measure();
    EXPECT_EQ(cornered.overlapping_pairs, 1u);
    EXPECT_EQ(cornered.deepest, (std::array<std::uint32_t, 2>{1, 2}));
    EXPECT_NEAR(cornered.max_overlap, 0.25, 1e-6);
}

} // namespace
} // namespace scree
