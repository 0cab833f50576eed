// SPDX-License-Identifier: MIT
// crew.cpp — see crew.h.

#include "rigid/crew.h"

#include <algorithm>
#include <thread>

namespace scree {

namespace {

constexpr int spins_before_yield = 2000;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

Crew::Crew(int threads, TaskSystem* tasks) : tasks_(tasks) {
    if (tasks_) return;
    own_ = std::make_unique<ThreadPool>(threads);
    tasks_ = own_.get();
}

void Crew::run_chunks(std::uint32_t items, std::uint32_t grain, const Chunks& work) {
    const std::uint32_t count = chunks(items, grain);
    const struct Job {
        const Chunks& work;
        std::uint32_t items, grain;
        void operator()(std::uint32_t c) const {
            work.call(work.work, c * grain, std::min(items, (c + 1) * grain), static_cast<int>(c));
        }
    } job{work, items, grain};
    if (count <= 1 || size() == 1) {
        for (std::uint32_t c = 0; c < count; ++c) job(c);
        return;
    }
    tasks_->run(static_cast<int>(count), [&job](int c) { job(static_cast<std::uint32_t>(c)); });
}

void Crew::run_stages(std::uint32_t count, const Stages& stages) {
    const int workers = size();
    if (workers == 1) {
        for (std::uint32_t s = 0; s < count; ++s) stages.call(stages.work, s, 0, 1);
        return;
    }
    if (!own_) {
        // a foreign task system may run tasks one after the other, so nobody may wait for another inside one
        struct Job {
            const Stages& stages;
            std::uint32_t stage;
            int workers;
        } job{stages, 0, workers};
        for (; job.stage < count; ++job.stage)
            tasks_->run(workers, [&job](int worker) {
                job.stages.call(job.stages.work, job.stage, worker, job.workers);
            });
        return;
    }
    arrived_.store(0, std::memory_order_relaxed);
    passed_.store(0, std::memory_order_relaxed);
    const struct Job {
        Crew& crew;
        const Stages& stages;
        std::uint32_t count;
        int workers;
        void operator()(int worker) const {
            for (std::uint32_t s = 0; s < count; ++s) {
                stages.call(stages.work, s, worker, workers);
                crew.wait_for_all(s, workers);
            }
        }
    } job{*this, stages, count, workers};
    own_->run(workers, [&job](int worker) { job(worker); });
}

void Crew::wait_for_all(std::uint32_t stage, int workers) {
    // the last to arrive opens the gate for the next stage
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(workers)) {
        arrived_.store(0, std::memory_order_relaxed);
        passed_.store(stage + 1, std::memory_order_release);
        return;
    }
    for (int spin = 0; passed_.load(std::memory_order_acquire) <= stage; ++spin) {
        if (spin < spins_before_yield) relax();
        else std::this_thread::yield();
    }
}

} // namespace scree
