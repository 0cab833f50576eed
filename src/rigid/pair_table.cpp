// SPDX-License-Identifier: MIT
// pair_table.cpp — see pair_table.h.

#include "rigid/pair_table.h"

#include "rigid/kernels.h"
#include "rigid/storage.h"

#include <algorithm>
#include <numeric>

namespace scree {

using rigid::pair_key;

namespace {

// 12 kB at first: there may be thousands of small worlds
constexpr std::size_t least_region = 16;

std::uint64_t hash_of(std::uint64_t key) { return rigid::pair_hash(key); }
std::uint32_t region_of_hash(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> (64 - PairTable::region_bits));
}

} // namespace

PairTable::Place PairTable::home(std::uint64_t key) const {
    const std::uint64_t hash = hash_of(key);
    const std::size_t mask = size_of_region_ - 1;
    return {region_of_hash(hash) * size_of_region_, mask, static_cast<std::size_t>(hash >> 24) & mask};
}

std::uint32_t PairTable::region_of(std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
    return region_of_hash(hash_of(pair_key(a, b, slot)));
}

std::size_t PairTable::size() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

std::uint32_t PairTable::find(std::uint32_t a, std::uint32_t b, std::uint32_t slot) const {
    if (keys_.empty()) return none;
    const std::uint64_t key = pair_key(a, b, slot);
    const auto [first, mask, at] = home(key);
    for (std::size_t k = at; keys_[first + k]; k = (k + 1) & mask)
        if (keys_[first + k] == key) return values_[first + k];
    return none;
}

void PairTable::prefetch(std::uint32_t a, std::uint32_t b) const {
    if (keys_.empty()) return;
    const Place place = home(pair_key(a, b, 0));
    __builtin_prefetch(&keys_[place.first + place.at]);
}

void PairTable::insert(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact) {
    while (!has_room(region_of(a, b, slot), 1)) grow(nullptr);
    insert_reserved(a, b, slot, contact);
}

void PairTable::insert_reserved(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact) {
    const std::uint64_t key = pair_key(a, b, slot);
    auto [first, mask, k] = home(key);
    while (keys_[first + k]) k = (k + 1) & mask;
    keys_[first + k] = key;
    values_[first + k] = contact;
    ++counts_[first / size_of_region_];
}

void PairTable::erase(std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
    const std::uint64_t key = pair_key(a, b, slot);
    auto [first, mask, hole] = home(key);
    while (keys_[first + hole] != key) hole = (hole + 1) & mask;
    --counts_[first / size_of_region_];
    // close the gap, so that later entries stay reachable from their home slot
    for (std::size_t k = (hole + 1) & mask; keys_[first + k]; k = (k + 1) & mask) {
        const std::size_t from = home(keys_[first + k]).at;
        const bool between = hole <= k ? (from > hole && from <= k) : (from > hole || from <= k);
        if (between) continue;
        keys_[first + hole] = keys_[first + k];
        values_[first + hole] = values_[first + k];
        hole = k;
    }
    keys_[first + hole] = 0;
}

void PairTable::reserve(TaskSystem& tasks, std::span<const std::uint32_t, regions> more) {
    for (std::uint32_t region = 0; region < regions; ++region)
        while (!has_room(region, more[region])) grow(&tasks);
}

/// Twice as large; a region's pairs stay in the region.
void PairTable::grow(TaskSystem* tasks) {
    const std::size_t old_size = size_of_region_;
    size_of_region_ = std::max(least_region, 2 * old_size);
    std::vector<std::uint64_t> keys(regions * size_of_region_);
    std::vector<std::uint32_t> values(keys.size());
    keys.swap(keys_);
    values.swap(values_);
    const auto move = [&](int region) {
        const std::size_t begin = static_cast<std::size_t>(region) * old_size;
        for (std::size_t i = begin; i < begin + old_size; ++i) {
            if (!keys[i]) continue;
            auto [first, mask, k] = home(keys[i]);
            while (keys_[first + k]) k = (k + 1) & mask;
            keys_[first + k] = keys[i];
            values_[first + k] = values[i];
        }
    };
    constexpr std::size_t worth_tasks = 4096;
    if (tasks && keys.size() > worth_tasks) tasks->run(static_cast<int>(regions), move);
    else
        for (int region = 0; region < static_cast<int>(regions); ++region) move(region);
}

} // namespace scree
