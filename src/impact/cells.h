// SPDX-License-Identifier: MIT
// cells.h — which particles may be near a place: cells of a grid for each octave of radii.
//
// A cell is about as wide as two particles of its octave reach, so that a few small particles are in it and large ones are in wider
// cells. A grid has at most about two cells a particle: where the box has more, cells far from each other share one, and the caller
// compares distances anyway.
#pragma once

#include "impact/page_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace scree::impact {

template <int D>
class Cells {
public:
    static constexpr std::uint32_t none = 0xffffffff;
    using Vector = std::array<double, D>;

    /// For particles of these radii in the box, found up to `margin` beyond their reach in each direction.
    void reset(const std::vector<double>& radii, double margin, const Vector& lower, const Vector& size,
               const std::array<bool, D>& periodic) {
        lower_ = lower;
        size_ = size;
        margin_ = margin;
        levels_.clear();
        octaves_.fill(none);
        next_ = PageArray<std::uint32_t>(radii.size(), none);
        cell_ = PageArray<std::uint32_t>(radii.size(), none);
        std::vector<std::size_t> counts;
        for (const double radius : radii) {
            std::uint32_t& level = octaves_[octave(radius)];
            if (level == none) {
                level = static_cast<std::uint32_t>(levels_.size());
                levels_.emplace_back();
                counts.push_back(0);
            }
            levels_[level].radius = std::max(levels_[level].radius, radius);
            ++counts[level];
        }
        std::size_t cells = 0;
        for (std::size_t k = 0; k < levels_.size(); ++k)
            cells += lay_out(levels_[k], counts[k], cells, periodic);
        heads_ = PageArray<std::uint32_t>(cells, none);
    }

    void insert(std::uint32_t slot, const Vector& at, double radius) {
        const std::uint32_t cell = cell_at(at, radius);
        cell_[slot] = cell;
        next_[slot] = heads_[cell];
        heads_[cell] = slot;
    }
    void move(std::uint32_t slot, const Vector& to, double radius) {
        const std::uint32_t cell = cell_at(to, radius);
        if (cell == cell_[slot]) return;
        std::uint32_t* link = &heads_[cell_[slot]];
        while (*link != slot) link = &next_[*link];
        *link = next_[slot];
        insert(slot, to, radius);
    }

    /// Calls visit(slot) for every particle whose middle may be within radius + its radius + margin of `at` along each axis.
    template <class Visit>
    void visit(const Vector& at, double radius, const Visit& visit) const {
        visit_cells(at, radius, [&](std::size_t cell) {
            for (std::uint32_t slot = heads_[cell]; slot != none; slot = next_[slot]) visit(slot);
        });
    }
    /// Those of the same octave and of larger ones alone.
    template <class Visit>
    void visit_larger(const Vector& at, double radius, const Visit& visit) const {
        visit_cells(
            at, radius,
            [&](std::size_t cell) {
                for (std::uint32_t slot = heads_[cell]; slot != none; slot = next_[slot]) visit(slot);
            },
            radius);
    }
    std::uint32_t cell_of(std::uint32_t slot) const { return cell_[slot]; }
    /// The cells of these particles, each once; without octaves in which none is as large as `least`.
    template <class Visit>
    void visit_cells(const Vector& at, double radius, const Visit& visit, double least = 0) const {
        for (const Level& level : levels_) {
            if (level.radius < least) continue;
            const double reach = radius + level.radius + margin_;
            std::array<std::int64_t, D> first{}, count{};
            for (int k = 0; k < D; ++k) {
                const double from = (at[k] - reach - lower_[k]) * level.per_metre[k],
                             to = (at[k] + reach - lower_[k]) * level.per_metre[k];
                const std::int64_t low = floor_of(from), high = floor_of(to);
                if (level.wraps[k]) {
                    first[k] = low;
                    count[k] = std::min(high - low + 1, level.table[k]);
                } else {
                    first[k] = std::clamp<std::int64_t>(low, 0, level.cells[k] - 1);
                    count[k] = std::min(std::clamp<std::int64_t>(high, 0, level.cells[k] - 1) - first[k] + 1,
                                        level.table[k]);
                }
            }
            walk(level, first, count, visit);
        }
    }

    /// For each particle those in its own cell, summed: about how many pairs a search of neighbours looks at.
    std::uint64_t crowding() const {
        std::vector<std::uint32_t> counts(heads_.size());
        for (std::size_t slot = 0; slot < cell_.size(); ++slot) ++counts[cell_[slot]];
        std::uint64_t sum = 0;
        for (const std::uint64_t count : counts) sum += count * count;
        return sum;
    }

    std::size_t bytes() const { return next_.bytes() + cell_.bytes() + heads_.bytes(); }

private:
    struct Level {
        double radius = 0; ///< the largest
        Vector per_metre{};
        std::array<std::int64_t, D> cells{}; ///< of the box
        std::array<std::int64_t, D>
            table{}; ///< of the table; of cells of the box a multiple in an axis that wraps
        std::array<bool, D> wraps{};
        std::size_t offset = 0;
    };
    static std::size_t octave(double radius) {
        return static_cast<std::size_t>(std::clamp(std::ilogb(radius) + 1100, 0, 2199));
    }
    static std::int64_t floor_of(double x) { return static_cast<std::int64_t>(std::floor(x)); }
    /// k modulo n of a k that is rarely outside 0 … n - 1
    static std::int64_t wrapped(std::int64_t k, std::int64_t n) {
        if (k >= 0 && k < n) return k;
        k %= n;
        return k < 0 ? k + n : k;
    }

    std::size_t lay_out(Level& level, std::size_t particles, std::size_t offset,
                        const std::array<bool, D>& periodic) {
        const double width = 2 * level.radius + margin_;
        level.offset = offset;
        level.wraps = periodic;
        for (int k = 0; k < D; ++k) {
            level.cells[k] = std::clamp<std::int64_t>(floor_of(std::min(size_[k] / width, 1e15)), 1,
                                                      std::int64_t{1} << 50);
            level.table[k] = level.cells[k];
        }
        const auto total = [&] {
            double product = 1;
            for (const std::int64_t n : level.table) product *= static_cast<double>(n);
            return product;
        };
        while (total() > 2 * static_cast<double>(particles) + 64) {
            std::int64_t& most = *std::max_element(level.table.begin(), level.table.end());
            most = (most + 1) / 2;
        }
        for (int k = 0; k < D; ++k) {
            // cells that share a place in the table must not meet where the axis wraps
            if (level.wraps[k]) level.cells[k] = level.cells[k] / level.table[k] * level.table[k];
            level.per_metre[k] = static_cast<double>(level.cells[k]) / size_[k];
        }
        std::size_t cells = 1;
        for (const std::int64_t n : level.table) cells *= static_cast<std::size_t>(n);
        return cells;
    }

    std::uint32_t cell_at(const Vector& at, double radius) const {
        const Level& level = levels_[octaves_[octave(radius)]];
        std::size_t cell = 0;
        for (int k = D - 1; k >= 0; --k) {
            const std::int64_t c = std::clamp<std::int64_t>(
                floor_of((at[k] - lower_[k]) * level.per_metre[k]), 0, level.cells[k] - 1);
            cell = cell * static_cast<std::size_t>(level.table[k]) +
                   static_cast<std::size_t>(wrapped(c, level.table[k]));
        }
        return static_cast<std::uint32_t>(level.offset + cell);
    }

    template <class Visit>
    void walk(const Level& level, const std::array<std::int64_t, D>& first,
              const std::array<std::int64_t, D>& count, const Visit& visit) const {
        const auto row = [&](std::size_t base) {
            for (std::int64_t x = 0; x < count[0]; ++x)
                visit(base + static_cast<std::size_t>(wrapped(first[0] + x, level.table[0])));
        };
        const auto stride = static_cast<std::size_t>(level.table[0]);
        for (std::int64_t y = 0; y < count[1]; ++y) {
            const auto at_y = static_cast<std::size_t>(wrapped(first[1] + y, level.table[1]));
            if constexpr (D == 2) {
                row(level.offset + at_y * stride);
            } else {
                for (std::int64_t z = 0; z < count[2]; ++z)
                    row(level.offset + (static_cast<std::size_t>(wrapped(first[2] + z, level.table[2])) *
                                            static_cast<std::size_t>(level.table[1]) +
                                        at_y) *
                                           stride);
            }
        }
    }

    Vector lower_{}, size_{};
    double margin_ = 0;
    std::vector<Level> levels_;
    std::array<std::uint32_t, 2200> octaves_{}; ///< level of each octave
    PageArray<std::uint32_t> next_, cell_, heads_;
};

} // namespace scree::impact
