// SPDX-License-Identifier: MIT
// crew_test.cpp — programs of many short stages on threads: each share once, no stage before the one before is finished.
#include "rigid/crew.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace scree {
namespace {

constexpr std::uint32_t much = 100'000; // items: more than one thread would do alone

TEST(Crew, EveryShareOfEveryStageIsDoneOnceAndInOrder) {
    for (const int threads : {1, 2, 3, 7}) {
        Crew crew(threads, nullptr);
        constexpr std::uint32_t stages = 500;
        std::vector<std::atomic<int>> done(stages * static_cast<std::size_t>(threads));
        std::atomic<int> finished{0};
        std::atomic<bool> early{false};
        for (int round = 0; round < 3; ++round) {
            finished = 0;
            crew.program(stages, much, [&](std::uint32_t stage, int share, int workers) {
                ASSERT_EQ(workers, threads);
                if (finished.load() < static_cast<int>(stage) * workers) early = true;
                ++done[stage * static_cast<std::size_t>(workers) + static_cast<std::size_t>(share)];
                ++finished;
            });
            EXPECT_EQ(finished.load(), static_cast<int>(stages) * threads);
        }
        EXPECT_FALSE(early.load()) << threads;
        for (const std::atomic<int>& times : done) ASSERT_EQ(times.load(), 3) << threads;
    }
}

/// What one stage wrote the next may read, whoever does it.
TEST(Crew, AStageSeesWhatTheOneBeforeWrote) {
    constexpr int threads = 4;
    Crew crew(threads, nullptr);
    std::vector<std::uint32_t> now(64 * threads, 0), next(64 * threads);
    crew.program(200, much, [&](std::uint32_t stage, int share, int workers) {
        std::vector<std::uint32_t>&from = stage % 2 ? next : now, &to = stage % 2 ? now : next;
        for (std::size_t k = static_cast<std::size_t>(share); k < from.size();
             k += static_cast<std::size_t>(workers))
            to[k] = from[(k + 1) % from.size()] + 1;
    });
    for (const std::uint32_t value : now) EXPECT_EQ(value, 200u);
}

/// Somebody who is busy elsewhere is waited for only while he is at work on his share.
TEST(Crew, ALateWorkerFindsHisSharesDone) {
    constexpr int threads = 3;
    Crew crew(threads, nullptr);
    std::atomic<int> done{0};
    std::atomic<bool> slept{false};
    crew.program(50, much, [&](std::uint32_t, int, int) {
        if (!slept.exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++done;
    });
    EXPECT_EQ(done.load(), 50 * threads);
}

} // namespace
} // namespace scree
