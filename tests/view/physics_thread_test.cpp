// SPDX-License-Identifier: MIT
// physics_thread_test.cpp — the physics does not depend on being watched.
#include "view/physics_thread.h"

#include "support/param_name.h"
#include "support/temporary_folder.h"
#include "view/timer.h"

#include <gtest/gtest.h>

#include <malloc.h>

#include <chrono>
#include <thread>

namespace scree::view {
namespace {

using namespace std::chrono_literals;
constexpr int steps = 120;

std::uint64_t unwatched(const std::string& name) {
    Session session(find_scene(name), {}, name, {{.threads = 1}});
    for (int i = 0; i < steps; ++i) session.step();
    return session.live().hash();
}

/// Watches with a pause between looks.
std::uint64_t watched(const std::string& name, double rate, std::chrono::milliseconds gap,
                      bool look_closely) {
    PhysicsThread physics({{.threads = 1}});
    physics.wish({look_closely, look_closely, true, look_closely});
    physics.load(name);
    physics.set_rate(rate);
    physics.run_to(steps);
    std::uint64_t last = 0, seen = 0;
    for (;;) {
        if (physics.update()) {
            EXPECT_GE(physics.frame().step, last); // never back
            last = physics.frame().step;
            ++seen;
            if (last >= steps) break;
        }
        std::this_thread::sleep_for(gap);
    }
    EXPECT_EQ(last, static_cast<std::uint64_t>(steps));
    EXPECT_GT(seen, 0u);
    physics.wait_until_paused();
    return physics.frame().hash.value();
}

class Watching : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, Watching, ::testing::Values("stack-10", "tower-3", "chain"),
                         test::ParamName());

TEST_P(Watching, ChangesNoBitAtAnyFrameRate) {
    const std::uint64_t alone = unwatched(GetParam());
    EXPECT_EQ(watched(GetParam(), as_fast_as_possible, 0ms, true), alone);
    EXPECT_EQ(watched(GetParam(), as_fast_as_possible, 40ms, false), alone);
    EXPECT_EQ(watched(GetParam(), 8, 5ms, true), alone);
}

TEST(PhysicsThread, WhatWasDoneByHandHappensAgainFromItsLog) {
    PhysicsThread physics({{.threads = 1}});
    physics.wish({.hash = true});
    physics.load("stack-10");
    physics.set_rate(as_fast_as_possible);
    physics.run(true);
    // whenever these arrive, they arrive between two steps
    for (int i = 0; i < 20; ++i) {
        physics.command(i == 0 ? Command(Grab{2, {}})
                               : Command(DragTo{{0.1f * static_cast<float>(i), 2, 0}}));
        std::this_thread::sleep_for(1ms);
    }
    physics.command(Shoot{{0, 2, 5}, {0, 0, -10}});
    physics.run(false);
    physics.step(30);
    physics.wait();
    const std::uint64_t end = physics.frame().step, hash = physics.frame().hash.value();
    const std::vector<LoggedCommand> log = physics.log();
    EXPECT_EQ(log.size(), 21u);

    Session again(find_scene("stack-10"), {}, "stack-10", {{.threads = 1}});
    again.set_future(log);
    while (again.live().steps_done() < end) again.step();
    EXPECT_EQ(again.live().hash(), hash);
}

TEST(PhysicsThread, StepsBackAndPausesAndReports) {
    PhysicsThread physics({{.threads = 1}});
    physics.wish({.contacts = true, .measures = true, .hash = true});
    physics.load("stack-10");
    physics.step(20);
    physics.wait();
    EXPECT_EQ(physics.frame().step, 20u);
    EXPECT_FALSE(physics.frame().pace.running);
    EXPECT_FALSE(physics.frame().contacts.empty());
    EXPECT_GT(value_of(physics.frame().measures, "potential_energy"), 0);
    EXPECT_EQ(physics.frame().stage_seconds.size(), world_stage_names.size());
    EXPECT_GT(physics.frame().memory, 0u);
    const std::uint64_t hash = physics.frame().hash.value();
    physics.step(13);
    physics.step_back(13);
    physics.wait();
    EXPECT_EQ(physics.frame().step, 20u);
    EXPECT_EQ(physics.frame().hash.value(), hash);
    physics.step_back(21);
    physics.step_back(1);
    physics.wait();
    EXPECT_EQ(physics.frame().step, 0u);
    ASSERT_EQ(physics.messages().size(), 1u);
}

TEST(PhysicsThread, SaysWhatIsWrongAndGoesOn) {
    PhysicsThread physics({{.threads = 1}});
    physics.step(); // without a scene: nothing
    physics.load("no such scene");
    physics.load("stack-10");
    physics.load("pille");
    physics.command(Grab{999'999, {}});
    physics.move_to({"no such device", 0, 0});
    physics.set_rate(-1);
    physics.record("/no/such/folder/a.rec", 1);
    physics.step(3);
    physics.wait();
    EXPECT_EQ(physics.messages().size(), 6u);
    EXPECT_EQ(physics.frame().step, 3u);
    EXPECT_EQ(physics.frame().appearance->scene, "stack-10");
    EXPECT_TRUE(physics.busy().empty());
}

TEST(PhysicsThread, RunsAtItsRate) {
    PhysicsThread physics({{.threads = 1}});
    physics.load("stack-10");
    physics.set_rate(0.25);
    physics.wait();
    const auto start = std::chrono::steady_clock::now();
    physics.run_to(10); // 10/60 s of the world
    physics.wait_until_paused();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_GE(took, 9 / 60.0 / 0.25); // slow motion is never faster than it should be
    EXPECT_EQ(physics.frame().step, 10u);
}

/// Bytes that malloc has given out, in all threads.
std::size_t heap_in_use() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

TEST(PhysicsThread, ManyResetsLeaveAsMuchMemoryAsOne) {
    PhysicsThread physics({{.threads = 1}});
    const char* formations[] = {"stream-300", "towers-2x2", "towers-4x4", "towers-6x6", "towers-8x8"};
    std::uint64_t world = 0;
    std::size_t heap = 0;
    for (int round = 0; round <= 100; ++round) {
        physics.load(formations[round % 5]);
        physics.step(1);
        physics.wait();
        if (round % 5) continue;
        if (round == 0) world = physics.frame().memory;
        if (round == 10) heap = heap_in_use(); // the buffers of frames have their sizes
        EXPECT_EQ(physics.frame().memory, world);
    }
    ASSERT_GT(world, 0u);
    // one world that is left over would show
    EXPECT_LT(heap_in_use(), heap + world / 2);
    EXPECT_TRUE(physics.messages().empty());
}

TEST(Timer, CountsPassesAndKeepsTheMeanOfTheFirstTen) {
    Timer timer;
    timer.start(100);
    EXPECT_EQ(timer.passes(), 0u);
    EXPECT_EQ(timer.rate(), 0);
    double now = 100;
    for (int k = 1; k <= 9; ++k) timer.pass(now += 0.01 * k);
    EXPECT_FALSE(timer.fixed_step());
    timer.pass(now += 0.05);
    ASSERT_TRUE(timer.fixed_step());
    EXPECT_NEAR(*timer.fixed_step(), 0.05, 1e-12); // (0.01 + … + 0.09 + 0.05) / 10
    for (int k = 0; k < 5; ++k) timer.pass(now += 0.0004);
    EXPECT_NEAR(*timer.fixed_step(), 0.05, 1e-12);
    EXPECT_EQ(timer.passes(), 15u);
    EXPECT_NEAR(timer.step(), 0.0004, 1e-12);
    EXPECT_NEAR(timer.rate(), 2500, 1e-5);
    EXPECT_NEAR(timer.total(), 0.502, 1e-12);
    timer.stamp("motion", 200);
    timer.stamp("normals", 200.0003);
    EXPECT_NEAR(timer.since("motion", 200.0005).value_or(0), 0.0005, 1e-9);
    EXPECT_NEAR(timer.since("normals", 200.0005).value_or(0), 0.0002, 1e-9);
    EXPECT_FALSE(timer.since("collision", 201));
    timer.start(300);
    EXPECT_FALSE(timer.since("motion", 301));
    EXPECT_FALSE(timer.fixed_step());
}

TEST(Pacer, StepsFollowTheClockAndDebtIsForgotten) {
    Pacer pacer;
    const double dt = 1.0 / 64; // sums of it are exact
    pacer.start(100);
    EXPECT_EQ(pacer.due(100 + 5 * dt, 1, dt), 5);
    EXPECT_EQ(pacer.due(100 + 5.5 * dt, 1, dt), 0);
    EXPECT_EQ(pacer.until_next(1, dt), 0.5 * dt);
    EXPECT_EQ(pacer.until_next(0.25, dt), 2 * dt);
    EXPECT_EQ(pacer.due(100 + 6 * dt, 1, dt), 1);
    EXPECT_EQ(pacer.due(110, 1, dt), 16); // a quarter of a second, not ten
    EXPECT_EQ(pacer.due(110 + 16 * dt, 0.125, dt), 2);
    pacer.start(0);
    EXPECT_EQ(pacer.due(1, 1e-3, 0.5), 0); // a step longer than the debt that is kept still comes
    EXPECT_EQ(pacer.due(501, 1e-3, 0.5), 1);
    EXPECT_GT(pacer.due(501, as_fast_as_possible, 0.01), 1);
}

TEST(TripleBuffer, TheReaderSeesTheNewestAndNeverHalf) {
    TripleBuffer<std::array<int, 64>> buffer;
    constexpr int last = 20'000;
    std::thread writer([&] {
        for (int value = 1; value <= last; ++value) {
            buffer.back().fill(value);
            buffer.publish();
        }
    });
    int seen = 0;
    while (seen < last) {
        if (!buffer.update()) continue;
        const auto& values = buffer.front();
        EXPECT_GT(values[0], seen);
        for (const int value : values) ASSERT_EQ(value, values[0]);
        seen = values[0];
    }
    writer.join();
    EXPECT_FALSE(buffer.update());
}

TEST(PhysicsThread, FramesSayWhereTheWorldRuns) {
    PhysicsThread physics({{.device = "cpu", .threads = 1}});
    EXPECT_EQ(physics.frame().device, "");
    physics.load("stack-10");
    physics.wait();
    EXPECT_EQ(physics.frame().device, "cpu");
    physics.move_to({.device = "cpu:kernels", .threads = 1});
    physics.wait();
    EXPECT_EQ(physics.frame().device, "cpu:kernels");
}

class EveryScene : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(BuiltIn, EveryScene, ::testing::ValuesIn(test::builtin_names()), test::ParamName());

TEST_P(EveryScene, OpensInTheViewerAndMoves) {
    PhysicsThread physics;
    physics.wish({true, false, false, true});
    physics.load(GetParam(), test::few_bodies(GetParam()));
    physics.step(3);
    physics.wait();
    EXPECT_TRUE(physics.messages().empty());
    const Frame& frame = physics.frame();
    ASSERT_TRUE(frame.appearance);
    EXPECT_EQ(frame.step, 3u);
    EXPECT_EQ(frame.size(), frame.appearance->bodies.size());
    for (const AppearanceBody& body : frame.appearance->bodies)
        ASSERT_LT(body.shape, frame.appearance->shapes.size());
    for (std::uint32_t k = 0; k < frame.appearance->shapes.size(); ++k) {
        // of a body that deforms the mesh or the lines are drawn alone
        const bool deforms =
            (!frame.appearance->lines.empty() && frame.appearance->shapes[k].parts.empty()) ||
            std::any_of(frame.appearance->meshes.begin(), frame.appearance->meshes.end(),
                        [&](const AppearanceMesh& mesh) {
                            return mesh.body && frame.appearance->bodies[*mesh.body].shape == k;
                        });
        const AppearanceShape& shape = frame.appearance->shapes[k];
        EXPECT_TRUE(deforms || !shape.parts.empty());
        EXPECT_TRUE(deforms || shape.reach > 0);
    }
    const Vec3 extent = frame.appearance->high - frame.appearance->low; // a sheet may lie flat at the start
    EXPECT_GT(extent.x * extent.x + extent.y * extent.y + extent.z * extent.z, 0);
    EXPECT_GE(std::min({extent.x, extent.y, extent.z}), 0);
}

} // namespace
} // namespace scree::view
