// SPDX-License-Identifier: MIT
// step_arena.h — memory for what lives no longer than a step: an offset that grows, instead of calls of the heap.
//
// Blocks are kept, so that a step asks the heap for nothing once the arena is as large as the step needs. Used with ArenaVector,
// by one thread. What is taken in a Scope is given back when that ends; scopes end in the opposite order of their
// beginnings, and containers before the scope that they grew in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace scree {

class StepArena {
public:
    class Scope {
    public:
        explicit Scope(StepArena& arena) : arena_(arena), block_(arena.block_), used_(arena.used_) {}
        ~Scope() { arena_.block_ = block_, arena_.used_ = used_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        StepArena& arena_;
        std::size_t block_, used_;
    };

    explicit StepArena(std::size_t first_block = 16 * 1024) : first_(first_block) {}
    StepArena(const StepArena&) = delete;
    StepArena& operator=(const StepArena&) = delete;

    /// Of its blocks, whether they are in use or not.
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const Block& block : blocks_) sum += block.size;
        return sum;
    }

    void* take(std::size_t size, std::size_t alignment) {
        for (;; ++block_, used_ = 0) {
            if (block_ == blocks_.size()) {
                const std::size_t last = blocks_.empty() ? first_ / 2 : blocks_.back().size;
                const std::size_t wanted = std::max(2 * last, size + alignment);
                blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[wanted]), wanted});
            }
            Block& block = blocks_[block_];
            void* at = block.memory.get() + used_;
            std::size_t room = block.size - used_;
            if (!std::align(alignment, size, at, room)) continue; // the rest of this block stays unused
            used_ = block.size - room + size;
            return at;
        }
    }
    /// The last one taken is given back at once, so that a vector that grows leaves no trail.
    void give_back(void* memory, std::size_t size) {
        if (block_ >= blocks_.size()) return;
        const std::byte* begin = blocks_[block_].memory.get();
        const auto* at = static_cast<const std::byte*>(memory);
        if (at + size == begin + used_ && at >= begin) used_ -= size;
    }

private:
    struct Block {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size;
    };

    std::vector<Block> blocks_;
    std::size_t first_, block_ = 0, used_ = 0;
};

/// Memory of an arena, or of the heap where there is none. (Not std::pmr: em++ 3.1.6 has no <memory_resource>.)
template <class T>
class ArenaAllocator {
public:
    using value_type = T;
    ArenaAllocator(StepArena* arena = nullptr) : arena_(arena) {} // NOLINT: as std::pmr's
    template <class U>
    ArenaAllocator(const ArenaAllocator<U>& other) : arena_(other.arena()) {} // NOLINT
    StepArena* arena() const { return arena_; }

    T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(arena_ ? arena_->take(count * sizeof(T), alignof(T))
                                      : ::operator new(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) {
        if (arena_) arena_->give_back(memory, count * sizeof(T));
        else ::operator delete(memory);
    }
    template <class U>
    friend bool operator==(const ArenaAllocator& a, const ArenaAllocator<U>& b) {
        return a.arena() == b.arena();
    }

private:
    StepArena* arena_;
};
template <class T>
using ArenaVector = std::vector<T, ArenaAllocator<T>>;

} // namespace scree
