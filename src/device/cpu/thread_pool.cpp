// SPDX-License-Identifier: MIT
// thread_pool.cpp — see thread_pool.h.

#include "device/cpu/thread_pool.h"

namespace scree {

namespace {

// A step is a dozen short parallel stages; sleeping between them would cost more than the stages.
constexpr int spins_before_sleep = 4000;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

ThreadPool::ThreadPool(int workers) {
    for (int k = 1; k < workers; ++k) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::take_tasks(const std::function<void(int)>& task, int count) {
    for (int k = next_.fetch_add(1, std::memory_order_relaxed); k < count;
         k = next_.fetch_add(1, std::memory_order_relaxed))
        task(k);
}

void ThreadPool::run(int count, const std::function<void(int)>& task) {
    if (threads_.empty() || count < 2) {
        for (int k = 0; k < count; ++k) task(k);
        return;
    }
    {
        std::lock_guard lock(mutex_);
        task_ = &task;
        count_ = count;
        next_.store(0, std::memory_order_relaxed);
        busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    take_tasks(task, count);
    for (int spin = 0; busy_.load(std::memory_order_acquire) != 0; ++spin) {
        if (spin < spins_before_sleep) relax();
        else std::this_thread::yield();
    }
}

void ThreadPool::work() {
    unsigned seen = 0;
    for (;;) {
        for (int spin = 0; spin < spins_before_sleep && round_.load(std::memory_order_acquire) == seen;
             ++spin)
            relax();
        const std::function<void(int)>* task = nullptr;
        int count = 0;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return round_.load(std::memory_order_acquire) != seen; });
            seen = round_.load(std::memory_order_relaxed);
            if (stop_) return;
            task = task_;
            count = count_;
        }
        take_tasks(*task, count);
        busy_.fetch_sub(1, std::memory_order_acq_rel);
    }
}

} // namespace scree
