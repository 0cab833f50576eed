// SPDX-License-Identifier: MIT
// pair_table.h — finds the contact of two shapes.
//
// The table is cut into regions by the highest bits of a key's hash. A search stays in its region, so threads may insert and erase
// side by side as long as each keeps to regions of its own.
#pragma once

#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// From two shapes, and a slot of a pair with a mesh, to their contact; open addressing, keys never 0 because shape_b > 0.
class PairTable {
public:
    static constexpr std::uint32_t region_bits = 6, regions = 1u << region_bits;

    std::uint32_t find(std::uint32_t a, std::uint32_t b, std::uint32_t slot = 0) const; ///< none if absent
    /// Fetches what find will read: several finds then wait for memory once.
    void prefetch(std::uint32_t a, std::uint32_t b) const;
    void insert(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact);
    void erase(std::uint32_t a, std::uint32_t b, std::uint32_t slot);
    std::size_t size() const;
    std::size_t memory() const { return keys_.capacity() * 8 + values_.capacity() * 4; }

    static std::uint32_t region_of(std::uint32_t a, std::uint32_t b, std::uint32_t slot);
    /// Makes room for so many more in each region.
    void reserve(TaskSystem& tasks, std::span<const std::uint32_t, regions> more);
    /// As insert, where there is room.
    void insert_reserved(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact);

private:
    struct Place {
        std::size_t first, mask, at; ///< of the region, and in it
    };
    Place home(std::uint64_t key) const;
    bool has_room(std::uint32_t region, std::uint32_t more) const {
        return 8 * (std::size_t{counts_[region]} + more) <= 5 * size_of_region_;
    }
    void grow(TaskSystem* tasks);

    std::size_t size_of_region_ = 0; ///< a power of two, or 0
    std::array<std::uint32_t, regions> counts_{};
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> values_;
};

} // namespace scree
