// SPDX-License-Identifier: MIT
// pair_queue.h — pairs by the time before which they cannot meet: a heap whose elements can be removed and re-keyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree {

/// One entry a slot. Of equal times the smaller name comes first, so that the order does not depend on the past.
class PairQueue {
public:
    struct Entry {
        double time;
        std::uint64_t name; ///< unique
        std::uint32_t slot;
    };

    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const Entry& top() const { return heap_.front(); }
    bool holds(std::uint32_t slot) const { return slot < at_.size() && at_[slot] != absent; }
    double time(std::uint32_t slot) const { return heap_[at_[slot]].time; }

    void clear() {
        heap_.clear();
        at_.clear();
    }
    /// Inserts the slot, or gives it another time.
    void put(std::uint32_t slot, std::uint64_t name, double time) {
        if (at_.size() <= slot) at_.resize(std::size_t{slot} + 1, absent);
        if (at_[slot] == absent) {
            at_[slot] = static_cast<std::uint32_t>(heap_.size());
            heap_.push_back({time, name, slot});
        } else {
            heap_[at_[slot]] = {time, name, slot};
        }
        sift(at_[slot]);
    }
    void remove(std::uint32_t slot) {
        if (!holds(slot)) return;
        const std::uint32_t hole = std::exchange(at_[slot], absent);
        const Entry last = heap_.back();
        heap_.pop_back();
        if (hole == heap_.size()) return;
        heap_[hole] = last;
        at_[last.slot] = hole;
        sift(hole);
    }

private:
    static constexpr std::uint32_t absent = 0xffffffffu;
    static bool before(const Entry& a, const Entry& b) {
        return a.time != b.time ? a.time < b.time : a.name < b.name;
    }
    void place(std::size_t at, const Entry& entry) {
        heap_[at] = entry;
        at_[entry.slot] = static_cast<std::uint32_t>(at);
    }
    /// Up or down to where it belongs.
    void sift(std::size_t at) {
        const Entry entry = heap_[at];
        while (at > 0 && before(entry, heap_[(at - 1) / 2])) {
            place(at, heap_[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
            if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
            if (!before(heap_[child], entry)) break;
            place(at, heap_[child]);
            at = child;
        }
        place(at, entry);
    }

    std::vector<Entry> heap_;
    std::vector<std::uint32_t> at_; ///< of a slot
};

} // namespace scree
