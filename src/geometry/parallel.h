// SPDX-License-Identifier: MIT
// parallel.h — a loop over independent items on threads of its own, for work of milliseconds an item.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace scree {

/// Calls visit(0) … visit(count - 1), each once, in any order. `threads` 0: all cores. The first exception is thrown again.
template <class Visit>
void for_each_parallel(std::size_t count, int threads, const Visit& visit) {
    std::size_t workers =
        threads > 0 ? static_cast<std::size_t>(threads) : std::thread::hardware_concurrency();
#ifdef __EMSCRIPTEN__
    workers = 1; // pages have threads only if their server allows it
#endif
    workers = std::min(workers, count);
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) visit(i);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> crew;
    for (std::size_t w = 1; w < workers; ++w) {
        try {
            crew.emplace_back(work);
        } catch (const std::system_error&) {
            break; // fewer threads, the same result
        }
    }
    work();
    for (std::thread& thread : crew) thread.join();
    if (failure) std::rethrow_exception(failure);
}

} // namespace scree
