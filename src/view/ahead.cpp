// SPDX-License-Identifier: MIT
// ahead.cpp — see ahead.h.
#include "view/ahead.h"

#include "scree/error.h"

#include <utility>

namespace scree::view {

Ahead::Ahead(bool own_thread) {
    if (own_thread) thread_ = std::thread([this] { work(); });
}

Ahead::~Ahead() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Ahead::begin(std::function<void()> call) {
    {
        const std::lock_guard lock(mutex_);
        if (call_) throw Error("the call before was not finished", "ahead");
        call_ = std::move(call);
        returned_ = false;
    }
    changed_.notify_all();
}

void Ahead::finish() {
    if (!thread_.joinable()) {
        if (const auto call = std::exchange(call_, nullptr)) call();
        return;
    }
    std::unique_lock lock(mutex_);
    if (!call_) return;
    changed_.wait(lock, [this] { return returned_; });
    call_ = nullptr;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Ahead::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_ || (call_ && !returned_); });
        if (stop_) return;
        lock.unlock();
        std::exception_ptr error;
        try {
            call_(); // nobody touches it until it has returned
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        error_ = error;
        returned_ = true;
        changed_.notify_all();
    }
}

} // namespace scree::view
