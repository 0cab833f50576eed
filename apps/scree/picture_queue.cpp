// SPDX-License-Identifier: MIT
// picture_queue.cpp — see picture_queue.h.
#include "picture_queue.h"

#include <algorithm>

namespace scree {

PictureQueue::PictureQueue(unsigned threads, Write write) : write_(std::move(write)) {
    for (unsigned t = 0; t < std::max(threads, 1u); ++t) threads_.emplace_back([this] { work(); });
}

PictureQueue::~PictureQueue() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void PictureQueue::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
        if (waiting_.empty()) return;
        const auto [number, image] = std::move(waiting_.front());
        waiting_.pop_front();
        ++busy_;
        const bool skip = error_ != nullptr;
        lock.unlock();
        std::exception_ptr error;
        try {
            if (!skip) write_(image, number);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        if (error && !error_) error_ = error;
        --busy_;
        changed_.notify_all();
    }
}

void PictureQueue::rethrow() {
    if (error_) std::rethrow_exception(error_);
}

void PictureQueue::add(render::Image image) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() + busy_ < 2 * threads_.size() || error_; });
    rethrow();
    waiting_.emplace_back(count_++, std::move(image));
    changed_.notify_all();
}

void PictureQueue::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && busy_ == 0; });
    rethrow();
}

} // namespace scree
