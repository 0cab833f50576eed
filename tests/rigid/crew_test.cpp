// SPDX-License-Identifier: MIT
// crew_test.cpp — programs of many short stages on threads: each share once, no stage before the one before is finished.
#include "rigid/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace scree {
namespace {

/// every stage is for all workers
struct Everybody {
    int workers;
    int operator()(std::uint32_t) const { return workers; }
};

/// Somebody else's: tasks one after the other, or each on a thread of its own, the last first.
class Foreign final : public TaskSystem {
public:
    explicit Foreign(bool threads) : threads_(threads) {}
    int workers() const override { return 6; }
    void run(int count, const std::function<void(int)>& task) override {
        if (!threads_) {
            for (int k = count; k-- > 0;) task(k);
            return;
        }
        std::vector<std::thread> each;
        for (int k = count; k-- > 0;) each.emplace_back([&task, k] { task(k); });
        for (std::thread& thread : each) thread.join();
    }

private:
    bool threads_;
};

/// Programs of stages in a random number of shares each, many of them one.
void expect_random_programs(Crew& crew, std::uint32_t stages, int rounds) {
    std::mt19937 random(static_cast<unsigned>(crew.size()));
    for (int round = 0; round < rounds; ++round) {
        std::vector<int> shares(stages), before(stages + 1, 0);
        for (std::uint32_t s = 0; s < stages; ++s) {
            const auto n = static_cast<unsigned>(crew.size());
            shares[s] = random() % 3 ? static_cast<int>(1 + random() % n) : 1;
            before[s + 1] = before[s] + shares[s];
        }
        std::vector<std::atomic<int>> times(static_cast<std::size_t>(before[stages]));
        std::atomic<int> finished{0}, wrong{0};
        crew.program(
            stages,
            [&](std::uint32_t stage, int share, int of) {
                if (of != shares[stage] || share < 0 || share >= of) {
                    ++wrong;
                    return;
                }
                // all of the stages before, and of this one nobody twice
                const int seen = finished.load();
                if (seen < before[stage] || seen >= before[stage + 1]) ++wrong;
                ++times[static_cast<std::size_t>(before[stage] + share)];
                ++finished;
            },
            [&](std::uint32_t stage) { return shares[stage]; });
        ASSERT_EQ(wrong.load(), 0) << crew.size() << " workers";
        ASSERT_EQ(finished.load(), before[stages]) << crew.size() << " workers";
        for (const std::atomic<int>& once : times) ASSERT_EQ(once.load(), 1) << crew.size() << " workers";
    }
}

TEST(Crew, ZeroThreadsAreOneForEachCore) {
    EXPECT_EQ(Crew(Place()).size(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(Crew, EveryShareOfEveryStageIsDoneOnceAndInOrder) {
    for (const int threads : {1, 2, 3, 7}) {
        Crew crew({{.threads = threads}});
        constexpr std::uint32_t stages = 500;
        std::vector<std::atomic<int>> done(stages * static_cast<std::size_t>(threads));
        std::atomic<int> finished{0};
        std::atomic<bool> early{false};
        for (int round = 0; round < 3; ++round) {
            finished = 0;
            const auto work = [&](std::uint32_t stage, int share, int workers) {
                ASSERT_EQ(workers, threads);
                if (finished.load() < static_cast<int>(stage) * workers) early = true;
                ++done[stage * static_cast<std::size_t>(workers) + static_cast<std::size_t>(share)];
                ++finished;
            };
            crew.program(stages, work, Everybody{threads});
            EXPECT_EQ(finished.load(), static_cast<int>(stages) * threads);
        }
        EXPECT_FALSE(early.load()) << threads;
        for (const std::atomic<int>& times : done) ASSERT_EQ(times.load(), 3) << threads;
    }
}

/// What one stage wrote the next may read, whoever does it.
TEST(Crew, AStageSeesWhatTheOneBeforeWrote) {
    constexpr int threads = 4;
    Crew crew({{.threads = threads}});
    std::vector<std::uint32_t> now(64 * threads, 0), next(64 * threads);
    const auto work = [&](std::uint32_t stage, int share, int workers) {
        std::vector<std::uint32_t>&from = stage % 2 ? next : now, &to = stage % 2 ? now : next;
        for (std::size_t k = static_cast<std::size_t>(share); k < from.size();
             k += static_cast<std::size_t>(workers))
            to[k] = from[(k + 1) % from.size()] + 1;
    };
    crew.program(200, work, Everybody{threads});
    for (const std::uint32_t value : now) EXPECT_EQ(value, 200u);
}

/// Somebody who is busy elsewhere is waited for only while he is at work on his share.
TEST(Crew, ALateWorkerFindsHisSharesDone) {
    constexpr int threads = 3;
    Crew crew({{.threads = threads}});
    std::atomic<int> done{0};
    std::atomic<bool> slept{false};
    const auto work = [&](std::uint32_t, int, int) {
        if (!slept.exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++done;
    };
    crew.program(50, work, Everybody{threads});
    EXPECT_EQ(done.load(), 50 * threads);
}

TEST(Crew, EveryStageIsDoneInItsOwnNumberOfShares) {
    for (int threads = 1; threads <= 8; ++threads) {
        Crew crew({{.threads = threads}});
        expect_random_programs(crew, 300, 20);
    }
}

TEST(Crew, AForeignTaskSystemDoesTheSameProgramsInAnyOrderOfTasks) {
    for (const bool threads : {false, true}) {
        Foreign foreign(threads);
        Crew crew({{.tasks = &foreign}});
        expect_random_programs(crew, 40, 5);
    }
}

/// Stages of one share between others see what was written before, and are seen.
TEST(Crew, SmallStagesAreInOrderWithLargeOnes) {
    for (const int threads : {2, 5}) {
        Crew crew({{.threads = threads}});
        std::vector<std::uint32_t> values(64, 0);
        std::uint32_t sum = 0, expected = 0;
        const auto work = [&](std::uint32_t stage, int share, int shares) {
            if (stage % 3 == 1) {
                for (const std::uint32_t value : values) sum += value; // one share: nobody else is here
                return;
            }
            for (auto k = static_cast<std::size_t>(share); k < values.size();
                 k += static_cast<std::size_t>(shares))
                values[k] += 1;
        };
        crew.program(300, work, [&](std::uint32_t stage) { return stage % 3 == 1 ? 1 : threads; });
        for (std::uint32_t small = 0; small < 100; ++small) expected += 64 * (2 * small + 1);
        EXPECT_EQ(sum, expected) << threads;
    }
}

/// Whoever has nobody to share with calls nobody.
TEST(Crew, AProgramThatSavesTooLittleIsDoneByTheCallerAlone) {
    Crew crew({{.threads = 4}});
    const std::thread::id caller = std::this_thread::get_id();
    std::uint32_t done = 0;
    const auto work = [&](std::uint32_t stage, int share, int shares) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(stage, done++);
        EXPECT_EQ(share, 0);
        EXPECT_EQ(shares, 1);
    };
    crew.program(20, work, Everybody{4}, 1.0f); // a microsecond
    crew.program(0, work, Everybody{4});
    EXPECT_EQ(done, 20u);
    done = 0;
    crew.program(20, work, Everybody{1});
    EXPECT_EQ(done, 20u);
}

TEST(Crew, MoreWorkIsSplitAmongMoreWorkersUpToAllThatHaveACore) {
    Foreign foreign(false);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    Crew own({{.threads = cores ? cores : 4}}), crowd({{.threads = cores + 3}}),
        theirs({{.tasks = &foreign}});
    for (const Crew* crew : {&own, &crowd, &theirs}) {
        int last = 1;
        for (float work = 0; work < 1e6f; work = 1.5f * work + 0.05f) {
            const Crew::Split split = crew->split(work);
            ASSERT_GE(split.shares, last) << work;
            ASSERT_LE(split.shares, crew->size()) << work;
            ASSERT_EQ(split.saves > 0, split.shares > 1) << work;
            ASSERT_LT(split.saves, work + 1e-6f);
            last = split.shares;
        }
        EXPECT_EQ(crew->split(0.2f).shares, 1);
        EXPECT_EQ(last, crew == &crowd && cores ? cores : crew->size());
    }
    // a call of somebody else's task system costs more than a gate
    EXPECT_EQ(theirs.split(5).shares, 1);
    EXPECT_EQ(own.split(5).shares > 1, own.size() > 1);
}

/// Crews of one place share its threads.
TEST(Crew, WhileTheThreadsWorkForAnotherTheCallerWorksAlone) {
    const Place place({.threads = 3});
    Crew first(place), second(place);
    std::atomic<int> done{0}, elsewhere{0};
    first.each(3, 1, [&](std::uint32_t, std::uint32_t, int) {
        const std::thread::id caller = std::this_thread::get_id();
        std::uint32_t next = 0;
        Crew own(place);
        own.program(
            20,
            [&](std::uint32_t stage, int share, int shares) {
                if (std::this_thread::get_id() != caller || share != 0 || shares != 1) ++elsewhere;
                if (stage == next++) ++done;
            },
            Everybody{3});
        own.each(5, 1, [&](std::uint32_t, std::uint32_t, int) {
            if (std::this_thread::get_id() != caller) ++elsewhere;
            ++done;
        });
    });
    EXPECT_EQ(done.load(), 3 * 25);
    EXPECT_EQ(elsewhere.load(), 0);
    expect_random_programs(second, 100, 5); // and later they are free again
}

/// A thread that wakes late finds another call's tasks, or none: never one twice, never one of a call that is over.
TEST(Crew, EveryChunkOfThousandsOfShortCallsIsDoneOnce) {
    for (const int threads : {2, 5}) {
        Crew crew({{.threads = threads}});
        std::vector<std::atomic<int>> times(40);
        for (std::uint32_t call = 0; call < 3000; ++call) {
            const std::uint32_t items = 1 + call % 40;
            crew.each(items, 1, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
                EXPECT_EQ(end, begin + 1);
                EXPECT_EQ(static_cast<std::uint32_t>(chunk), begin);
                ++times[begin];
            });
            // long enough for the threads to fall asleep
            if (call % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            for (std::uint32_t k = 0; k < items; ++k) ASSERT_EQ(times[k].exchange(0), 1) << call << ' ' << k;
        }
    }
}

} // namespace
} // namespace scree
