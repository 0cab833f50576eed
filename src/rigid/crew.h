// SPDX-License-Identifier: MIT
// crew.h — the threads of a step: loops split among them, and programs of many short stages without a call for each.
#pragma once

#include "device/opened.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace scree {

/// The share of `items` that a worker does, in whole blocks
struct Share {
    std::uint32_t begin, end;
};
inline Share share(std::uint32_t items, std::uint32_t lanes, int worker, int workers) {
    const std::uint64_t blocks = items / lanes;
    const auto w = static_cast<std::uint64_t>(worker), n = static_cast<std::uint64_t>(workers);
    return {static_cast<std::uint32_t>(blocks * w / n) * lanes,
            static_cast<std::uint32_t>(blocks * (w + 1) / n) * lanes};
}

class Crew {
public:
    /// The place's threads. While they work for another world of the place, the caller's alone.
    explicit Crew(Place place);

    int size() const { return tasks_->workers(); }
    TaskSystem& tasks() { return *tasks_; }

    /// work(begin, end, chunk) over chunks of `grain` items; any worker may take any chunk.
    template <class Work>
    void each(std::uint32_t items, std::uint32_t grain, const Work& work) {
        run_chunks(items, grain,
                   {&work, [](const void* w, std::uint32_t begin, std::uint32_t end, int chunk) {
                        (*static_cast<const Work*>(w))(begin, end, chunk);
                    }});
    }
    static std::uint32_t chunks(std::uint32_t items, std::uint32_t grain) {
        return (items + grain - 1) / grain;
    }

    /// In how many shares a stage of a program is best done, and how many microseconds that saves over one thread.
    struct Split {
        int shares = 1; ///< from 1 to size()
        float saves = 0;
    };
    /// Of a stage that one thread would do in so many microseconds.
    Split split(float microseconds) const;
    /// For tests: as if waiting for each other cost nothing, so that small worlds are split among all workers too.
    static inline std::atomic<bool> waits_cost_nothing{false};

    /// Stages 0 … count-1 in order; one begins when the one before is finished. shares(stage) says in how many shares a stage
    /// is done: work(stage, share, shares), once for each, by its own worker unless that one is late. `saves`: of all
    /// stages together; where calling the others costs more, one thread does everything.
    template <class Work, class Shares>
    void program(std::uint32_t count, const Work& work, const Shares& shares, float saves = most_saved) {
        struct Both {
            const Work& work;
            const Shares& shares;
        } const both{work, shares};
        if (saves < call_cost) {
            for (std::uint32_t s = 0; s < count; ++s) work(s, 0, 1);
            return;
        }
        run_stages(count, {&both,
                           [](const void* b, std::uint32_t stage, int share, int of) {
                               static_cast<const Both*>(b)->work(stage, share, of);
                           },
                           [](const void* b, std::uint32_t stage) {
                               return static_cast<int>(static_cast<const Both*>(b)->shares(stage));
                           }});
    }

private:
    static constexpr float call_cost = 40, most_saved = 1e9f; // microseconds
    // a function and what it needs, without the memory that std::function would take for it
    struct Chunks {
        const void* work;
        void (*call)(const void*, std::uint32_t begin, std::uint32_t end, int chunk);
    };
    struct Stages {
        const void* both;
        void (*work)(const void*, std::uint32_t stage, int share, int shares);
        int (*shares)(const void*, std::uint32_t stage);
    };
    struct Program {
        std::uint32_t count;
        const Stages& stages;
        int shares(std::uint32_t stage) const { return stages.shares(stages.both, stage); }
        void work(std::uint32_t stage, int share, int shares) const {
            stages.work(stages.both, stage, share, shares);
        }
        /// Does the stages from here on that are one share; the first that is more, or count.
        std::uint32_t alone(std::uint32_t stage) const;
    };
    void run_chunks(std::uint32_t items, std::uint32_t grain, const Chunks& chunks);
    void run_stages(std::uint32_t count, const Stages& stages);
    void follow(int worker, const Program& program);
    bool take_share(std::uint32_t stage, int share, int shares, const Program& program);
    std::uint64_t help(std::uint32_t stage, int worker, int shares, std::uint64_t whom,
                       const Program& program);

    Place place_;
    ThreadPool* own_;   ///< null: the user's task system
    TaskSystem* tasks_; ///< either
    bool crowded_;     ///< more workers than cores
    int most_at_once_; ///< workers that a stage is worth at most
    struct alignas(64) Claim {
        std::atomic<std::uint32_t> stages{0}; ///< 1 + the last stage of which this share was taken
    };
    std::unique_ptr<Claim[]> claims_;
    alignas(64) std::atomic<std::uint32_t> done_{0}; ///< shares of the open stage
    // who waits reads this line only, and nobody writes it while small stages are done
    alignas(64) std::atomic<std::uint32_t> open_{0}; ///< the stage that is under way
    std::atomic<std::uint64_t> late_{0}; ///< workers who did not come for a share: bit worker % 64
};

} // namespace scree
