// SPDX-License-Identifier: MIT
// steady_state_test.cpp — a step in which nothing new happens asks the heap for nothing.
// compiled alone
#include "collision/shaft.h"
#include "rigid/step_arena.h"
#include "scree/collision_cells.h"
#include "support/rigid_support.h"
#include "support/steady_state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <vector>

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

/// Balls and boxes that fly about in a closed room for ever, with cells or without, and their impacts in `steps` steps.
struct Flying {
    World world;
    std::uint64_t impacts = 0, heap = 0;

    explicit Flying(bool cells) : world(room(), on(1)) {
        const BodyId walls = world.create_body({.type = BodyType::fixed});
        const ShapeDef hard{.material = {.friction = 0, .restitution = 1}};
        for (const float side : {-1.0f, 1.0f}) {
            const auto wall = [&](Vec3 at, Vec3 half) {
                ShapeDef def = hard;
                def.position = side * at;
                world.attach(walls, Box{half.x, half.y, half.z}, def);
            };
            wall({2.5f, 0, 0}, {0.5f, 3, 3}), wall({0, 2.5f, 0}, {3, 0.5f, 3}),
                wall({0, 0, 2.5f}, {3, 3, 0.5f});
        }
        for (int k = 0; k < 12; ++k) {
            BodyDef body;
            body.velocity = {1.0f + 0.3f * static_cast<float>(k), 2.5f - 0.4f * static_cast<float>(k), 1};
            body.angular_velocity = {1, 2, static_cast<float>(k)};
            const Vec3 at{1.2f * static_cast<float>(k % 3) - 1.2f,
                          1.2f * static_cast<float>(k / 3 % 2) - 0.6f,
                          1.2f * static_cast<float>(k / 6) - 0.6f};
            if (k % 2) add(world, Sphere{0.2f}, at, hard, body);
            else add(world, Box{0.2f, 0.1f, 0.15f}, at, hard, body);
        }
        if (!cells) return;
        CollisionCells halves; // joined by an opening as wide as the room
        for (const std::uint32_t k : {0u, 1u}) {
            CollisionCells::Portal way{1 - k,
                                       {DVec3{0, -2, -2}, DVec3{0, 2, -2}, DVec3{0, 2, 2}, DVec3{0, -2, 2}}};
            halves.cells.push_back({{k ? 0.0 : -2.0, -2, -2}, {k ? 2.0 : 0.0, 2, 2}, {way}});
        }
        const std::uint32_t solid = CollisionCells::leaf_bit | CollisionCells::solid;
        const DVec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        for (std::uint32_t k = 0; k < 6; ++k) halves.nodes.push_back({normals[k], 2, {solid, k + 1}});
        halves.nodes.push_back({{1, 0, 0}, 0, {CollisionCells::leaf_bit | 1, CollisionCells::leaf_bit}});
        set_cells(world, walls, halves);
    }
    static WorldSettings room() {
        WorldSettings settings;
        settings.solver = Solver::impact;
        settings.gravity = {};
        settings.sleeping = false;
        return settings;
    }
    void fly(int steps) {
        impacts = 0;
        const std::uint64_t before = heap_calls();
        for (int k = 0; k < steps; ++k) {
            world.step(frame);
            impacts += world.counters().impact.impacts;
        }
        heap = heap_calls() - before;
    }
};

TEST(SteadyState, BodiesThatMeetAllTheTimeNeedNoMemory) {
    for (const bool cells : {false, true}) {
        SCOPED_TRACE(cells);
        Flying room(cells);
        room.fly(5000);
        EXPECT_EQ(cell_counters(room.world).cells, cells ? 2u : 0u);
        room.fly(960);
        EXPECT_GT(room.impacts, 150u);
        EXPECT_LE(room.heap, 10u); // lists that are longer than ever before
    }
}

TEST(SteadyState, AStackOfImpactsNeedsNoMemory) {
    WorldSettings settings = without_sleep();
    settings.solver = Solver::impact;
    World world(settings, on(1));
    add_slab(world, 20);
    for (int k = 0; k < 6; ++k) add(world, Box{}, {0, 0.5001f + 1.0001f * static_cast<float>(k), 0});
    run_steps(world, 120);
    ASSERT_GT(world.counters().impact.resting, 5u);
    const std::uint64_t memory = world.memory().solver;
    EXPECT_EQ(allocations_of(world, 60), 0u);
    EXPECT_EQ(world.memory().solver, memory);
    EXPECT_GT(memory, 16u * 1024); // the arena is counted
}

TEST(StepArena, GivesTheSameMemoryAgainAndAsksForNone) {
    StepArena arena(1024);
    void* first = nullptr;
    for (int round = 0; round < 3; ++round) {
        const std::uint64_t before = heap_calls();
        const StepArena::Scope scope(arena);
        ArenaVector<double> grows(&arena);
        for (int k = 0; k < 1000; ++k) grows.push_back(k); // beyond the first block
        {
            const StepArena::Scope inner(arena);
            const ArenaVector<char> some(100, 'x', &arena);
            EXPECT_EQ(some[99], 'x');
        }
        ArenaVector<double> after(10, 1.5, &arena);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(after.data()) % alignof(double), 0u);
        for (int k = 0; k < 1000; ++k) ASSERT_EQ(grows[static_cast<std::size_t>(k)], k);
        if (round == 0) {
            first = after.data();
        } else {
            EXPECT_EQ(after.data(), first);
            EXPECT_EQ(heap_calls() - before, 0u);
        }
    }
    EXPECT_LT(arena.bytes(), 64u * 1024);
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
