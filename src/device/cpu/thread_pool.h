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

/// The caller works too, so n workers are n - 1 threads, which start with the first call. Between calls they spin for a moment,
/// then sleep. A call waits for tasks that were begun, never for a thread that has taken none: one that wakes late finds
/// nothing left. Any thread may call; the threads work for one caller at a time.
class ThreadPool final : public TaskSystem {
public:
    explicit ThreadPool(int workers); ///< 0: one for each core
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int workers() const override { return workers_; }
    /// While the threads work for another caller, all on this thread.
    void run(int count, const std::function<void(int)>& task) override;
    /// Does nothing and returns false while the threads work for another caller.
    bool try_run(int count, const std::function<void(int)>& task);

private:
    void start();
    void work();
    void take_tasks();
    void wake(int asleep, int wanted);

    int workers_;
    std::atomic<bool> busy_{false}; // there is a caller; what follows up to mutex_ is his
    bool started_ = false;
    std::vector<std::thread> threads_; // fewer than workers where the system gives no more
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
