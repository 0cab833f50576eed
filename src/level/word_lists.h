// SPDX-License-Identifier: MIT
// word_lists.h — many short lists of numbers, in two blocks that grow without being copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace scree {

/// Lists are added at the end and read by number. A list of its own for each would take twice the memory.
class WordLists {
public:
    /// Begins a list; `put` appends to it.
    void begin() { begins_.push_back(words_.size()); }
    void put(std::uint32_t word) { words_.push_back(word); }

    std::size_t count() const { return begins_.size(); }
    std::size_t size(std::size_t list) const {
        return (list + 1 < begins_.size() ? begins_[list + 1] : words_.size()) - begins_[list];
    }
    std::uint32_t at(std::size_t list, std::size_t k) const { return words_[begins_[list] + k]; }

private:
    std::deque<std::size_t> begins_;
    std::deque<std::uint32_t> words_;
};

} // namespace scree
