// SPDX-License-Identifier: MIT
// impact_threads_test.cpp — ImpactWorld on several threads: the bytes of one thread.
#include "device/cpu/thread_pool.h"
#include "scree/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace scree {
namespace {

/// A number of threads that says it were many, so that small worlds use it. Odd numbers do the last task first.
class Crew final : public TaskSystem {
public:
    explicit Crew(int threads) : pool_(threads), backwards_(threads % 2 == 1) {}
    int workers() const override { return 4096; }
    void run(int count, const std::function<void(int)>& task) override {
        ++calls;
        pool_.run(count, [&](int k) { task(backwards_ ? count - 1 - k : k); });
    }
    int calls = 0;

private:
    ThreadPool pool_;
    bool backwards_;
};

struct GasBox {
    const char* title;
    ImpactSettings settings;
    double packing; ///< of the lattice
    int side;
    bool mixed = false;     ///< radii and masses
    double fixed_share = 0; ///< infinite masses
    double span = 1.5;      ///< s
};

void fill_gas(ImpactWorld& world, const GasBox& box) {
    const int dimensions = box.settings.dimensions;
    const double cell = (box.settings.upper.x - box.settings.lower.x) / box.side;
    const double volume = dimensions == 2 ? 3.14159265358979 : 4.18879020478639;
    const double radius = cell * std::pow(box.packing / volume, 1.0 / dimensions);
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> share;
    for (int x = 0; x < box.side; ++x)
        for (int y = 0; y < box.side; ++y)
            for (int z = 0; z < (dimensions == 3 ? box.side : 1); ++z) {
                ImpactParticle p;
                p.position = {(x + 0.5) * cell, (y + 0.5) * cell, dimensions == 3 ? (z + 0.5) * cell : 0};
                p.velocity = {normal(random), normal(random), dimensions == 3 ? normal(random) : 0};
                p.radius = radius;
                if (box.mixed) {
                    p.radius *= 0.3 + 0.7 * share(random);
                    p.mass = std::exp(-6 * share(random)); // light ones become fast
                }
                if (share(random) < box.fixed_share) {
                    p.mass = INFINITY;
                    p.velocity = {};
                }
                world.add(p);
            }
}

ImpactSettings gas_cube(int dimensions, double side, ImpactBorder border) {
    ImpactSettings s;
    s.dimensions = dimensions;
    s.upper = {side, side, dimensions == 3 ? side : 0};
    s.borders.fill(border);
    s.list_impacts = true;
    return s;
}

std::vector<GasBox> gas_boxes() {
    std::vector<GasBox> all;
    const auto add = [&](const char* title, int dimensions, ImpactBorder border, double packing) -> GasBox& {
        const int side = dimensions == 2 ? 44 : 13;
        all.push_back({title, gas_cube(dimensions, side, border), packing, side});
        return all.back();
    };
    constexpr ImpactBorder wall = ImpactBorder::wall, periodic = ImpactBorder::periodic;
    add("discs, periodic", 2, periodic, 0.7);
    add("discs between walls", 2, wall, 0.5);
    add("spheres, periodic", 3, periodic, 0.45);
    add("spheres between walls", 3, wall, 0.3);
    add("a thin gas", 2, periodic, 0.02).span = 6;
    GasBox* box = &add("mixed radii and masses", 2, periodic, 0.6);
    box->mixed = true;
    box = &add("mixed spheres between walls", 3, wall, 0.4);
    box->mixed = true;
    box = &add("granular discs in gravity", 2, wall, 0.6);
    box->settings.gravity = {0, -9.81, 0};
    box->settings.restitution = 0.8;
    box->settings.wall_restitution = 0.7;
    box->settings.contact_time = 1e-3;
    box = &add("a cooling gas", 3, periodic, 0.3);
    box->settings.restitution = 0.6;
    box->settings.contact_time = 1e-4;
    box->span = 6;
    box = &add("pins", 2, wall, 0.3);
    box->settings.gravity = {0, -3, 0};
    box->fixed_share = 0.1;
    box->settings.restitution = 0.5;
    box->settings.contact_time = 1e-3;
    box = &add("pins without gravity", 3, periodic, 0.3);
    box->fixed_share = 0.2;
    return all;
}

bool same_impact(const Impact& a, const Impact& b) {
    return a.time == b.time && a.a == b.a && a.b == b.b && a.point == b.point && a.normal == b.normal &&
           a.impulse == b.impulse;
}

using PlayGas = std::function<void(ImpactWorld&, std::vector<Impact>&)>;

void step_and_list(ImpactWorld& world, std::vector<Impact>& impacts, double seconds) {
    world.step(seconds);
    impacts.insert(impacts.end(), world.impacts().begin(), world.impacts().end());
}

/// Plays on one thread and on several: impacts in the same order, and the same bytes, with the pending events and all sums.
void expect_equal(const GasBox& box, const PlayGas& play) {
    SCOPED_TRACE(box.title);
    ImpactWorld one(box.settings, PlaceOptions{.threads = 1});
    std::vector<Impact> expected;
    fill_gas(one, box);
    play(one, expected);
    EXPECT_FALSE(expected.empty());
    for (const int threads : {2, 3, 4, 16}) {
        SCOPED_TRACE(threads);
        Crew crew(threads);
        ImpactWorld world(box.settings, PlaceOptions{.tasks = &crew});
        std::vector<Impact> impacts;
        fill_gas(world, box);
        play(world, impacts);
        ASSERT_EQ(impacts.size(), expected.size());
        const auto [other, its] =
            std::mismatch(impacts.begin(), impacts.end(), expected.begin(), same_impact);
        ASSERT_EQ(other - impacts.begin(), std::ssize(impacts)) << "impact at " << its->time << " s";
        EXPECT_EQ(world.hash(), one.hash());
        EXPECT_EQ(world.save(), one.save());
        EXPECT_GT(crew.calls, 10) << "the threads had nothing to do";
    }
}

TEST(ImpactThreads, EveryNumberOfThreadsGivesTheSameBytes) {
    for (const GasBox& box : gas_boxes())
        expect_equal(box, [&](ImpactWorld& world, std::vector<Impact>& impacts) {
            for (int k = 0; k < 5; ++k) step_and_list(world, impacts, box.span / 5);
        });
}

TEST(ImpactThreads, SoDoStepsOfAnyLength) {
    const GasBox box = gas_boxes().front();
    expect_equal(box, [](ImpactWorld& world, std::vector<Impact>& impacts) {
        std::mt19937 random(5);
        while (world.time() < 1)
            step_and_list(world, impacts, 1e-4 * static_cast<double>(1 + random() % 600));
    });
    // and however the time is cut, the particles and their pending events are the same
    std::vector<std::vector<DVec3>> velocities;
    for (const int threads : {1, 4})
        for (const int cuts : {1, 16, 128}) {
            Crew crew(threads);
            ImpactWorld world(box.settings, threads > 1 ? Place(PlaceOptions{.tasks = &crew})
                                                        : Place(PlaceOptions{.threads = 1}));
            fill_gas(world, box);
            for (int k = 0; k < cuts; ++k) world.step(1.0 / cuts);
            velocities.push_back(world.velocities());
            EXPECT_EQ(velocities.back(), velocities.front()) << threads << " threads, " << cuts << " steps";
        }
}

TEST(ImpactThreads, ChangesBetweenStepsGiveTheSameBytes) {
    for (const std::size_t which : {std::size_t{1}, std::size_t{7}}) {
        const GasBox box = gas_boxes()[which];
        expect_equal(box, [](ImpactWorld& world, std::vector<Impact>& impacts) {
            step_and_list(world, impacts, 0.3);
            for (std::uint32_t k = 0; k < 40; ++k) world.set_velocity(k * 31, {3, -1, 0});
            step_and_list(world, impacts, 0.2);
            // small ones into the largest gaps that a lattice of places has
            int added = 0;
            for (int k = 0; k < 400 && added < 8; ++k) {
                const DVec3 at{0.3 + 43.4 * (k % 20) / 20, 0.3 + 43.4 * (k / 20) / 20, 0};
                bool is_free = true;
                for (std::uint32_t id = 0; id < world.particle_count(); ++id) {
                    const ImpactParticle p = world.particle(id);
                    is_free &= length(p.position - at) > p.radius + 0.06;
                }
                if (!is_free) continue;
                world.add({.position = at, .velocity = {1, 1, 0}, .radius = 0.05, .mass = 0.1});
                ++added;
            }
            EXPECT_EQ(added, 8);
            step_and_list(world, impacts, 0.3);
            ImpactSettings other = world.settings();
            other.gravity = {1, -4, 0};
            world.change_settings(other);
            step_and_list(world, impacts, 0.3);
        });
    }
}

TEST(ImpactThreads, ARestoredWorldContinuesOnAnyNumberOfThreads) {
    for (const std::size_t which : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
        const GasBox box = gas_boxes()[which];
        SCOPED_TRACE(box.title);
        Crew four(4);
        ImpactWorld begun(box.settings, PlaceOptions{.tasks = &four});
        fill_gas(begun, box);
        begun.step(0.4);
        const std::vector<std::byte> saved = begun.save();
        begun.step(0.4);
        ImpactWorld one({}, PlaceOptions{.threads = 1});
        one.restore(saved);
        one.step(0.4);
        EXPECT_EQ(one.save(), begun.save());
        for (const int threads : {2, 16}) {
            Crew crew(threads);
            ImpactWorld world({}, PlaceOptions{.tasks = &crew});
            world.restore(saved);
            world.step(0.4);
            EXPECT_EQ(world.save(), begun.save()) << threads;
            EXPECT_GT(crew.calls, 10) << "restore() keeps the place";
        }
    }
}

TEST(ImpactThreads, MaxEventsEndsAStepAtTheSameEvent) {
    for (const std::size_t which : {std::size_t{0}, std::size_t{3}}) {
        GasBox box = gas_boxes()[which];
        box.settings.max_events = 777;
        expect_equal(box, [](ImpactWorld& world, std::vector<Impact>& impacts) {
            double left = 0;
            for (int k = 0; k < 20; ++k) {
                const ImpactReport report = world.step(0.2);
                impacts.insert(impacts.end(), world.impacts().begin(), world.impacts().end());
                EXPECT_LE(report.events, 777u);
                left += report.left;
            }
            EXPECT_GT(left, 0);
        });
    }
}

/// Impacts at one instant come in the order of numbers: a lattice whose rows all collide at once, again and again.
TEST(ImpactThreads, ManyImpactsAtOneInstantKeepTheirOrder) {
    GasBox box{"rows", gas_cube(2, 40, ImpactBorder::wall), 0, 40};
    Crew crew(4);
    ImpactWorld one(box.settings, PlaceOptions{.threads = 1}),
        four(box.settings, PlaceOptions{.tasks = &crew});
    for (ImpactWorld* world : {&one, &four})
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x)
                world->add({.position = {x + 0.5, y + 0.5, 0},
                            .velocity = {x % 2 ? -1.0 : 1.0, 0, 0},
                            .radius = 0.375});
    for (int k = 0; k < 20; ++k) {
        one.step(0.25);
        four.step(0.25);
        ASSERT_EQ(one.impacts().size(), four.impacts().size());
        EXPECT_TRUE(
            std::equal(one.impacts().begin(), one.impacts().end(), four.impacts().begin(), same_impact));
    }
    EXPECT_GT(one.measure().impacts, 10'000u);
    EXPECT_EQ(one.save(), four.save());
    EXPECT_GT(crew.calls, 10);
}

/// Where threads do not pay: nearly every event depends on one before it in its batch.
TEST(ImpactThreads, SmallWorldsKeepTheirBytesToo) {
    struct Case {
        int dimensions, side;
        double packing;
    };
    for (const Case& c : {Case{2, 22, 0.05}, Case{2, 44, 0.2}, Case{3, 8, 0.02}, Case{3, 13, 0.1}}) {
        GasBox box{"a small gas", gas_cube(c.dimensions, c.side, ImpactBorder::periodic), c.packing, c.side};
        box.settings.list_impacts = false;
        box.mixed = true;
        Crew crew(2);
        ImpactWorld one(box.settings, PlaceOptions{.threads = 1}),
            two(box.settings, PlaceOptions{.tasks = &crew});
        fill_gas(one, box);
        fill_gas(two, box);
        for (std::uint64_t events = 0; events < 50'000;) {
            events += one.step(5).events;
            two.step(5);
            ASSERT_EQ(one.hash(), two.hash()) << c.dimensions << "D " << c.packing << " at " << one.time();
        }
        EXPECT_EQ(one.save(), two.save());
        EXPECT_GT(crew.calls, 30);
    }
}

/// Each of two that fly at each other leaves its range at the same time, again and again, and becomes the other's new neighbour.
TEST(ImpactThreads, NewNeighboursOfOneInstantMeet) {
    ImpactSettings s = gas_cube(2, 60, ImpactBorder::wall);
    s.upper.y = 600;
    Crew crew(2);
    ImpactWorld one(s, PlaceOptions{.threads = 1}), two(s, PlaceOptions{.tasks = &crew});
    for (ImpactWorld* world : {&one, &two}) {
        for (int k = 0; k < 40; ++k)
            for (const double side : {-0.5, 0.5})
                world->add({.position = {30 + side * (20 + 0.15 * k), 6.0 + 12 * k, 0},
                            .velocity = {-2 * side, 0, 0},
                            .radius = 0.2});
        // many that rest make ranges small, so that those who fly have no neighbours
        for (int k = 0; k < 3000; ++k)
            world->add({.position = {1.0 + k % 50, 520.0 + k / 50, 0}, .radius = 0.2});
    }
    one.step(16);
    two.step(16);
    EXPECT_EQ(one.measure().impacts, 40u);
    EXPECT_EQ(two.measure().impacts, 40u);
    EXPECT_EQ(one.save(), two.save());
    EXPECT_GT(crew.calls, 2);
}

/// What leaves its range concerns those near it only, so that hundreds of such events of a large world go together.
TEST(ImpactThreads, AThinGasHasLongBatches) {
    GasBox box{"a large thin gas", gas_cube(2, 256, ImpactBorder::periodic), 0.02, 256};
    box.settings.list_impacts = false;
    Crew crew(1);
    ImpactWorld one(box.settings, PlaceOptions{.threads = 1}),
        many(box.settings, PlaceOptions{.tasks = &crew});
    fill_gas(one, box);
    fill_gas(many, box);
    const std::uint64_t events = one.step(1.2).events;
    many.step(1.2);
    EXPECT_GT(events, 100'000u);
    EXPECT_LT(crew.calls * 300.0, events);
    EXPECT_EQ(many.save(), one.save());
}

TEST(ImpactThreads, LargeWorldsUseTheThreadsOfTheirPlace) {
    GasBox box{"a large gas", gas_cube(2, 160, ImpactBorder::periodic), 0.6, 160};
    std::vector<std::vector<std::byte>> saved;
    for (const int threads : {1, 2, 16}) {
        ImpactWorld world(box.settings, PlaceOptions{.threads = threads});
        fill_gas(world, box);
        world.step(0.1);
        EXPECT_GT(world.impacts().size(), 1000u);
        saved.push_back(world.save());
        EXPECT_EQ(saved.back(), saved.front()) << threads;
    }
}

} // namespace
} // namespace scree
