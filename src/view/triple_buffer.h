// SPDX-License-Identifier: MIT
// triple_buffer.h — one writer, one reader, neither ever waits: the reader sees the newest value, older ones are dropped.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace scree::view {

template <class T>
class TripleBuffer {
public:
    // writer ------------------------------------------------------------------------------------------------------
    /// What is to be shown next; holds an old value, whose memory may be used again.
    T& back() { return values_[back_]; }
    void publish() { back_ = middle_.exchange(back_ | fresh, std::memory_order_acq_rel) & index; }
    /// Whether the reader has taken what was published last.
    bool taken() const { return (middle_.load(std::memory_order_relaxed) & fresh) == 0; }

    // reader ------------------------------------------------------------------------------------------------------
    /// True when front() is a newer value than before.
    bool update() {
        if ((middle_.load(std::memory_order_relaxed) & fresh) == 0) return false;
        front_ = middle_.exchange(front_, std::memory_order_acq_rel) & index;
        return true;
    }
    /// Stays as it is until update().
    const T& front() const { return values_[front_]; }

private:
    static constexpr std::uint8_t index = 3, fresh = 4;
    std::array<T, 3> values_{};
    std::uint8_t back_ = 0; // writer's
    std::atomic<std::uint8_t> middle_{1};
    std::uint8_t front_ = 2; // reader's
};

} // namespace scree::view
