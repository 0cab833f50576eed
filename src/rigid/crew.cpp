// SPDX-License-Identifier: MIT
// crew.cpp — see crew.h.

#include "rigid/crew.h"

#include "device/cpu/waiting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {

namespace {

// A helper does two shares in sequence, while a slightly late worker would have done its own in parallel: with a core for each
// worker, wait for it.
constexpr std::chrono::microseconds before_help{20}, before_help_crowded{3};

/// Cost of running a stage on several workers, in microseconds: for opening it, and for each worker.
struct Gate {
    float open, each;
};
constexpr Gate own_gate{0.3f, 0.12f}, foreign_gate{5, 0.5f};

std::uint64_t bit(int worker) { return std::uint64_t{1} << (worker % 64); }

} // namespace

Crew::Crew(Place place)
    : place_(std::move(place)),
      own_(place_.opened().pool),
      tasks_(place_.opened().tasks.get()),
      crowded_(own_ && Waiting::crowded(size())),
      most_at_once_(crowded_ ? Waiting::cores() : size()) {}

Crew::Split Crew::split(float microseconds) const {
    if (waits_cost_nothing && microseconds > 0 && size() > 1) return {size(), most_saved};
    // the least of work / n + open + each * n
    const Gate& gate = own_ ? own_gate : foreign_gate;
    const float best = std::floor(std::sqrt(microseconds / gate.each));
    const float n = std::clamp(best, 1.0f, static_cast<float>(most_at_once_));
    const float saves = microseconds - (microseconds / n + gate.open + gate.each * n);
    return saves > 0 ? Split{static_cast<int>(n), saves} : Split{};
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

std::uint32_t Crew::Program::alone(std::uint32_t stage) const {
    for (; stage < count && shares(stage) == 1; ++stage) work(stage, 0, 1);
    return stage;
}

void Crew::run_stages(std::uint32_t count, const Stages& stages) {
    const Program program{count, stages};
    const std::uint32_t first = program.alone(0);
    if (first == count) return;
    if (!own_) {
        // a foreign task system may run tasks in sequence, so a task must not wait for another
        struct Job {
            const Program& program;
            std::uint32_t stage;
            int shares;
        } job{program, first, 0};
        for (; job.stage < count; job.stage = program.alone(job.stage + 1)) {
            job.shares = program.shares(job.stage);
            tasks_->run(job.shares, [&job](int share) { job.program.work(job.stage, share, job.shares); });
        }
        return;
    }
    int most = 1;
    for (std::uint32_t s = first; s < count; ++s) most = std::max(most, program.shares(s));
    if (!claims_) claims_ = std::make_unique<Claim[]>(static_cast<std::size_t>(size()));
    for (int share = 0; share < most; ++share) claims_[share].stages.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    late_.store(0, std::memory_order_relaxed);
    open_.store(first, std::memory_order_relaxed);
    const struct Job {
        Crew& crew;
        const Program& program;
    } job{*this, program};
    if (own_->try_run(most, [&job](int worker) { job.crew.follow(worker, job.program); })) return;
    for (std::uint32_t s = first; s < count; ++s) program.work(s, 0, 1);
}

/// Runs one worker through the program. A late worker starts at the current stage.
void Crew::follow(int worker, const Program& program) {
    std::uint32_t stage = open_.load(std::memory_order_acquire);
    while (stage < program.count) {
        const int shares = program.shares(stage);
        if (late_.load(std::memory_order_relaxed) & bit(worker))
            late_.fetch_and(~bit(worker), std::memory_order_relaxed);
        if (worker < shares) take_share(stage, worker, shares, program);
        // take over the shares of workers that are late since an earlier stage
        if (const std::uint64_t late = late_.load(std::memory_order_relaxed))
            help(stage, worker, shares, late, program);
        Waiting waiting(crowded_);
        bool helped = false;
        std::uint32_t next;
        while ((next = open_.load(std::memory_order_acquire)) == stage) {
            waiting.moment();
            if (helped || !waiting.longer_than(crowded_ ? before_help_crowded : before_help)) continue;
            helped = true;
            if (const std::uint64_t missing = help(stage, worker, shares, ~std::uint64_t{0}, program))
                late_.fetch_or(missing, std::memory_order_relaxed);
        }
        stage = next;
    }
}

/// Does the share if it is not taken. The worker that finishes a stage also does the following stages of one share, and opens
/// the next.
bool Crew::take_share(std::uint32_t stage, int share, int shares, const Program& program) {
    // all shares of a finished stage are taken, so late workers take none
    std::atomic<std::uint32_t>& claim = claims_[share].stages;
    std::uint32_t taken = claim.load(std::memory_order_relaxed);
    if (taken > stage || !claim.compare_exchange_strong(taken, stage + 1, std::memory_order_acq_rel))
        return false;
    program.work(stage, share, shares);
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 < static_cast<std::uint32_t>(shares)) return true;
    const std::uint32_t next = program.alone(stage + 1);
    done_.store(0, std::memory_order_relaxed);
    open_.store(next, std::memory_order_release);
    return true;
}

/// Does shares that their workers have not started, so that threads without a core delay no one. Returns the bits of these
/// workers.
std::uint64_t Crew::help(std::uint32_t stage, int worker, int shares, std::uint64_t whom,
                         const Program& program) {
    std::uint64_t missing = 0;
    for (int k = 0; k < shares; ++k)
        if (const int share = (worker + k) % shares; share != worker && (whom & bit(share)))
            if (take_share(stage, share, shares, program)) missing |= bit(share);
    return missing;
}

} // namespace scree
