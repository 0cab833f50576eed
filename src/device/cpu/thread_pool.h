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

/// The caller works too, so n workers are n - 1 threads. Between calls the threads spin for a moment, then sleep.
class ThreadPool final : public TaskSystem {
public:
    explicit ThreadPool(int workers);
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int workers() const override { return static_cast<int>(threads_.size()) + 1; }
    void run(int count, const std::function<void(int)>& task) override;

private:
    void work();
    void take_tasks(const std::function<void(int)>& task, int count);

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<unsigned> round_{0}; // a new value calls the threads; changed under the mutex
    std::atomic<int> next_{0};
    std::atomic<int> busy_{0}; // threads that have not finished this round
    const std::function<void(int)>* task_ = nullptr;
    int count_ = 0;
    bool stop_ = false;
};

} // namespace scree
