// SPDX-License-Identifier: MIT
// impact_test.cpp — single impacts against formulas, order, snapshots and bad input of ImpactWorld.
#include "impact/impact_oracle.h"
#include "scree/error.h"
#include "scree/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace scree {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

ImpactSettings listing(int dimensions, double side) {
    ImpactSettings s;
    s.dimensions = dimensions;
    s.lower = {-side / 2, -side / 2, dimensions == 3 ? -side / 2 : 0};
    s.upper = {side / 2, side / 2, dimensions == 3 ? side / 2 : 0};
    s.list_impacts = true;
    return s;
}

TEST(Impact, TwoParticlesMeetWhenTheirSurfacesDo) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> share(-1, 1);
    int met = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const int dimensions = 2 + trial % 2;
        const double z = dimensions == 3 ? 1 : 0;
        ImpactWorld world(listing(dimensions, 1000));
        ImpactParticle a{{share(random), share(random), z * share(random)},
                         {share(random), share(random), z * share(random)},
                         0.2,
                         1 + share(random) * 0.9};
        ImpactParticle b{{share(random) + 3, share(random), z * share(random)},
                         {share(random) - 1, share(random), z * share(random)},
                         0.5 + 0.4 * share(random),
                         2};
        world.add(a);
        world.add(b);
        world.step(10);
        const DVec3 d = b.position - a.position, v = b.velocity - a.velocity;
        const double sum = a.radius + b.radius, closest = std::clamp(-dot(d, v) / dot(v, v), 0.0, 10.0);
        const bool hits = length(d + v * closest) < sum;
        ASSERT_EQ(world.impacts().size(), hits ? 1u : 0u);
        if (!hits) continue;
        ++met;
        const Impact& hit = world.impacts()[0];
        EXPECT_EQ(hit.a, 0u);
        EXPECT_EQ(hit.b, 1u);
        EXPECT_NEAR(length(d + v * hit.time), sum, 1e-12);
        EXPECT_LE(hit.time, closest);
        EXPECT_NEAR(length(hit.normal - (d + v * hit.time) / sum), 0, 1e-11);
        EXPECT_NEAR(length(hit.point - (a.position + a.velocity * hit.time + hit.normal * a.radius)), 0,
                    1e-11);
        const double reduced = a.mass * b.mass / (a.mass + b.mass);
        EXPECT_NEAR(hit.impulse, -2 * reduced * dot(v, hit.normal), 1e-11);
        EXPECT_NEAR(length(world.particle(1).velocity - b.velocity - hit.normal * (hit.impulse / b.mass)), 0,
                    1e-12);
    }
    EXPECT_GT(met, 50);
}

TEST(Impact, RestitutionScalesTheSpeedOfParting) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
        ImpactSettings s = listing(2, 100);
        s.restitution = restitution;
        ImpactWorld world(s);
        world.add({{0, 0, 0}, {1, 0, 0}, 0.5, 1});
        world.add({{3, 0, 0}, {-1, 0, 0}, 0.5, 3});
        world.step(2);
        EXPECT_NEAR(world.particle(1).velocity.x - world.particle(0).velocity.x, 2 * restitution, 1e-14);
        EXPECT_NEAR(world.measure().momentum.x, -2, 1e-14);
    }
}

TEST(Impact, TheCradlePassesTheSpeedToTheLastBall) {
    ImpactWorld world(listing(3, 100));
    for (int k = 0; k < 5; ++k)
        world.add({{k == 0 ? -3.0 : 0.125 * k, 0, 0}, {k == 0 ? 1.0 : 0.0, 0, 0}, 0.0625});
    const ImpactReport report = world.step(4);
    EXPECT_EQ(report.impacts, 4u);
    for (std::uint32_t k = 0; k < 4; ++k) EXPECT_EQ(world.particle(k).velocity, DVec3{});
    EXPECT_EQ(world.particle(4).velocity, (DVec3{1, 0, 0}));
    for (std::uint32_t k = 0; k < 4; ++k) {
        EXPECT_EQ(world.impacts()[k].time, 3);
        EXPECT_EQ(world.impacts()[k].a, k); // one after the other at the same time
    }
}

TEST(Impact, AnInfiniteMassStaysOnItsWay) {
    ImpactWorld world(listing(2, 100));
    world.add({{0, 0, 0}, {0.25, 0, 0}, 1, infinite});
    world.add({{5, 0, 0}, {-1, 0, 0}, 1, 2});
    world.add({{-40, 0, 0}, {20, 0, 0}, 1, infinite}); // passes the first one without an impact
    world.step(2.5);
    EXPECT_EQ(world.particle(0).velocity, (DVec3{0.25, 0, 0}));
    EXPECT_EQ(world.particle(2).velocity, (DVec3{20, 0, 0}));
    EXPECT_EQ(world.particle(2).position.x, 10);
    EXPECT_NEAR(world.particle(1).velocity.x, 41, 1e-12); // hit by the third at 2.05 s
    EXPECT_EQ(world.measure().impacts, 1u);
}

TEST(Impact, WhatFallsMeetsWhatHangsInTheAir) {
    ImpactSettings s = listing(3, 20);
    s.gravity = {0, -10, 0};
    s.restitution = 0.5;
    s.contact_time = 1e-4;
    ImpactWorld world(s);
    world.add({{0, 0, 0}, {}, 1, infinite});
    world.add({{0, 7, 0}, {}, 1, 2});                 // 5 m above it: a second, at 10 m/s
    world.add({{6, 3, 0}, {0, 0.5, 0}, 1, infinite}); // rises on its way: gravity does not concern it
    world.step(1.5);
    ASSERT_EQ(world.impacts().size(), 1u);
    EXPECT_NEAR(world.impacts()[0].time, 1, 1e-14);
    EXPECT_NEAR(world.impacts()[0].impulse, 2 * 15, 1e-12);
    EXPECT_NEAR(world.particle(1).position.y, 2 + 1.25, 1e-12); // the top of the second arc
    EXPECT_EQ(world.particle(0).position, DVec3{});
    EXPECT_EQ(world.particle(2).position, (DVec3{6, 3.75, 0}));
    // infinitely many bounces until 3 s, of which contact_time leaves a few: then it rests there
    EXPECT_LT(world.step(3).left, 1e-15);
    EXPECT_NEAR(world.particle(1).position.y, 2, 1e-7);
    EXPECT_LT(world.measure().max_overlap, 1e-12);
}

TEST(Impact, FlightsAmongPinsNeverEnterThem) {
    // every impact is where the surfaces meet, and energy goes by restitution alone
    std::mt19937 random(11);
    std::uniform_real_distribution<double> speed(-3, 3);
    for (const int dimensions : {2, 3}) {
        ImpactSettings s = listing(dimensions, 12);
        s.gravity = {0.5, -9.81, 0};
        ImpactWorld world(s);
        for (int k = 0; k < 12; ++k)
            world.add({{-5 + 0.9 * k, -3.0 + k % 3, 0}, {}, 0.25 + 0.01 * k, infinite});
        for (int k = 0; k < 5; ++k)
            world.add({{-4 + 2.0 * k, 3 + 0.1 * k, 0},
                       {speed(random), speed(random), dimensions == 3 ? 0.02 * speed(random) : 0},
                       0.2,
                       1});
        double energy = 0;
        int on_pins = 0;
        ImpactWorld restored;
        for (int step = 0; step < 200; ++step) {
            if (step % 10 == 0) restored.restore(world.save());
            world.step(0.04);
            restored.step(0.04);
            ASSERT_EQ(restored.hash(), world.hash()) << step;
            const ImpactMeasure m = world.measure();
            ASSERT_LT(m.max_overlap, 1e-11) << step;
            if (step == 0) energy = m.kinetic_energy + m.potential_energy;
            ASSERT_NEAR(m.kinetic_energy + m.potential_energy, energy, 1e-9 * std::abs(energy)) << step;
            for (const Impact& hit : world.impacts()) on_pins += hit.a < 12 && hit.b < Impact::wall;
        }
        EXPECT_GT(on_pins, 8);
    }
}

TEST(Impact, BordersReflectOrLeadToTheOtherSide) {
    ImpactSettings s = listing(2, 10);
    s.borders[1] = ImpactBorder::periodic;
    ImpactWorld world(s);
    world.add({{0, 4, 0}, {3, 1, 0}, 1});
    world.add({{-3, -4.5, 0}, {0, 0, 0}, 0.25});
    world.step(2);
    // the wall at x = 5 after 4/3 s
    EXPECT_NEAR(world.particle(0).position.x, 2, 1e-12);
    EXPECT_NEAR(world.particle(0).velocity.x, -3, 1e-15);
    EXPECT_NEAR(world.particle(0).position.y, -4, 1e-12);
    ASSERT_EQ(world.impacts().size(), 1u);
    EXPECT_EQ(world.impacts()[0].b, Impact::wall + 1);
    EXPECT_NEAR(world.impacts()[0].impulse, 6, 1e-14);
    EXPECT_EQ(world.impacts()[0].point.x, 5);

    // across the border
    ImpactWorld across(s);
    across.add({{0, 4, 0}, {0, 1, 0}, 0.5});
    across.add({{0, -4, 0}, {0, -1, 0}, 0.5});
    across.step(2);
    ASSERT_EQ(across.impacts().size(), 1u);
    EXPECT_NEAR(across.impacts()[0].time, 0.5, 1e-14);
}

TEST(Impact, ABallUnderGravityBouncesAsTheFormulasSay) {
    ImpactSettings s = listing(3, 20);
    s.gravity = {0, -10, 0};
    s.wall_restitution = 0.5;
    ImpactWorld world(s);
    world.add({{0, -9 + 5, 0}, {0.5, 0, 0}, 1, 2}); // 5 m above the floor: a second, at 10 m/s
    ASSERT_EQ(world.step(1.5).wall_impacts, 1u);
    EXPECT_NEAR(world.impacts()[0].time, 1, 1e-14);
    EXPECT_NEAR(world.impacts()[0].impulse, 2 * 15, 1e-12);
    EXPECT_NEAR(world.particle(0).position.y, -9 + 1.25, 1e-12); // the top of the second arc
    // infinitely many impacts until 3 s, of which contact_time leaves a few
    const ImpactReport report = world.step(2);
    EXPECT_LT(report.left, 1e-15);
    EXPECT_GT(report.wall_impacts, 15u);
    EXPECT_NEAR(world.particle(0).position.y, -9, 1e-9);
    EXPECT_NEAR(world.particle(0).position.x, 0.5 * 3.5, 1e-12);

    // what falls together meets as without gravity
    s.gravity = {1, -9.81, 2};
    ImpactWorld falling(s);
    falling.add({{-1, 5, 0}, {1, 0, 0}, 0.5});
    falling.add({{1, 5, 0}, {-1, 0, 0}, 0.5});
    falling.step(0.75);
    ASSERT_EQ(falling.impacts().size(), 1u);
    EXPECT_NEAR(falling.impacts()[0].time, 0.5, 1e-14);
}

/// A box of particles of very different sizes that do not overlap.
ImpactWorld mixture(int dimensions, bool periodic, DVec3 gravity, std::span<const std::uint32_t> order = {}) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> share(-1, 1);
    ImpactSettings s = listing(dimensions, 10);
    s.gravity = gravity;
    if (periodic) s.borders.fill(ImpactBorder::periodic);
    std::vector<ImpactParticle> all;
    for (int attempt = 0; attempt < 4000 && all.size() < 40; ++attempt) {
        ImpactParticle p;
        p.radius = all.empty() ? 1.5 : all.size() < 5 ? 0.5 : 0.1;
        const double reach = 5 - p.radius, z = dimensions == 3 ? 1 : 0;
        p.position = {reach * share(random), reach * share(random), z * reach * share(random)};
        p.velocity = {share(random), share(random), z * share(random)};
        p.mass = 0.3 + p.radius;
        if (std::all_of(all.begin(), all.end(), [&](const ImpactParticle& q) {
                return length(p.position - q.position) > p.radius + q.radius + 0.05;
            }))
            all.push_back(p);
    }
    ImpactWorld world(s);
    for (std::size_t k = 0; k < all.size(); ++k) world.add(all[order.empty() ? k : order[k]]);
    return world;
}

TEST(Impact, TheSameImpactsAsTheOracleThatTriesAllPairs) {
    for (const int dimensions : {2, 3})
        for (const bool periodic : {false, true})
            for (const DVec3 gravity : {DVec3{}, DVec3{0, -2, 0}}) {
                ImpactWorld world = mixture(dimensions, periodic, gravity);
                testing::ImpactOracle oracle(world);
                world.step(100);
                ASSERT_GT(world.impacts().size(), 40u);
                // rounding grows by a factor of some ten with each impact of a particle
                for (std::size_t k = 0; k < 40; ++k) {
                    const Impact expected = oracle.next(), hit = world.impacts()[k];
                    ASSERT_EQ(hit.a, expected.a) << k;
                    ASSERT_EQ(hit.b, expected.b) << k;
                    ASSERT_NEAR(hit.time, expected.time, 1e-5) << k;
                    ASSERT_NEAR(hit.impulse, expected.impulse, 1e-4) << k;
                }
                EXPECT_LT(world.measure().max_overlap, 1e-12);
            }
}

TEST(Impact, StepsOfAnyLengthAndNumberingGiveTheSameFlights) {
    std::vector<std::uint32_t> order(40);
    for (std::uint32_t k = 0; k < 40; ++k) order[k] = (k * 17 + 5) % 40;
    for (const bool periodic : {false, true}) {
        ImpactWorld whole = mixture(3, periodic, {}), parts = mixture(3, periodic, {}),
                    renumbered = mixture(3, periodic, {}, order);
        whole.step(64);
        for (int k = 0; k < 256; ++k) parts.step(0.25);
        renumbered.step(64);
        EXPECT_EQ(whole.hash(), parts.hash());
        EXPECT_EQ(whole.measure().events, parts.measure().events);
        for (std::uint32_t k = 0; k < 40; ++k) {
            EXPECT_EQ(renumbered.particle(k).position, whole.particle(order[k]).position);
            EXPECT_EQ(renumbered.particle(k).velocity, whole.particle(order[k]).velocity);
        }
    }
}

TEST(Impact, ARestoredWorldContinuesBitByBit) {
    for (const double restitution : {1.0, 0.8}) {
        ImpactWorld world = mixture(2, true, {});
        ImpactSettings s = world.settings();
        s.restitution = restitution;
        s.contact_time = 0.01;
        world.change_settings(s);
        world.step(7.3);
        const auto saved = world.save();
        ImpactWorld other;
        other.restore(saved);
        EXPECT_EQ(other.hash(), world.hash());
        EXPECT_EQ(other.save(), saved);
        world.step(50);
        other.step(50);
        EXPECT_EQ(other.hash(), world.hash());
        EXPECT_EQ(other.measure().events, world.measure().events);
        EXPECT_EQ(other.measure().pressure, world.measure().pressure);
        EXPECT_GT(world.measure().impacts, 100u);

        auto damaged = saved;
        damaged[damaged.size() / 2] ^= std::byte{1};
        EXPECT_THROW(other.restore(damaged), Error);
        EXPECT_THROW(other.restore(std::span(saved).first(40)), Error);
        EXPECT_EQ(other.hash(), world.hash());
    }
}

TEST(Impact, RestoresWhatImpactsMadeFast) {
    ImpactWorld world(listing(2, 20));
    world.step(100); // the later it is, the coarser are its times
    world.add({{-5, 0, 0}, {9e8, 0, 0}, 1, 1e6});
    world.add({{0, 0, 0}, {}, 1, 1e-6});
    world.step(6e-9);
    EXPECT_GT(world.particle(1).velocity.x, 1.7e9); // faster than a particle may begin
    const std::uint64_t before = world.hash();
    world.restore(world.save());
    world.change_settings(world.settings());
    EXPECT_EQ(world.hash(), before);
}

TEST(Impact, ANewVelocityIsSeenByAllThatItConcerns) {
    ImpactWorld world(listing(2, 20));
    world.add({{-5, 0, 0}, {1, 0, 0}, 0.5});
    world.add({{0, 0, 0}, {0, 0, 0}, 0.5});
    world.add({{0, 5, 0}, {0, 0, 0}, 0.5});
    world.step(1);
    world.set_velocity(2, {0, -4, 0}); // now the third one comes first
    world.step(1.5);
    ASSERT_EQ(world.impacts().size(), 1u);
    EXPECT_EQ(world.impacts()[0].a, 1u);
    EXPECT_EQ(world.impacts()[0].b, 2u);
    EXPECT_NEAR(world.impacts()[0].time, 2, 1e-14);
    const std::uint32_t late = world.add({{5, 0, 0}, {0, 0, 0}, 0.5});
    EXPECT_EQ(late, 3u);
    EXPECT_EQ(world.time(), 2.5);
}

TEST(Impact, InfinitelyManyImpactsInAnInstantAreLeftOverAndReported) {
    ImpactSettings s = listing(2, 20);
    s.max_events = 1000;
    ImpactWorld world(s);
    world.add({{-2, 0, 0}, {1, 0, 0}, 1, infinite});
    world.add({{0.5, 0, 0}, {0.1, 0, 0}, 0.1});
    world.add({{2, 0, 0}, {-1, 0, 0}, 1, infinite}); // between two masses that close in
    const ImpactReport report = world.step(3);
    EXPECT_EQ(report.events, 1000u);
    EXPECT_GT(report.left, 2.0);
    EXPECT_LT(world.time(), 1.0);
    EXPECT_NEAR(world.time() + report.left, 3, 1e-12);

    // restitution: a row between walls collapses, and contact_time lets it end
    s.max_events = 100000;
    s.restitution = s.wall_restitution = 0.1;
    ImpactWorld row(s);
    for (int k = 0; k < 12; ++k) row.add({{-6.0 + k, 0, 0}, {k < 6 ? 1.0 : -1.0, 0, 0}, 0.4});
    EXPECT_EQ(row.step(100).left, 0);
}

TEST(Impact, WorldsOfNoneOfOneAndAtRest) {
    ImpactWorld world(listing(3, 10));
    EXPECT_EQ(world.step(1).events, 0u);
    EXPECT_EQ(world.time(), 1);
    world.add({{0, 0, 0}, {0, 0, 0}, 0.5});
    world.add({{1, 0, 0}, {0, 0, 0}, 0.5}); // touches
    EXPECT_EQ(world.step(1e6).events, 0u);
    EXPECT_EQ(world.measure().kinetic_energy, 0);

    // crosses the box a hundred thousand times in a step
    ImpactWorld fast(listing(2, 10));
    fast.add({{0, 0, 0}, {1e6, 0, 0}, 0.5});
    EXPECT_EQ(fast.step(0.9).wall_impacts, 100'000u);
    EXPECT_NEAR(std::abs(fast.particle(0).velocity.x), 1e6, 1e-6);
}

template <class Act>
std::string refusal(const Act& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Impact, FarAwayParticlesMeetOrPassAsTheirWaysSay) {
    // 1e9 m apart and 1 m large: a discriminant of two numbers near 1e18 has no digit left
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const int dimensions : {2, 3})
        for (int k = 0; k < 60; ++k) {
            ImpactSettings s = listing(dimensions, 2e9);
            ImpactWorld world(s);
            const auto place = [&] {
                const double x = 9e8 * number(random), y = 9e8 * number(random), z = 9e8 * number(random);
                return DVec3{x, y, dimensions == 3 ? z : 0};
            };
            const DVec3 from = place(), to = place(), way = normalized(to - from);
            const DVec3 aside = normalized(DVec3{-way.y, way.x, 0});
            const double miss = k % 2 ? 1.99 * number(random) : 2.01 + std::abs(number(random));
            world.add({from, way * 1e8, 1});
            world.add({to + aside * miss, {}, 1});
            world.step(length(to - from) / 1e8);
            ASSERT_EQ(world.impacts().size(), k % 2 ? 1u : 0u) << dimensions << "D, " << k << ", " << miss;
        }
}

/// Discs or spheres anywhere in the box, most of them in others.
ImpactWorld heap(int dimensions, ImpactBorder borders, int count, double side) {
    ImpactSettings s = listing(dimensions, side);
    s.borders.fill(borders);
    ImpactWorld world(s);
    std::mt19937_64 random(5);
    const double reach = side / 2 - 0.5;
    std::uniform_real_distribution<double> place(-reach, reach);
    for (int k = 0; k < count; ++k) {
        const double x = place(random), y = place(random), z = place(random);
        world.add({{x, y, dimensions == 3 ? z : 0},
                   {x, -y, 0},
                   k % 3 ? 0.5 : 0.3,
                   k == 7 ? infinite : 1.0 + k % 2});
    }
    return world;
}

TEST(Impact, ParticlesThatOverlapAreMovedApart) {
    for (const int dimensions : {2, 3})
        for (const ImpactBorder borders : {ImpactBorder::wall, ImpactBorder::periodic}) {
            ImpactWorld world = heap(dimensions, borders, 200, dimensions == 2 ? 16.5 : 6.2);
            EXPECT_NE(refusal([&] { world.prepare(); }).find("overlaps"), std::string::npos);
            const std::vector<DVec3> before = world.positions(), speeds = world.velocities();
            const ImpactSeparation done = world.separate();
            EXPECT_GT(done.deepest, 0.5);
            EXPECT_GT(done.moved, 100u);
            EXPECT_LE(done.moved, 199u); // not the infinite mass
            EXPECT_GT(done.passes, 1u);
            EXPECT_LT(done.farthest, 4);
            const std::vector<DVec3> after = world.positions();
            EXPECT_EQ(after[7], before[7]);
            EXPECT_EQ(world.velocities(), speeds);
            world.step(1);
            EXPECT_LT(world.measure().max_overlap, 1e-12);
            // nothing is left to do
            EXPECT_EQ(world.separate().moved, 0u);
        }

    // all in one place
    ImpactWorld point(listing(3, 20));
    for (int k = 0; k < 40; ++k) point.add({{1, 2, 3}, {}, 0.4});
    EXPECT_EQ(point.separate().moved, 40u);
    point.prepare();
}

TEST(Impact, TheOverlapBeforeSeparationIsThatBeforeAnythingMoved) {
    // the first pair pushes the middle one on into the third, or out of it
    for (const double third : {1.5, 0.25}) {
        ImpactWorld world(listing(2, 10));
        for (const double x : {0.0, 0.75, third}) world.add({{x, 0, 0}, {}, 0.5});
        EXPECT_EQ(world.separate().deepest, third == 1.5 ? 0.25 : 0.75) << third;
    }
}

TEST(Impact, WhatHasNoRoomIsNamedAndLeftWhereItIs) {
    ImpactWorld full = heap(2, ImpactBorder::wall, 200, 11);
    const std::vector<DVec3> before = full.positions();
    const std::string why = refusal([&] { full.separate(); });
    EXPECT_NE(why.find("no room was found for all: it still overlaps particle "), std::string::npos) << why;
    EXPECT_EQ(full.positions(), before);

    ImpactWorld fixed(listing(2, 10));
    fixed.add({{0, 0, 0}, {}, 0.5, infinite});
    fixed.add({{0.75, 0, 0}, {}, 0.5, infinite});
    EXPECT_EQ(refusal([&] { fixed.separate(); }),
              "particle 0: both have infinite masses, and it overlaps particle 1 by 0.250000 m: expected "
              "particles that can be moved apart");

    // what touches is not moved
    ImpactWorld touching(listing(2, 10));
    touching.add({{0, 0, 0}, {}, 0.5});
    touching.add({{1, 0, 0}, {}, 0.5});
    EXPECT_EQ(touching.separate().moved, 0u);
    EXPECT_EQ(touching.particle(1).position.x, 1);
}

TEST(Impact, InfiniteMassesThatOverlapAreNamedEvenIfOthersOverlapMore) {
    ImpactWorld world(listing(2, 10));
    world.add({{-3, 0, 0}, {}, 0.5});
    world.add({{-2.5, 0, 0}, {}, 0.5});
    world.add({{0, 0, 0}, {}, 0.5, infinite});
    world.add({{0.75, 0, 0}, {}, 0.5, infinite});
    EXPECT_EQ(refusal([&] { world.separate(); }),
              "particle 2: both have infinite masses, and it overlaps particle 3 by 0.250000 m: expected "
              "particles that can be moved apart");
}

TEST(Impact, HeavyParticlesMoveWhereLightOnesCannot) {
    for (const double mass : {1e3, 1e6}) {
        ImpactWorld world(listing(2, 10));
        // at a wall, in a corner, at an infinite mass
        world.add({{-4.9, 0, 0}, {}, 0.1});
        world.add({{-4, 0, 0}, {}, 1, mass});
        world.add({{4.7, 4.7, 0}, {}, 0.3});
        world.add({{3.9, 4, 0}, {}, 1, mass});
        world.add({{0, 0, 0}, {}, 0.5, infinite});
        world.add({{0.6, 0, 0}, {}, 0.2});
        world.add({{1.2, 0, 0}, {}, 0.5, mass});
        EXPECT_GT(world.separate().moved, 3u) << mass;
        world.prepare();
    }
}

TEST(Impact, ALineThatIsTooLongForTheBoxGoesAside) {
    for (const int dimensions : {2, 3}) {
        ImpactWorld world(listing(dimensions, 10));
        for (int k = 0; k < 12; ++k) world.add({{-4.5 + 0.8 * k, 0, 0}, {}, 0.5});
        EXPECT_EQ(world.separate().moved, 12u);
        world.prepare();
    }
}

TEST(Impact, BadInputIsRefusedWithPlaceValueAndExpectation) {
    const auto setting = [](auto change) {
        return refusal([&] {
            ImpactSettings s = listing(3, 10);
            change(s);
            ImpactWorld world(s);
        });
    };
    EXPECT_EQ(setting([](auto& s) { s.dimensions = 4; }), "dimensions: invalid value 4: expected 2 or 3");
    EXPECT_EQ(setting([](auto& s) { s.restitution = 1.5; }),
              "restitution: invalid value 1.5: expected 0 to 1");
    EXPECT_NE(setting([](auto& s) { s.upper.y = s.lower.y; }).find("upper.y: invalid value -5"),
              std::string::npos);
    EXPECT_NE(setting([](auto& s) { s.gravity.x = std::nan(""); }).find("gravity.x"), std::string::npos);
    EXPECT_NE(setting([](auto& s) { s.contact_time = -1; }).find("contact_time"), std::string::npos);

    const auto particle = [](auto change, bool periodic = false, DVec3 gravity = {}) {
        ImpactSettings s = listing(2, 10);
        s.gravity = gravity;
        if (periodic) s.borders.fill(ImpactBorder::periodic);
        ImpactWorld world(s);
        return refusal([&] {
            ImpactParticle p;
            change(p);
            world.add(p);
        });
    };
    EXPECT_EQ(particle([](auto&) {}), "accepted");
    EXPECT_NE(particle([](auto& p) { p.mass = 0; }).find("mass: invalid value 0"), std::string::npos);
    EXPECT_NE(particle([](auto& p) { p.mass = std::nan(""); }).find("mass"), std::string::npos);
    EXPECT_NE(particle([](auto& p) { p.radius = 0; }).find("radius"), std::string::npos);
    EXPECT_NE(particle([](auto& p) { p.velocity.y = infinite; }).find("velocity.y"), std::string::npos);
    EXPECT_NE(particle([](auto& p) { p.position.z = 1; }).find("position.z"), std::string::npos);
    EXPECT_NE(particle([](auto& p) { p.position.x = 4.6; }).find("position.x: invalid value 4.6"),
              std::string::npos);
    EXPECT_EQ(particle([](auto& p) { p.position.x = 4.6; }, true), "accepted");
    EXPECT_NE(particle([](auto& p) { p.radius = 2.5; }, true)
                  .find("radius: invalid value 2.5: expected at most 0.24"),
              std::string::npos);

    ImpactWorld world(listing(2, 10));
    world.add({{0, 0, 0}, {}, 0.5});
    world.add({{4, 0, 0}, {}, 0.5});
    world.add({{0.75, 0, 0}, {}, 0.5});
    EXPECT_EQ(refusal([&] { world.step(1); }),
              "particle 0: it overlaps particle 2 by 0.250000 m: expected particles that touch at most");
    EXPECT_EQ(world.particle(2).position.x, 0.75); // nothing is lost
    EXPECT_NE(refusal([&] { world.particle(3); }).find("less than 3"), std::string::npos);
    EXPECT_NE(refusal([&] { world.step(std::nan("")); }).find("seconds"), std::string::npos);
    EXPECT_NE(refusal([&] { world.step(-1); }).find("seconds"), std::string::npos);
}

} // namespace
} // namespace scree
