// SPDX-License-Identifier: MIT
// partition.h — sorts items into a few parts, so that threads may work on parts side by side and on a part's items in order.
#pragma once

#include "rigid/crew.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

class Partition {
public:
    static constexpr std::uint32_t most_parts = 255;
    static constexpr std::uint8_t nowhere = 255; ///< of an item that is in no part

    /// part_of(item) is below `parts` or nowhere; it is asked once for each item. Inside a part items keep their order.
    template <class PartOf>
    void sort(Crew& crew, std::uint32_t items, std::uint32_t parts, const PartOf& part_of) {
        const std::uint32_t chunks = Crew::chunks(items, grain);
        if (part_.size() < items) part_.resize(items + items / 4), items_.resize(items + items / 4);
        counts_.resize(std::size_t{chunks} * (most_parts + 1));
        first_.resize(parts + 1);
        crew.each(items, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
            std::uint32_t* count = counts_.data() + static_cast<std::size_t>(chunk) * (most_parts + 1);
            for (std::uint32_t p = 0; p < parts; ++p) count[p] = 0;
            for (std::uint32_t i = begin; i < end; ++i) ++count[part_[i] = part_of(i)];
        });
        std::uint32_t total = 0;
        for (std::uint32_t p = 0; p < parts; ++p) {
            first_[p] = total;
            for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
                std::uint32_t& count = counts_[std::size_t{chunk} * (most_parts + 1) + p];
                const std::uint32_t here = count;
                count = total;
                total += here;
            }
        }
        first_[parts] = total;
        crew.each(items, grain, [&](std::uint32_t begin, std::uint32_t end, int chunk) {
            std::uint32_t* next = counts_.data() + static_cast<std::size_t>(chunk) * (most_parts + 1);
            for (std::uint32_t i = begin; i < end; ++i)
                if (part_[i] != nowhere) items_[next[part_[i]]++] = i;
        });
    }
    std::uint32_t first(std::uint32_t part) const { return first_[part]; } ///< `parts` too: the end
    std::uint32_t size(std::uint32_t part) const { return first_[part + 1] - first_[part]; }
    std::span<const std::uint32_t> of(std::uint32_t part) const {
        return {items_.data() + first_[part], size(part)};
    }

private:
    static constexpr std::uint32_t grain = 2048;
    std::vector<std::uint8_t> part_; ///< of an item
    std::vector<std::uint32_t> items_, first_;
    std::vector<std::uint32_t> counts_; ///< of each chunk, and where its next item goes
};

} // namespace scree
