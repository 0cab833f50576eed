// SPDX-License-Identifier: MIT
// physics_thread.h — runs a world on its own thread. It takes requests from a queue between steps and publishes frames in a
// triple buffer. A slow reader misses frames; the reader neither slows the steps down nor changes them.
//
// Call all functions from one other thread.
#pragma once

#include "view/pacer.h"
#include "view/session.h"
#include "view/triple_buffer.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace scree::view {

class PhysicsThread {
public:
    explicit PhysicsThread(const Place& place = {}, const HistoryLimits& limits = {});
    /// Waits for the current step.
    ~PhysicsThread();
    PhysicsThread(const PhysicsThread&) = delete;
    PhysicsThread& operator=(const PhysicsThread&) = delete;

    // requests; all return at once ------------------------------------------------------------------------------
    /// Loads a scene by name or file. On failure there is a message, and the old scene stays.
    void load(std::string name, SceneOptions options = {});
    void restart();
    void command(Command command);
    void run(bool running);
    void set_rate(double rate); ///< or as_fast_as_possible
    /// Takes steps at once, running or paused.
    void step(std::uint64_t count = 1);
    void step_back(std::uint64_t count = 1);
    /// Runs at the rate until that many steps are done, then pauses.
    void run_to(std::uint64_t step);
    void move_to(PlaceOptions options);
    void wish(const Wishes& wishes);
    void set_future(std::vector<LoggedCommand> log);
    void record(std::string file, std::uint32_t steps_per_frame);
    void stop_recording();

    // results -----------------------------------------------------------------------------------------------------
    /// True if frame() is new.
    bool update() { return frames_.update(); }
    const Frame& frame() const { return frames_.front(); }
    /// Errors and notices since the last call.
    std::vector<std::string> messages();
    /// Current activity other than stepping, e.g. "loading pile"; may be empty.
    std::string busy() const;
    /// Waits until all earlier requests are done and their result is in frame(). For tests and scripts.
    void wait();
    /// The same, and until run_to has ended.
    void wait_until_paused();
    std::vector<LoggedCommand> log();

private:
    struct Worker;
    void ask(std::function<void(Worker&)> request);

    TripleBuffer<Frame> frames_;
    mutable std::mutex mutex_; // guards the members below
    std::condition_variable asked_, answered_;
    std::vector<std::function<void(Worker&)>> requests_;
    std::vector<std::string> messages_;
    std::string busy_;
    std::uint64_t asked_for_ = 0, done_ = 0; // requests
    bool stop_ = false, paused_ = true;
    std::thread thread_; // last: it uses the rest
};

} // namespace scree::view
