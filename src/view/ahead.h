// SPDX-License-Identifier: MIT
// ahead.h — runs one call at a time on a thread of its own: the next steps, while the last picture is drawn.
//
//     Ahead ahead;
//     ahead.begin([&] { world.step(dt); });
//     draw(frame);
//     ahead.finish();
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace scree::view {

class Ahead {
public:
    /// Without a thread finish() makes the call, for worlds that belong to the thread that made them.
    explicit Ahead(bool own_thread = true);
    /// Waits for the call under way; what it throws is lost.
    ~Ahead();
    Ahead(const Ahead&) = delete;
    Ahead& operator=(const Ahead&) = delete;

    /// Returns at once. Throws Error when the call before was not finished.
    void begin(std::function<void()> call);
    /// Waits until the call has returned and throws what it threw. Nothing happens when none was begun.
    void finish();

private:
    void work();

    std::mutex mutex_; // guards the members below
    std::condition_variable changed_;
    std::function<void()> call_; ///< empty: none was begun
    bool returned_ = false, stop_ = false;
    std::exception_ptr error_;
    std::thread thread_; // last: it uses the rest
};

} // namespace scree::view
