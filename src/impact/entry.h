// SPDX-License-Identifier: MIT
// entry.h — when a polynomial of the fourth degree first falls below zero.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace scree::impact {

/// c[0] + c[1] t + … + c[N - 1] t^(N - 1)
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double t) {
    double value = c[N - 1];
    for (std::size_t k = N - 1; k > 0; --k) value = value * t + c[k - 1];
    return value;
}

/// Halves an interval in which it changes its sign once until no number is between; returns the end where it was at the begin.
template <std::size_t N>
double before_change(const std::array<double, N>& c, double low, double high) {
    const bool above = polynomial(c, low) > 0;
    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) return low;
        ((polynomial(c, middle) > 0) == above ? low : high) = middle;
    }
}

/// The first time up to `end` at which the value is at most zero and falls; infinity if there is none. c[4] is positive. The ends of the
/// intervals in which it rises or falls are the roots of the derivative, and those of the derivative the roots of a quadratic: nothing is
/// missed, and no formula cancels.
inline double first_entry(const std::array<double, 5>& c, double end) {
    // no root is beyond this (Cauchy)
    const double most = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2]), std::abs(c[3])});
    end = std::min(end, 1 + most / c[4]);
    // most pairs are too far apart
    const auto down = [](double x) { return std::min(x, 0.0); };
    if (c[0] + end * (down(c[1]) + end * (down(c[2]) + end * down(c[3]))) > 0)
        return std::numeric_limits<double>::infinity();
    const std::array<double, 4> slope{c[1], 2 * c[2], 3 * c[3], 4 * c[4]};
    // where the slope itself turns: 12 c4 t^2 + 6 c3 t + 2 c2 = 0
    std::array<double, 4> turns{0, end, end, end};
    std::size_t size = 1;
    const double half = 1.5 * c[3], square = half * half - 6 * c[4] * c[2];
    if (square > 0)
        for (const double sign : {-1.0, 1.0})
            if (const double t = (sign * std::sqrt(square) - half) / (6 * c[4]);
                t > turns[size - 1] && t < end)
                turns[size++] = t;
    turns[size++] = end;
    std::array<double, 6> ends{};
    std::size_t count = 1;
    for (std::size_t k = 0; k + 1 < size; ++k)
        if ((polynomial(slope, turns[k]) > 0) != (polynomial(slope, turns[k + 1]) > 0))
            ends[count++] = before_change(slope, turns[k], turns[k + 1]);
    ends[count++] = end;
    for (std::size_t k = 0; k + 1 < count; ++k) {
        const double from = polynomial(c, ends[k]), to = polynomial(c, ends[k + 1]);
        if (!(to < from)) continue;
        if (from <= 0) return ends[k];
        if (to <= 0) return before_change(c, ends[k], ends[k + 1]);
    }
    return std::numeric_limits<double>::infinity();
}

} // namespace scree::impact
