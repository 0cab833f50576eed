// SPDX-License-Identifier: MIT
// overlap.h — which particles overlap, in bounded work: a million in one place are told by the first look at one of them.
#pragma once

#include "impact/cells.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace scree::impact {

/// The nearest image of a difference.
template <std::size_t D>
void to_nearest(std::array<double, D>& d, const std::array<double, D>& period) {
    for (std::size_t k = 0; k < D; ++k) {
        if (d[k] > 0.5 * period[k]) d[k] -= period[k];
        else if (d[k] < -0.5 * period[k]) d[k] += period[k];
    }
}

struct Overlap {
    std::uint32_t first = 0, second = 0; ///< the two that overlap most, first < second
    double depth = 0;                    ///< m; 0: none do
    bool crowded = false;     ///< more than most_crowd others overlap a particle that is about no larger
    std::uint64_t looked = 0; ///< at pairs
    static constexpr std::uint32_t most_crowd = 5000;
};

/// The particles at `at`, in `cells` without a margin, of which `number` tells the numbers. `contact`: overlaps that are no more than
/// this share of the distance of the centres do not count. Each looks at those that are about as large or larger: they are few as long
/// as none overlap. So the search ends early, with the deepest so far, only after some do: at a crowd, or after a thousand pairs
/// for each particle.
template <std::size_t D, class Number>
Overlap deepest_overlap(const Cells<static_cast<int>(D)>& cells, std::span<const std::array<double, D>> at,
                        const std::vector<double>& radius, const std::array<double, D>& period,
                        double contact, const Number& number) {
    Overlap out;
    const std::uint64_t most = 1'000'000 + 1000 * std::uint64_t{at.size()};
    for (std::uint32_t i = 0; i < at.size(); ++i) {
        std::uint32_t crowd = 0;
        cells.visit_larger(at[i], radius[i], [&](std::uint32_t j) {
            if (i == j) return;
            ++out.looked;
            std::array<double, D> d;
            for (std::size_t k = 0; k < D; ++k) d[k] = at[j][k] - at[i][k];
            to_nearest(d, period);
            double square = 0;
            for (const double x : d) square += x * x;
            const double sum = radius[i] + radius[j], depth = sum - std::sqrt(square);
            if (!(depth > contact * sum)) return;
            ++crowd;
            if (depth < out.depth) return;
            const std::uint32_t a = number(i), b = number(j), first = std::min(a, b), second = std::max(a, b);
            if (depth == out.depth && (first > out.first || (first == out.first && second >= out.second)))
                return;
            out.first = first, out.second = second, out.depth = depth;
        });
        out.crowded = crowd > Overlap::most_crowd;
        if (out.crowded || (out.depth > 0 && out.looked > most)) break;
    }
    return out;
}

} // namespace scree::impact
