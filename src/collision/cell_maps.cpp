// SPDX-License-Identifier: MIT
// cell_maps.cpp — see cell_maps.h.

#include "collision/cell_maps.h"

#include <algorithm>
#include <utility>

namespace scree {

void CellMaps::rebuild(std::span<const std::uint32_t> proxies, std::span<const std::uint8_t> moves,
                       std::span<const DBox> boxes) {
    has_cells_ = false;
    cells_.clear(), fixed_.clear(), members_.clear(), proxies_.clear(), everywhere_.clear();
    pairs_.clear(), free_.clear(), known_.clear(), began_.clear(), ended_.clear();
    plain_.rebuild(proxies, moves, boxes);
}

void CellMaps::rebuild(std::uint32_t cells, std::span<const Entry> entries) {
    rebuild({}, {}, {});
    has_cells_ = true;
    cells_.resize(cells);
    fixed_.resize(cells);
    for (const Entry& entry : entries) {
        if (members_.size() <= entry.proxy) members_.resize(std::size_t{entry.proxy} + 1);
        proxies_.push_back(entry.proxy);
        Member& member = members_[entry.proxy];
        member = {};
        member.held = true, member.fixed = entry.fixed, member.box = entry.box;
        if (!entry.fixed) continue;
        for (const std::uint32_t c : entry.cells) {
            member.places.push_back({c, static_cast<std::uint32_t>(fixed_[c].size())});
            fixed_[c].push_back(entry.proxy);
        }
    }
    for (std::uint32_t c = 0; c < cells; ++c) {
        std::vector<DBox> boxes;
        std::vector<std::uint32_t> numbers;
        for (const std::uint32_t proxy : fixed_[c]) {
            numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
            boxes.push_back(members_[proxy].box);
        }
        cells_[c].proxies = fixed_[c];
        cells_[c].map.rebuild(numbers, std::vector<std::uint8_t>(numbers.size()), boxes);
        cells_[c].map.plant();
    }
    for (const Entry& entry : entries)
        if (!entry.fixed) put(members_[entry.proxy], entry);
}

/// A proxy that is in no cell yet.
void CellMaps::put(Member& member, const Entry& entry) {
    member.moves = entry.moves;
    member.everywhere = entry.everywhere;
    member.box = entry.box;
    if (entry.everywhere) everywhere_.push_back(entry.proxy);
    for (const std::uint32_t c : entry.cells) enter(entry.proxy, c, member.places);
    look_by_hand(entry.proxy);
}

void CellMaps::enter(std::uint32_t proxy, std::uint32_t c, std::vector<Place>& places) {
    Cell& cell = cells_[c];
    std::uint32_t local = static_cast<std::uint32_t>(cell.proxies.size());
    if (cell.free.empty()) {
        cell.proxies.push_back(proxy);
    } else {
        local = cell.free.back();
        cell.free.pop_back();
        cell.proxies[local] = proxy;
    }
    const Member& member = members_[proxy];
    cell.map.enter(local, member.box, member.moves);
    places.push_back({c, local});
    ++entered_;
    absorb(c);
}

void CellMaps::leave(const Place& place) {
    Cell& cell = cells_[place.cell];
    cell.map.leave(place.local);
    absorb(place.cell);
    cell.free.push_back(place.local);
}

void CellMaps::leave_all(std::uint32_t proxy) {
    Member& member = members_[proxy];
    for (const Place& place : member.places) leave(place);
    member.places.clear();
    std::erase(everywhere_, proxy);
    // with all that it was compared with by hand
    const std::vector<std::uint32_t> own = member.pairs;
    for (const std::uint32_t slot : own) change(pairs_[slot].of, 0, false);
}

/// The changes of a cell's map, as pairs of proxies.
void CellMaps::absorb(std::uint32_t c) {
    Cell& cell = cells_[c];
    for (const SweepAndPrune::Change& change_of : cell.map.changes()) {
        const ProxyPair pair = ordered(cell.proxies[change_of.of.first], cell.proxies[change_of.of.second]);
        const Known* found = known_.find(std::uint64_t{pair.first} << 32 | pair.second);
        change(pair, change_of.began ? 1 : -1, found && found->by_hand);
    }
    cell.map.clear_changes();
}

/// Adds to the cells in which the two are a pair.
void CellMaps::change(const ProxyPair& pair, int cells, bool by_hand) {
    const std::uint64_t key = std::uint64_t{pair.first} << 32 | pair.second;
    const auto [at, is_new] = known_.add(key);
    Known& known = *at;
    known.cells = static_cast<std::uint32_t>(static_cast<int>(known.cells) + cells);
    known.by_hand = by_hand;
    const bool together = known.cells > 0 || known.by_hand;
    if (is_new && together) {
        known.slot = static_cast<std::uint32_t>(pairs_.size());
        if (free_.empty()) {
            pairs_.emplace_back();
        } else {
            known.slot = free_.back();
            free_.pop_back();
        }
        pairs_[known.slot] = {pair, true};
        for (const std::uint32_t proxy : {pair.first, pair.second})
            members_[proxy].pairs.push_back(known.slot);
        began_.push_back(known.slot);
    } else if (!together) {
        if (!is_new) {
            for (const std::uint32_t proxy : {pair.first, pair.second})
                std::erase(members_[proxy].pairs, known.slot);
            pairs_[known.slot].alive = false;
            free_.push_back(known.slot);
            ended_.push_back(known.slot);
        }
        known_.remove(key);
    }
}

void CellMaps::count_by_hand(std::uint32_t a, std::uint32_t b) {
    const Member &one = members_[a], &other = members_[b];
    if (a == b) return;
    const bool hit = (one.moves || other.moves) && one.box.overlaps(other.box);
    const ProxyPair pair = ordered(a, b);
    const Known* found = known_.find(std::uint64_t{pair.first} << 32 | pair.second);
    if (hit != (found && found->by_hand)) change(pair, 0, hit);
}

void CellMaps::look_by_hand(std::uint32_t proxy) {
    for (const std::uint32_t other : members_[proxy].everywhere ? proxies_ : everywhere_)
        count_by_hand(proxy, other);
}

void CellMaps::set(std::uint32_t proxy, const DBox& box) {
    if (!has_cells_) {
        plain_.set(proxy, box);
        return;
    }
    spare_cells_.clear();
    for (const Place& place : members_[proxy].places) spare_cells_.push_back(place.cell);
    set(proxy, box, spare_cells_);
}

void CellMaps::set(std::uint32_t proxy, const DBox& box, std::span<const std::uint32_t> cells) {
    Member& member = members_[proxy];
    member.box = box;
    std::vector<Place>& now = spare_places_;
    now.clear();
    std::size_t next = 0; // of the old places
    for (const std::uint32_t c : cells) {
        while (next < member.places.size() && member.places[next].cell < c) leave(member.places[next++]);
        if (next < member.places.size() && member.places[next].cell == c) {
            cells_[c].map.set(member.places[next].local, box);
            absorb(c);
            now.push_back(member.places[next++]);
        } else {
            enter(proxy, c, now);
        }
    }
    while (next < member.places.size()) leave(member.places[next++]);
    member.places.assign(now.begin(), now.end());
    look_by_hand(proxy);
}

void CellMaps::set_way(const Entry& entry) {
    Member& member = members_[entry.proxy];
    if (member.moves == entry.moves && member.everywhere == entry.everywhere) {
        set(entry.proxy, entry.box, entry.cells);
        return;
    }
    leave_all(entry.proxy);
    put(member, entry);
}

void CellMaps::set_moving(std::uint32_t proxy) {
    if (!has_cells_) {
        plain_.set_moving(proxy);
        return;
    }
    Member& member = members_[proxy];
    member.moves = true;
    for (const Place& place : member.places) {
        cells_[place.cell].map.set_moving(place.local);
        absorb(place.cell);
    }
    look_by_hand(proxy);
}

bool CellMaps::holds(std::uint32_t proxy) const {
    return has_cells_ ? proxy < members_.size() && members_[proxy].held : plain_.holds(proxy);
}

void CellMaps::clear_changes() {
    plain_.clear_changes();
    began_.clear(), ended_.clear();
}

std::uint64_t CellMaps::all_pairs() const {
    if (!has_cells_) return plain_.all_pairs();
    std::uint64_t moving = 0;
    for (const std::uint32_t proxy : proxies_) moving += members_[proxy].moves;
    return moving * (proxies_.size() - moving) + moving * (moving - (moving > 0)) / 2;
}

std::uint64_t CellMaps::pairs_in_cells() const {
    if (!has_cells_) return plain_.all_pairs();
    std::uint64_t sum = 0;
    for (const Cell& cell : cells_) sum += cell.map.all_pairs();
    return sum + everywhere_.size() * (proxies_.size() - !everywhere_.empty());
}

std::uint64_t CellMaps::memberships() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t proxy : proxies_)
        if (members_[proxy].moves) sum += members_[proxy].places.size();
    return sum;
}

std::uint64_t CellMaps::everywhere() const {
    return static_cast<std::uint64_t>(std::count_if(everywhere_.begin(), everywhere_.end(),
                                                    [&](std::uint32_t p) { return members_[p].moves; }));
}

std::uint64_t CellMaps::bytes() const {
    std::uint64_t sum = plain_.bytes() + pairs_.capacity() * sizeof(Pair) + known_.bytes() +
                        members_.capacity() * sizeof(Member) + cells_.capacity() * sizeof(Cell);
    for (const Member& member : members_)
        sum += member.places.capacity() * sizeof(Place) + member.pairs.capacity() * sizeof(std::uint32_t);
    for (const Cell& cell : cells_) sum += cell.map.bytes() + cell.proxies.capacity() * sizeof(std::uint32_t);
    for (const std::vector<std::uint32_t>& list : fixed_) sum += list.capacity() * sizeof(std::uint32_t);
    return sum;
}

std::vector<std::uint32_t> CellMaps::cells_of(std::uint32_t proxy) const {
    std::vector<std::uint32_t> out;
    for (const Place& place : members_[proxy].places) out.push_back(place.cell);
    return out;
}

} // namespace scree
