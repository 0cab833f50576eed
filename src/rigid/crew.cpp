// SPDX-License-Identifier: MIT
// crew.cpp — see crew.h.

#include "rigid/crew.h"

#include <algorithm>
#include <thread>

namespace scree {

namespace {

constexpr int spins_before_help = 300, spins_before_yield = 2000;

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
    if (!claims_) claims_ = std::make_unique<Claim[]>(static_cast<std::size_t>(workers));
    for (int share = 0; share < workers; ++share) claims_[share].stages.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    open_.store(0, std::memory_order_relaxed);
    const struct Job {
        Crew& crew;
        const Stages& stages;
        std::uint32_t count;
        int workers;
        void operator()(int worker) const {
            // one who comes late begins where the others are
            for (std::uint32_t s = crew.open_.load(std::memory_order_acquire); s < count;
                 s = crew.open_.load(std::memory_order_acquire)) {
                crew.take_share(s, worker, workers, stages);
                crew.wait_for_all(s, worker, workers, stages);
            }
        }
    } job{*this, stages, count, workers};
    own_->run(workers, [&job](int worker) { job(worker); });
}

/// Does the share if nobody has taken it; the last of a stage opens the next.
void Crew::take_share(std::uint32_t stage, int share, int workers, const Stages& stages) {
    std::uint32_t before = stage;
    if (!claims_[share].stages.compare_exchange_strong(before, stage + 1, std::memory_order_acq_rel)) return;
    stages.call(stages.work, stage, share, workers);
    const std::uint32_t all = static_cast<std::uint32_t>(workers) * (stage + 1);
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == all)
        open_.store(stage + 1, std::memory_order_release);
}

/// Who waits long does what others have not begun: a thread that has no core holds nobody up.
void Crew::wait_for_all(std::uint32_t stage, int worker, int workers, const Stages& stages) {
    for (int spin = 0; open_.load(std::memory_order_acquire) <= stage; ++spin) {
        if (spin == spins_before_help)
            for (int k = 1; k < workers; ++k) take_share(stage, (worker + k) % workers, workers, stages);
        if (spin < spins_before_yield) relax();
        else std::this_thread::yield();
    }
}

} // namespace scree
