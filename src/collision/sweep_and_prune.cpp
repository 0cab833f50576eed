// SPDX-License-Identifier: MIT
// sweep_and_prune.cpp — see sweep_and_prune.h.

#include "collision/sweep_and_prune.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scree {

std::uint64_t SweepAndPrune::key_of(std::uint32_t a, std::uint32_t b) const {
    const ProxyPair pair = ordered(proxies_[a], proxies_[b]);
    return std::uint64_t{pair.first} << 32 | pair.second;
}

void SweepAndPrune::begin_pair(std::uint32_t a, std::uint32_t b) {
    const auto [found, is_new] = slots_.add(key_of(a, b));
    if (!is_new) return;
    std::uint32_t slot = static_cast<std::uint32_t>(pairs_.size());
    if (free_.empty()) {
        pairs_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    pairs_[slot] = {ordered(proxies_[a], proxies_[b]), true};
    *found = slot;
    of_[a].push_back(slot);
    of_[b].push_back(slot);
    began_.push_back(slot);
    changes_.push_back({pairs_[slot].of, true});
}

void SweepAndPrune::end_pair(std::uint32_t slot, std::uint64_t key) {
    const ProxyPair pair = pairs_[slot].of;
    for (const std::uint32_t proxy : {pair.first, pair.second}) {
        std::vector<std::uint32_t>& list = of_[at_[proxy]];
        *std::find(list.begin(), list.end(), slot) = list.back();
        list.pop_back();
    }
    pairs_[slot].alive = false;
    free_.push_back(slot);
    ended_.push_back(slot);
    changes_.push_back({pair, false});
    slots_.remove(key);
}

void SweepAndPrune::look(std::uint32_t a, std::uint32_t b) {
    if (a == b || !(moves_[a] || moves_[b])) return;
    ++compared_;
    if (boxes_[a].overlaps(boxes_[b])) {
        begin_pair(a, b);
        return;
    }
    const std::uint64_t key = key_of(a, b);
    if (const std::uint32_t* found = slots_.find(key)) end_pair(*found, key);
}

/// Boxes have their new values already: what a swap changes is decided by them alone, in whichever order ends move.
void SweepAndPrune::move_end(std::size_t axis, std::uint32_t end, double value) {
    std::vector<End>& ends = ends_[axis];
    std::vector<std::uint32_t>& where = where_[axis];
    std::size_t at = where[end];
    const End moved{value, end};
    const auto pass = [&](std::size_t to) {
        const End& other = ends[to];
        ends[at] = other;
        where[other.of] = static_cast<std::uint32_t>(at);
        ++swaps_;
        if ((other.of & 1) != (end & 1)) look(end >> 1, other.of >> 1);
        at = to;
    };
    while (at > 0 && before(moved, ends[at - 1])) pass(at - 1);
    while (at + 1 < ends.size() && before(ends[at + 1], moved)) pass(at + 1);
    ends[at] = moved;
    where[end] = static_cast<std::uint32_t>(at);
}

void SweepAndPrune::set(std::uint32_t proxy, const DBox& box) {
    const std::uint32_t place = at_[proxy];
    boxes_[place] = box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        move_end(axis, place << 1, along(box.low, axis));
        move_end(axis, place << 1 | 1, along(box.high, axis));
    }
}

void SweepAndPrune::set_moving(std::uint32_t proxy) {
    const std::uint32_t place = at_[proxy];
    moving_ += !moves_[place];
    moves_[place] = 1;
    find_pairs_of(place);
}

std::uint64_t SweepAndPrune::all_pairs() const {
    return moving_ * (held_ - moving_) + moving_ * (moving_ - (moving_ > 0)) / 2;
}

std::uint64_t SweepAndPrune::bytes() const {
    std::uint64_t sum =
        boxes_.capacity() * sizeof(DBox) + pairs_.capacity() * sizeof(Pair) + slots_.bytes() +
        changes_.capacity() * sizeof(Change) + of_.capacity() * sizeof(std::vector<std::uint32_t>) +
        moves_.capacity() +
        sizeof(std::uint32_t) * (at_.capacity() + proxies_.capacity() + free_.capacity() + began_.capacity() +
                                 ended_.capacity() + others_.capacity() + free_places_.capacity());
    for (const std::vector<std::uint32_t>& list : of_) sum += list.capacity() * sizeof(std::uint32_t);
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum += ends_[axis].capacity() * sizeof(End) + where_[axis].capacity() * sizeof(std::uint32_t);
    return sum;
}

void SweepAndPrune::plant() {
    planted_ = static_cast<std::uint32_t>(boxes_.size());
    others_.clear();
    std::array<std::vector<PrioritySearchTree::Interval>, 3> intervals;
    DBox around{boxes_.empty() ? DVec3{} : boxes_[0].low, boxes_.empty() ? DVec3{} : boxes_[0].high};
    for (std::uint32_t place = 0; place < planted_; ++place) {
        if (moves_[place]) {
            others_.push_back(place);
            continue;
        }
        around = {min(around.low, boxes_[place].low), max(around.high, boxes_[place].high)};
        for (std::size_t axis = 0; axis < 3; ++axis)
            intervals[axis].push_back(
                {along(boxes_[place].low, axis), along(boxes_[place].high, axis), place});
    }
    for (std::size_t axis = 0; axis < 3; ++axis) trees_[axis].build(std::move(intervals[axis]));
    spread_ = around.high - around.low;
}

/// By the axis along which the place is smallest compared with all.
void SweepAndPrune::find_pairs_of(std::uint32_t place) {
    if (planted_ == 0) {
        for (std::uint32_t other = 0; other < boxes_.size(); ++other) look(place, other);
        return;
    }
    const DBox& box = boxes_[place];
    std::size_t best = 0;
    double least = 2;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double share = (along(box.high, axis) - along(box.low, axis)) / along(spread_, axis);
        if (share < least) least = share, best = axis;
    }
    trees_[best].overlapping(along(box.low, best), along(box.high, best),
                             [&](std::uint32_t other) { look(place, other); });
    for (const std::uint32_t other : others_) look(place, other);
}

std::uint32_t SweepAndPrune::new_place(std::uint32_t proxy) {
    if (at_.size() <= proxy) at_.resize(std::size_t{proxy} + 1, absent);
    if (!free_places_.empty()) {
        at_[proxy] = free_places_.back();
        free_places_.pop_back();
        proxies_[at_[proxy]] = proxy;
        return at_[proxy];
    }
    at_[proxy] = static_cast<std::uint32_t>(boxes_.size());
    proxies_.push_back(proxy);
    boxes_.emplace_back();
    moves_.push_back(0);
    of_.emplace_back();
    for (std::vector<std::uint32_t>& where : where_) where.resize(where.size() + 2);
    return at_[proxy];
}

void SweepAndPrune::enter(std::uint32_t proxy, const DBox& box, bool moves) {
    const std::uint32_t place = new_place(proxy);
    boxes_[place] = box;
    moves_[place] = moves;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<End>& ends = ends_[axis];
        for (const End end :
             {End{along(box.low, axis), place << 1}, End{along(box.high, axis), place << 1 | 1}}) {
            const auto to = ends.insert(std::upper_bound(ends.begin(), ends.end(), end, before), end);
            for (auto k = to - ends.begin(); k < std::ssize(ends); ++k)
                where_[axis][ends[static_cast<std::size_t>(k)].of] = static_cast<std::uint32_t>(k);
        }
    }
    ++held_;
    moving_ += moves;
    find_pairs_of(place);
    others_.push_back(place);
}

void SweepAndPrune::leave(std::uint32_t proxy) {
    const std::uint32_t place = at_[proxy];
    while (!of_[place].empty()) {
        const std::uint32_t slot = of_[place].back();
        end_pair(slot, std::uint64_t{pairs_[slot].of.first} << 32 | pairs_[slot].of.second);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<End>& ends = ends_[axis];
        const std::uint32_t first = where_[axis][place << 1];
        std::erase_if(ends, [&](const End& end) { return end.of >> 1 == place; });
        for (std::size_t k = first; k < ends.size(); ++k)
            where_[axis][ends[k].of] = static_cast<std::uint32_t>(k);
    }
    --held_;
    moving_ -= moves_[place];
    others_.erase(std::find(others_.begin(), others_.end(), place));
    at_[proxy] = absent;
    free_places_.push_back(place);
}

void SweepAndPrune::rebuild(std::span<const std::uint32_t> proxies, std::span<const std::uint8_t> moves,
                            std::span<const DBox> boxes) {
    at_.clear();
    slots_.clear();
    pairs_.clear();
    free_.clear();
    free_places_.clear();
    others_.clear();
    planted_ = 0;
    clear_changes();
    proxies_.assign(proxies.begin(), proxies.end());
    moves_.assign(moves.begin(), moves.end());
    boxes_.assign(boxes.begin(), boxes.end());
    of_.assign(proxies.size(), {});
    held_ = proxies.size();
    moving_ = static_cast<std::uint64_t>(std::count(moves.begin(), moves.end(), 1));
    for (std::uint32_t place = 0; place < proxies_.size(); ++place) {
        if (at_.size() <= proxies_[place]) at_.resize(std::size_t{proxies_[place]} + 1, absent);
        at_[proxies_[place]] = place;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<End>& ends = ends_[axis];
        ends.clear();
        for (std::uint32_t place = 0; place < boxes_.size(); ++place) {
            ends.push_back({along(boxes_[place].low, axis), place << 1});
            ends.push_back({along(boxes_[place].high, axis), place << 1 | 1});
        }
        std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
            return a.value != b.value         ? a.value < b.value
                   : (a.of & 1) != (b.of & 1) ? (a.of & 1) < (b.of & 1)
                                              : a.of < b.of;
        });
        where_[axis].resize(ends.size());
        for (std::uint32_t k = 0; k < ends.size(); ++k) where_[axis][ends[k].of] = k;
    }
    // one sweep; what does not move is compared only with what does
    std::vector<std::uint32_t> open[2];
    std::vector<std::uint32_t> place_in(boxes_.size());
    for (const End& end : ends_[0]) {
        const std::uint32_t place = end.of >> 1;
        std::vector<std::uint32_t>& own = open[moves_[place] ? 1 : 0];
        if (end.of & 1) {
            own[place_in[place]] = own.back();
            place_in[own.back()] = place_in[place];
            own.pop_back();
            continue;
        }
        for (const std::uint32_t other : open[1]) look(place, other);
        if (moves_[place])
            for (const std::uint32_t other : open[0]) look(place, other);
        place_in[place] = static_cast<std::uint32_t>(own.size());
        own.push_back(place);
    }
}

} // namespace scree
