// SPDX-License-Identifier: MIT
// picture_queue.h — pictures that other threads compress and write while the next are drawn.
#pragma once

#include "render/image.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace scree {

class PictureQueue {
public:
    using Write = std::function<void(const render::Image& image, std::uint64_t number)>;
    /// With one thread pictures are written in their order.
    PictureQueue(unsigned threads, Write write);
    /// Pictures that wait are still written, unless one could not be.
    ~PictureQueue();
    PictureQueue(const PictureQueue&) = delete;
    PictureQueue& operator=(const PictureQueue&) = delete;

    /// Waits while two a thread are on their way. Throws what writing an earlier one threw.
    void add(render::Image image);
    /// Waits for all of them; throws like add().
    void finish();

private:
    void work();
    void rethrow();

    Write write_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<std::uint64_t, render::Image>> waiting_;
    std::uint64_t count_ = 0;
    std::size_t busy_ = 0;
    bool ended_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> threads_;
};

} // namespace scree
