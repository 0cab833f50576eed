// SPDX-License-Identifier: MIT
// pair_map.h — pairs of proxies by their key, in one array: pairs that begin and end all the time do not ask the heap.
//
// Open addressing with linear probing; what is removed leaves no mark, since those behind it move up. Values move when others are
// added or removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree {

/// Keys are not 0: first << 32 | second of an ordered pair.
template <class Value>
class PairMap {
public:
    std::size_t size() const { return size_; }
    /// Null if there is none.
    Value* find(std::uint64_t key) {
        if (size_ == 0) return nullptr;
        const std::size_t at = place_of(key);
        return entries_[at].key == key ? &entries_[at].value : nullptr;
    }
    /// The key's value, and whether it is new: then as Value{}.
    std::pair<Value*, bool> add(std::uint64_t key) {
        if (4 * (size_ + 1) > entries_.size()) grow();
        Entry& entry = entries_[place_of(key)];
        const bool is_new = entry.key != key;
        if (is_new) entry = {key, {}}, ++size_;
        return {&entry.value, is_new};
    }
    /// The key is there.
    void remove(std::uint64_t key) {
        std::size_t hole = place_of(key);
        for (std::size_t at = next(hole); entries_[at].key != 0; at = next(at)) {
            // one that would be looked for from the hole or before it moves there
            const std::size_t mask = entries_.size() - 1, home = home_of(entries_[at].key);
            if (((at - home) & mask) < ((at - hole) & mask)) continue;
            entries_[hole] = entries_[at];
            hole = at;
        }
        entries_[hole] = {};
        --size_;
    }
    /// Keeps its memory.
    void clear() {
        if (size_ > 0) entries_.assign(entries_.size(), {});
        size_ = 0;
    }
    std::uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }

private:
    struct Entry {
        std::uint64_t key = 0;
        Value value{};
    };
    std::size_t home_of(std::uint64_t key) const {
        key *= 0x9e3779b97f4a7c15u; // Fibonacci hashing, with the high bits where the mask is
        return static_cast<std::size_t>(key ^ key >> 32) & (entries_.size() - 1);
    }
    std::size_t next(std::size_t at) const { return (at + 1) & (entries_.size() - 1); }
    /// Where the key is, or would be.
    std::size_t place_of(std::uint64_t key) const {
        std::size_t at = home_of(key);
        while (entries_[at].key != 0 && entries_[at].key != key) at = next(at);
        return at;
    }
    void grow() {
        std::vector<Entry> old(entries_.empty() ? 16 : 2 * entries_.size());
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.key != 0) entries_[place_of(entry.key)] = entry;
    }

    std::vector<Entry> entries_; ///< a power of two, at most a quarter full
    std::size_t size_ = 0;
};

} // namespace scree
