// SPDX-License-Identifier: MIT
// page_array.h — an array of fixed length for random access, on huge pages where the system has them.
//
// An impact reads some thirty cache lines anywhere in the arrays of a world. With pages of 4 KiB a million particles need more entries
// than the processor's page tables cache.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace scree::impact {

template <class T>
class PageArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PageArray() = default;
    explicit PageArray(std::size_t size, const T& value = {}) : size_(size) {
        constexpr std::size_t huge = std::size_t{1} << 21, line = 64;
        const std::size_t unit = size * sizeof(T) >= huge ? huge : line;
        const std::size_t bytes = (size * sizeof(T) + unit - 1) / unit * unit;
        if (bytes == 0) return;
        void* const memory = std::aligned_alloc(unit, bytes);
        if (!memory) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (unit == huge) madvise(memory, bytes, MADV_HUGEPAGE); // a hint: nothing depends on the answer
#endif
        data_.reset(static_cast<T*>(memory));
        std::uninitialized_fill_n(data_.get(), size, value);
    }

    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

} // namespace scree::impact
