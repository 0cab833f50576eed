// SPDX-License-Identifier: MIT
// thread_pool.cpp — see thread_pool.h.

#include "device/cpu/thread_pool.h"

#include "device/cpu/waiting.h"

#include <algorithm>
#include <system_error>

namespace scree {

namespace {

// A step is a dozen short parallel stages; sleeping between them would cost more than the stages. With more
// threads than cores, spinning threads get in the way of working ones.
constexpr std::chrono::microseconds before_sleep{300}, before_sleep_crowded{20};

} // namespace

ThreadPool::ThreadPool(int workers)
    : workers_(std::max(1, workers == 0 ? Waiting::cores() : workers)),
      crowded_(Waiting::crowded(workers_)) {}

void ThreadPool::start() {
    started_ = true;
    try {
        for (int k = 1; k < workers_; ++k) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {} // the threads that started do all the work
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        round_.fetch_add(1);
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::take_tasks() {
    int mine = 0;
    // read first: a write would take the cache line from threads that have tasks to take
    while (left_.load(std::memory_order_relaxed) > 0) {
        const int left = left_.fetch_sub(1, std::memory_order_acq_rel);
        if (left <= 0) break;
        (*task_)(count_ - left);
        ++mine;
    }
    if (mine) done_.fetch_add(mine, std::memory_order_acq_rel);
}

/// No more than there are tasks for; each costs the caller a call of the system.
void ThreadPool::wake(int asleep, int wanted) {
    const int threads = static_cast<int>(threads_.size());
    wanted -= threads - asleep;
    if (wanted <= 0) return;
    { std::lock_guard lock(mutex_); }
    if (wanted >= asleep) called_.notify_all();
    else
        for (int k = 0; k < wanted; ++k) called_.notify_one();
}

void ThreadPool::run(int count, const std::function<void(int)>& task) {
    if (workers_ == 1 || count < 2 || !try_run(count, task))
        for (int k = 0; k < count; ++k) task(k);
}

bool ThreadPool::try_run(int count, const std::function<void(int)>& task) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    if (!started_) start();
    task_ = &task;
    count_ = count;
    done_.store(0, std::memory_order_relaxed);
    left_.store(count, std::memory_order_release);
    // either this sees that one is asleep or that one, about to sleep, sees the round: both are in one order of all threads
    round_.fetch_add(1);
    if (const int asleep = asleep_.load(); asleep > 0) wake(asleep, count - 1);
    take_tasks();
    for (Waiting waiting(crowded_); done_.load(std::memory_order_acquire) != count;) waiting.moment();
    busy_.store(false, std::memory_order_release);
    return true;
}

void ThreadPool::work() {
    for (unsigned seen = 0;;) {
        Waiting waiting(crowded_);
        while (round_.load(std::memory_order_acquire) == seen &&
               !waiting.longer_than(crowded_ ? before_sleep_crowded : before_sleep))
            waiting.moment();
        if (round_.load(std::memory_order_acquire) == seen) {
            std::unique_lock lock(mutex_);
            ++asleep_;
            called_.wait(lock, [&] { return round_.load() != seen; });
            --asleep_;
        }
        seen = round_.load(std::memory_order_acquire);
        if (stop_) return;
        take_tasks();
    }
}

} // namespace scree
