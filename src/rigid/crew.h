// SPDX-License-Identifier: MIT
// crew.h — the threads of a step: loops split among them, and programs of many short stages without a call for each.
#pragma once

#include "device/cpu/thread_pool.h"
#include "scree/device.h"

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
    /// `tasks` may be null: then the crew has threads of its own.
    Crew(int threads, TaskSystem* tasks);

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

    /// Stages 0 … count-1 in order, each in as many shares as there are workers: work(stage, share, workers), once for each, by
    /// its own worker unless that one is late. `items`: how much there is to do. A stage begins when the one before is finished.
    template <class Work>
    void program(std::uint32_t count, std::uint32_t items, const Work& work) {
        // with so little to do waiting for each other would cost more than it saves
        if (items < 256) {
            for (std::uint32_t s = 0; s < count; ++s) work(s, 0, 1);
            return;
        }
        run_stages(count, {&work, [](const void* w, std::uint32_t stage, int worker, int workers) {
                               (*static_cast<const Work*>(w))(stage, worker, workers);
                           }});
    }

private:
    // a function and what it needs, without the memory that std::function would take for it
    struct Chunks {
        const void* work;
        void (*call)(const void*, std::uint32_t begin, std::uint32_t end, int chunk);
    };
    struct Stages {
        const void* work;
        void (*call)(const void*, std::uint32_t stage, int worker, int workers);
    };
    void run_chunks(std::uint32_t items, std::uint32_t grain, const Chunks& chunks);
    void run_stages(std::uint32_t count, const Stages& stages);
    void take_share(std::uint32_t stage, int share, int workers, const Stages& stages);
    void wait_for_all(std::uint32_t stage, int worker, int workers, const Stages& stages);

    std::unique_ptr<ThreadPool> own_;
    TaskSystem* tasks_;
    struct alignas(64) Claim {
        std::atomic<std::uint32_t> stages{0}; ///< of which this share was taken
    };
    std::unique_ptr<Claim[]> claims_;
    alignas(64) std::atomic<std::uint32_t> done_{0}; ///< shares of all stages
    alignas(64) std::atomic<std::uint32_t> open_{0}; ///< the stage that is under way
};

} // namespace scree
