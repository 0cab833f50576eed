// SPDX-License-Identifier: MIT
// pair_table.h — finds the contact of two shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// From two shapes, and a slot of a pair with a mesh, to their contact; open addressing, keys never 0 because shape_b > 0.
class PairTable {
public:
    std::uint32_t find(std::uint32_t a, std::uint32_t b, std::uint32_t slot = 0) const; ///< none if absent
    void insert(std::uint32_t a, std::uint32_t b, std::uint32_t slot, std::uint32_t contact);
    void erase(std::uint32_t a, std::uint32_t b, std::uint32_t slot);
    std::size_t size() const { return used_; }
    std::size_t memory() const { return keys_.capacity() * 8 + values_.capacity() * 4; }

private:
    void grow();
    std::size_t home(std::uint64_t key) const;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> values_;
    std::size_t used_ = 0;
};

} // namespace scree
