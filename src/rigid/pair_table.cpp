// SPDX-License-Identifier: MIT
// pair_table.cpp — see pair_table.h.

#include "rigid/pair_table.h"

#include "rigid/kernels.h"
#include "rigid/storage.h"

#include <algorithm>

namespace scree {

using rigid::pair_key;

std::size_t PairTable::home(std::uint64_t key) const {
    return rigid::pair_home(key, static_cast<std::uint32_t>(keys_.size() - 1));
}

std::uint32_t PairTable::find(std::uint32_t a, std::uint32_t b, std::uint32_t slot) const {
    if (keys_.empty()) return none;
    const std::uint64_t key = pair_key(a, b, slot);
    for (std::size_t k = home(key); keys_[k]; k = (k + 1) & (keys_.size() - 1))
        if (keys_[k] == key) return values_[k];
    return none;
}

void PairTable::insert(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::uint64_t key = pair_key(a, b, slot);
    std::size_t k = home(key);
    while (keys_[k]) k = (k + 1) & (keys_.size() - 1);
    keys_[k] = key;
    values_[k] = contact;
    ++used_;
}

void PairTable::erase(std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
    const std::uint64_t key = pair_key(a, b, slot);
    std::size_t hole = home(key);
    while (keys_[hole] != key) hole = (hole + 1) & (keys_.size() - 1);
    --used_;
    // close the gap, so that later entries stay reachable from their home slot
    for (std::size_t k = (hole + 1) & (keys_.size() - 1); keys_[k]; k = (k + 1) & (keys_.size() - 1)) {
        const std::size_t from = home(keys_[k]);
        const bool between = hole <= k ? (from > hole && from <= k) : (from > hole || from <= k);
        if (between) continue;
        keys_[hole] = keys_[k];
        values_[hole] = values_[k];
        hole = k;
    }
    keys_[hole] = 0;
}

void PairTable::grow() {
    std::vector<std::uint64_t> keys(std::max<std::size_t>(1024, 2 * keys_.size()));
    std::vector<std::uint32_t> values(keys.size());
    keys.swap(keys_);
    values.swap(values_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!keys[i]) continue;
        std::size_t k = home(keys[i]);
        while (keys_[k]) k = (k + 1) & (keys_.size() - 1);
        keys_[k] = keys[i];
        values_[k] = values[i];
    }
}

} // namespace scree
