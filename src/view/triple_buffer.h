// SPDX-License-Identifier: MIT
// triple_buffer.h — passes values from one writer to one reader without waiting: the reader gets the newest value.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace scree::view {

template <class T>
class TripleBuffer {
public:
    // writer ------------------------------------------------------------------------------------------------------
    /// The next value to publish; holds an old one, whose memory can be reused.
    T& back() { return values_[back_]; }
    void publish() { back_ = middle_.exchange(back_ | fresh, std::memory_order_acq_rel) & index; }
    /// Whether the reader has taken the last published value.
    bool taken() const { return (middle_.load(std::memory_order_relaxed) & fresh) == 0; }

    // reader ------------------------------------------------------------------------------------------------------
    /// True if front() is new.
    bool update() {
        if ((middle_.load(std::memory_order_relaxed) & fresh) == 0) return false;
        front_ = middle_.exchange(front_, std::memory_order_acq_rel) & index;
        return true;
    }
    /// Valid until update().
    const T& front() const { return values_[front_]; }

private:
    static constexpr std::uint8_t index = 3, fresh = 4;
    std::array<T, 3> values_{};
    std::uint8_t back_ = 0; // writer's
    std::atomic<std::uint8_t> middle_{1};
    std::uint8_t front_ = 2; // reader's
};

} // namespace scree::view
