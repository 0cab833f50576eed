// SPDX-License-Identifier: MIT
// crew.h — runs a rigid step on the threads of a place: parallel loops, and programs of many short stages.
//
// A solver runs hundreds of stages of a few microseconds each, too short for a task each. A program starts all workers once;
// they then pass from stage to stage by polling atomics, and take over the shares of late workers.
#pragma once

#include "device/opened.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace scree {

/// The items of one worker, in whole blocks of `lanes`.
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
    /// Uses the place's threads; while these serve another world, only the calling thread.
    explicit Crew(Place place);

    int size() const { return tasks_->workers(); }
    TaskSystem& tasks() { return *tasks_; }

    /// Calls work(begin, end, chunk) for chunks of `grain` items; any worker takes any chunk.
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

    /// The best number of shares for a stage, and the microseconds saved compared with one thread.
    struct Split {
        int shares = 1; ///< from 1 to size()
        float saves = 0;
    };
    /// For a stage that takes one thread this long.
    Split split(float microseconds) const;
    /// Whether to split work whose parts wait for each other, which pays off from so many items on.
    bool worth_splitting(std::uint32_t items, std::uint32_t from) const {
        return size() > 1 && items > 0 && (items >= from || waits_cost_nothing);
    }
    /// For tests: treat synchronisation as free, so that small worlds are split among all workers too.
    static inline std::atomic<bool> waits_cost_nothing{false};

    /// Runs stages 0 … count-1 in order, each after the one before has finished. A stage has shares(stage) shares; for each,
    /// work(stage, share, shares) is called once, by the worker of that number unless it is late. `saves` is the sum of
    /// Split::saves over all stages; if it is less than the cost of starting the workers, one thread runs everything.
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
    // a reference to a callable, without the allocation of std::function
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
        /// Runs the stages of one share from here on; returns the first stage of several shares, or count.
        std::uint32_t alone(std::uint32_t stage) const;
    };
    void run_chunks(std::uint32_t items, std::uint32_t grain, const Chunks& chunks);
    void run_stages(std::uint32_t count, const Stages& stages);
    void follow(int worker, const Program& program);
    bool take_share(std::uint32_t stage, int share, int shares, const Program& program);
    std::uint64_t help(std::uint32_t stage, int worker, int shares, std::uint64_t whom,
                       const Program& program);

    Place place_;
    ThreadPool* own_;   ///< null with a user's task system
    TaskSystem* tasks_; ///< own_ or the user's
    bool crowded_;      ///< more workers than cores
    int most_at_once_;  ///< most workers for a stage
    struct alignas(64) Claim {
        std::atomic<std::uint32_t> stages{0}; ///< 1 + the last stage in which this share was taken
    };
    std::unique_ptr<Claim[]> claims_;
    alignas(64) std::atomic<std::uint32_t> done_{0}; ///< finished shares of the open stage
    // waiting workers read only this cache line, which is not written during small stages
    alignas(64) std::atomic<std::uint32_t> open_{0}; ///< the current stage
    std::atomic<std::uint64_t> late_{0};             ///< workers that missed a share: bit worker % 64
};

} // namespace scree
