// SPDX-License-Identifier: MIT
// thread_pool.h — the CPU device's own task system: a fixed set of threads that take tasks from a counter.
#pragma once

#include "scree/device.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace scree {

/// The caller works too, so n workers are n - 1 threads. Between calls the threads spin for a moment, then sleep. A call waits
/// for tasks that were begun, never for a thread that has taken none: one that wakes late finds nothing left.
class ThreadPool final : public TaskSystem {
public:
    explicit ThreadPool(int workers); ///< 0: one for each core
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int workers() const override { return static_cast<int>(threads_.size()) + 1; }
    void run(int count, const std::function<void(int)>& task) override;

private:
    void work();
    void take_tasks();
    void wake(int asleep, int wanted);

    std::vector<std::thread> threads_;
    std::mutex mutex_; // of sleep
    std::condition_variable called_;
    bool crowded_; // more workers than cores
    std::atomic<bool> stop_{false};
    std::atomic<int> asleep_{0};
    // of the call under way; read by who has taken a task and not yet said that it is done
    const std::function<void(int)>* task_ = nullptr;
    int count_ = 0;
    alignas(64) std::atomic<int> left_{
        0};                          // tasks that nobody has taken; less than 0 where many asked in vain
    std::atomic<unsigned> round_{0}; // a new value calls the threads
    alignas(64) std::atomic<int> done_{0};
};

} // namespace scree
