// SPDX-License-Identifier: MIT
// waiting.h — spin waits, for conditions that hold within microseconds.
#pragma once

#include <chrono>
#include <thread>

namespace scree {

/// Spins for a while, then yields the core; yields at once if there are more threads than cores. A pause takes 5 to 50 ns on
/// current processors, so limits are given as times.
class Waiting {
public:
    explicit Waiting(bool crowded) : crowded_(crowded) {}

    void moment() {
        const bool yields = crowded_ || waited_ > std::chrono::microseconds(100);
        if (yields) std::this_thread::yield();
        else pause();
        if (!yields && ++pauses_ % 8 != 0) return;
        const auto now = std::chrono::steady_clock::now();
        if (began_ == std::chrono::steady_clock::time_point{}) began_ = now;
        waited_ = now - began_;
    }
    bool longer_than(std::chrono::nanoseconds limit) const { return waited_ > limit; }

    static int cores() { return static_cast<int>(std::thread::hardware_concurrency()); } ///< 0: not known
    static bool crowded(int threads) { return cores() != 0 && threads > cores(); }

private:
    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    bool crowded_;
    unsigned pauses_ = 0;
    std::chrono::steady_clock::time_point began_{};
    std::chrono::nanoseconds waited_{0};
};

} // namespace scree
