// SPDX-License-Identifier: MIT
// sweep_and_prune.cpp — see sweep_and_prune.h.

#include "collision/sweep_and_prune.h"

#include <algorithm>

namespace scree {

namespace {

double along(const DVec3& v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

} // namespace

std::uint64_t SweepAndPrune::key_of(std::uint32_t a, std::uint32_t b) const {
    const ProxyPair pair = ordered(proxies_[a], proxies_[b]);
    return std::uint64_t{pair.first} << 32 | pair.second;
}

void SweepAndPrune::begin_pair(std::uint32_t a, std::uint32_t b) {
    const auto [found, is_new] = slots_.try_emplace(key_of(a, b), 0);
    if (!is_new) return;
    std::uint32_t slot = static_cast<std::uint32_t>(pairs_.size());
    if (free_.empty()) {
        pairs_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    pairs_[slot] = {ordered(proxies_[a], proxies_[b]), true};
    found->second = slot;
    of_[a].push_back(slot);
    of_[b].push_back(slot);
    began_.push_back(slot);
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
    slots_.erase(key);
}

void SweepAndPrune::look(std::uint32_t a, std::uint32_t b) {
    if (a == b || !(moves_[a] || moves_[b])) return;
    if (boxes_[a].overlaps(boxes_[b])) {
        begin_pair(a, b);
        return;
    }
    const std::uint64_t key = key_of(a, b);
    if (const auto found = slots_.find(key); found != slots_.end()) end_pair(found->second, key);
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
    moves_[place] = 1;
    for (std::uint32_t other = 0; other < boxes_.size(); ++other) look(place, other);
}

std::uint64_t SweepAndPrune::all_pairs() const {
    const auto moving = static_cast<std::uint64_t>(std::count(moves_.begin(), moves_.end(), 1));
    const std::uint64_t all = boxes_.size();
    return moving * (all - moving) + moving * (moving - (moving > 0)) / 2;
}

void SweepAndPrune::rebuild(std::span<const std::uint32_t> proxies, std::span<const std::uint8_t> moves,
                            std::span<const DBox> boxes) {
    at_.clear();
    slots_.clear();
    pairs_.clear();
    free_.clear();
    clear_changes();
    proxies_.assign(proxies.begin(), proxies.end());
    moves_.assign(moves.begin(), moves.end());
    boxes_.assign(boxes.begin(), boxes.end());
    of_.assign(proxies.size(), {});
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
