// SPDX-License-Identifier: MIT
// growing_array.h — a long array of plain values that grows without being copied: no step pays for moving it.
//
// A large array has pages of its own. To grow it the system maps more pages behind it or moves the mapping; the bytes stay where
// they are. Where the system cannot do that the array is copied, as a vector is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace scree {

/// Bytes that begin at a cache line. What is added is not initialised.
class GrowingBytes {
public:
    GrowingBytes() = default;
    GrowingBytes(GrowingBytes&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    GrowingBytes& operator=(GrowingBytes&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~GrowingBytes();

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }
    /// Keeps the first `kept` bytes; the size becomes at least `bytes`. Throws std::bad_alloc and changes nothing.
    void grow(std::size_t bytes, std::size_t kept);

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Has the names of std::vector. Aligned to a cache line, so that lane-wide accesses never straddle one.
template <class T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type = T;

    GrowingArray() = default;
    GrowingArray(const GrowingArray& other) { *this = other; }
    GrowingArray(GrowingArray&& other) noexcept
        : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
    GrowingArray& operator=(const GrowingArray& other) {
        if (this == &other) return *this;
        size_ = 0;
        reserve(other.size_);
        if (other.size_) std::memcpy(bytes_.data(), other.bytes_.data(), other.size_ * sizeof(T));
        size_ = other.size_;
        return *this;
    }
    GrowingArray& operator=(GrowingArray&& other) noexcept {
        bytes_ = std::move(other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() { return reinterpret_cast<T*>(bytes_.data()); }
    const T* data() const { return reinterpret_cast<const T*>(bytes_.data()); }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return bytes_.size() / sizeof(T); }
    bool empty() const { return size_ == 0; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T& back() { return data()[size_ - 1]; }

    void clear() { size_ = 0; }
    void reserve(std::size_t n) {
        if (n > capacity()) bytes_.grow(n * sizeof(T), size_ * sizeof(T));
    }
    /// New values are not initialised.
    void resize_raw(std::size_t n) {
        if (n > capacity()) reserve(std::max(n, size_ + size_ / 2));
        size_ = n;
    }
    void resize(std::size_t n, const T& value = T{}) {
        const std::size_t before = size_;
        resize_raw(n);
        if (n > before) std::fill(data() + before, data() + n, value);
    }
    void push_back(const T& value) {
        const T copy = value; // it may lie in this array
        resize_raw(size_ + 1);
        data()[size_ - 1] = copy;
    }
    void pop_back() { --size_; }

private:
    GrowingBytes bytes_;
    std::size_t size_ = 0;
};

} // namespace scree
