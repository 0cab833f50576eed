// SPDX-License-Identifier: MIT
// thread_pool.h — the task system of a place: a fixed set of threads that take tasks from a counter.
#pragma once

#include "scree/place.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace scree {

/// The caller is a worker too, so n workers need n - 1 threads, which start with the first call. Between calls they spin briefly,
/// then sleep. A call waits only for tasks that have started, not for threads that wake late. Any thread may call; the threads
/// serve one caller at a time.
class ThreadPool final : public TaskSystem {
public:
    explicit ThreadPool(int workers); ///< 0: one for each core
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int workers() const override { return workers_; }
    /// Runs everything on this thread while the threads serve another caller.
    void run(int count, const std::function<void(int)>& task) override;
    /// Does nothing and returns false while the threads serve another caller.
    bool try_run(int count, const std::function<void(int)>& task);

private:
    void start();
    void work();
    void take_tasks();
    void wake(int asleep, int wanted);

    int workers_;
    std::atomic<bool> busy_{false}; // held by the current caller, who owns the members up to mutex_
    bool started_ = false;
    std::vector<std::thread> threads_; // fewer than workers if the system refuses more
    std::mutex mutex_;                 // for sleeping
    std::condition_variable called_;
    bool crowded_; // more workers than cores
    std::atomic<bool> stop_{false};
    std::atomic<int> asleep_{0};
    // of the current call; read only by workers between taking a task and reporting it done
    const std::function<void(int)>* task_ = nullptr;
    int count_ = 0;
    alignas(64) std::atomic<int> left_{0}; // tasks not taken yet; negative after late requests
    std::atomic<unsigned> round_{0};       // a new value wakes the threads
    alignas(64) std::atomic<int> done_{0};
};

} // namespace scree
