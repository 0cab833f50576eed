// SPDX-License-Identifier: MIT
// physics_thread.h — the world on a thread of its own. Nothing that looks at it can slow it down or change it: it takes
// requests from a queue between steps and leaves frames in a triple buffer; a reader that is slow misses frames, and
// the steps taken are the same for any reader, or none.
//
// All functions may be called from one other thread.
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
    /// Waits for the step under way.
    ~PhysicsThread();
    PhysicsThread(const PhysicsThread&) = delete;
    PhysicsThread& operator=(const PhysicsThread&) = delete;

    // requests; each returns at once ------------------------------------------------------------------------------
    /// A scene's name or file. When it cannot be had, a message says why and the old one stays.
    void load(std::string name, SceneOptions options = {});
    void restart();
    void command(Command command);
    void run(bool running);
    void set_rate(double rate); ///< as_fast_as_possible: without pause
    /// Steps that are taken at once, running or not.
    void step(std::uint64_t count = 1);
    void step_back(std::uint64_t count = 1);
    /// Runs at its rate, and pauses when that many steps are done.
    void run_to(std::uint64_t step);
    void move_to(PlaceOptions options);
    void wish(const Wishes& wishes);
    void set_future(std::vector<LoggedCommand> log);
    void record(std::string file, std::uint32_t steps_per_frame);
    void stop_recording();

    // what comes back ---------------------------------------------------------------------------------------------
    /// True when frame() is a newer one than before.
    bool update() { return frames_.update(); }
    const Frame& frame() const { return frames_.front(); }
    /// What went wrong or is worth a line since the last call.
    std::vector<std::string> messages();
    /// What keeps it from stepping, or nothing: "loading pile".
    std::string busy() const;
    /// Returns when all requests before this one were carried out and what they led to is in frame(). For tests and scripts.
    void wait();
    /// The same when run_to has come to its end.
    void wait_until_paused();
    std::vector<LoggedCommand> log();

private:
    struct Worker;
    void ask(std::function<void(Worker&)> request);

    TripleBuffer<Frame> frames_;
    mutable std::mutex mutex_; // guards what follows
    std::condition_variable asked_, answered_;
    std::vector<std::function<void(Worker&)>> requests_;
    std::vector<std::string> messages_;
    std::string busy_;
    std::uint64_t asked_for_ = 0, done_ = 0; // requests
    bool stop_ = false, paused_ = true;
    std::thread thread_; // last: it uses the rest
};

} // namespace scree::view
