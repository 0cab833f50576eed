// SPDX-License-Identifier: MIT
// steady_state.cpp — see steady_state.h.
// compiled alone
#include "support/steady_state.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> held{0}, most_held{0};

std::size_t size_of(void* memory) {
#ifdef __GLIBC__
    return malloc_usable_size(memory);
#else
    static_cast<void>(memory);
    return 0;
#endif
}

void* counted(std::size_t size, std::size_t alignment) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    void* memory = alignment <= alignof(std::max_align_t)
                       ? std::malloc(size ? size : 1)
                       : std::aligned_alloc(alignment, rounded ? rounded : alignment);
    if (!memory) throw std::bad_alloc();
    const std::size_t bytes = size_of(memory);
    const std::uint64_t now = held.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t most = most_held.load(std::memory_order_relaxed);
    while (now > most && !most_held.compare_exchange_weak(most, now, std::memory_order_relaxed)) {}
    return memory;
}

void freed(void* memory) {
    if (memory) held.fetch_sub(size_of(memory), std::memory_order_relaxed);
    std::free(memory);
}

} // namespace

// not inlined: a compiler that sees malloc behind new and free behind delete in one place takes them for a mismatch
[[gnu::noinline]] void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return counted(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t a) {
    return counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t a) {
    return counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { freed(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    freed(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    freed(memory);
}

namespace scree::test {

std::uint64_t heap_calls() { return allocations.load(); }
std::uint64_t heap_bytes() { return held.load(); }
std::uint64_t most_heap_bytes() { return most_held.load(); }
void forget_most_heap_bytes() { most_held.store(held.load()); }

} // namespace scree::test
