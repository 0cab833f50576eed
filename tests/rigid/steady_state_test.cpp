// SPDX-License-Identifier: MIT
// steady_state_test.cpp — a step in which nothing new happens asks the heap for nothing.
// compiled alone
#include "collision/shaft.h"
#include "support/rigid_support.h"
#include "support/steady_state.h"

#include <gtest/gtest.h>

#include <new>

namespace scree::test {
namespace {

/// What `steps` steps ask of the heap.
std::uint64_t allocations_of(World& world, int steps) {
    const std::uint64_t before = heap_calls();
    run_steps(world, steps);
    return heap_calls() - before;
}

TEST(SteadyState, TheCounterCounts) {
    const std::uint64_t before = heap_calls();
    ::operator delete(::operator new(4)); // a call that no compiler leaves out
    EXPECT_EQ(heap_calls() - before, 1u);
}

TEST(SteadyState, ShaftsNeedNoMemory) {
    const std::uint64_t before = heap_calls();
    std::size_t planes = 0;
    for (int k = 0; k < 20; ++k) {
        const double way = 0.3 * k;
        planes +=
            shaft_of({{0, 0, 0}, {1, 1, 1}}, {{way, 2 * way, -way}, {way + 2, 2 * way + 1, 3 - way}}).count;
    }
    EXPECT_EQ(heap_calls() - before, 0u);
    EXPECT_GT(planes, 20u);
}

TEST(SteadyState, AStandingPyramidNeedsNoMemory) {
    World world(without_sleep());
    add_slab(world, 50);
    add_pyramid(world, 10);
    run_steps(world, 240);
    EXPECT_EQ(allocations_of(world, 120), 0u);
    EXPECT_EQ(world.counters().allocations, 0u);
}

TEST(SteadyState, NorDoesItOnTwoThreads) {
    World world(without_sleep(), on(2));
    add_slab(world, 50);
    add_pyramid(world, 10);
    run_steps(world, 240);
    EXPECT_EQ(allocations_of(world, 60), 0u);
}

TEST(SteadyState, NorDoesALargePileOnTwoThreads) {
    // enough bodies and pairs for every loop to be split
    World world(without_sleep(), on(2));
    add_container(world, 5, 10);
    add_pile(world, Kind::boxes, 1200, 11);
    run_steps(world, 300);
    EXPECT_EQ(allocations_of(world, 30), 0u);
}

TEST(SteadyState, ASettledPileOfEveryShapeNeedsNoMemory) {
    World world(without_sleep());
    add_container(world, 2, 8);
    add_pile(world, Kind::mixed, 80, 4, 1, 1, {.rolling_resistance = 0.02f});
    run_steps(world, 600);
    EXPECT_EQ(allocations_of(world, 120), 0u);
}

TEST(SteadyState, MoreContactsThanColoursNeedNoMemory) {
    World world(without_sleep());
    add_slab(world, 20);
    add(world, Box{3, 0.25f, 3}, {0, 0.25f, 0});
    for (int k = 0; k < 64; ++k)
        add(world, Box{0.25f, 0.25f, 0.25f},
            {0.7f * (static_cast<float>(k % 8) - 3.5f), 0.75f, 0.7f * (static_cast<float>(k / 8) - 3.5f)});
    run_steps(world, 240);
    ASSERT_GT(world.counters().overflow, 0u);
    EXPECT_EQ(allocations_of(world, 60), 0u);
}

TEST(SteadyState, AMoleculeNeedsNoMemory) {
    World world(in_space());
    const Molecule molecule = add_molecule(world, 4);
    world.set_velocity(molecule.balls[0], {0.1f, 0.2f, 0});
    run_steps(world, 60);
    EXPECT_EQ(allocations_of(world, 60), 0u);
}

TEST(SteadyState, ASleepingWorldNeedsNoMemory) {
    World world(default_settings());
    add_slab(world, 50);
    add_pyramid(world, 10);
    run_steps(world, 300);
    ASSERT_EQ(world.counters().awake, 0u);
    EXPECT_EQ(allocations_of(world, 120), 0u);
}

TEST(SteadyState, FallingAsleepAndWakingASecondTimeNeedsNoMemory) {
    World world(default_settings());
    add_slab(world, 50);
    const std::vector<BodyId> cubes = add_pyramid(world, 6);
    for (int round = 0; round < 3; ++round) {
        run_steps(world, 240);
        world.wake(cubes[0]);
    }
    run_steps(world, 240);
    const std::uint64_t before = heap_calls();
    world.wake(cubes[0]);
    run_steps(world, 240);
    EXPECT_EQ(heap_calls() - before, 0u);
}

} // namespace
} // namespace scree::test
