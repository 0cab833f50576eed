// SPDX-License-Identifier: MIT
// bounds.h — axis-aligned bounds as the broad phases read them.
//
// A proxy represents a shape in a broad phase; its number is the shape's index. Its bounds are eight floats, two
// quads: low x y z and a word of the owner's, high x y z and another. Bounds are closed: touching is overlapping. They
// may reach to infinity; a NaN anywhere overlaps nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace scree {

constexpr std::size_t bounds_stride = 8; ///< floats from one proxy's bounds to the next

/// Two proxies, first < second.
struct ProxyPair {
    std::uint32_t first = 0, second = 0;
    friend bool operator==(const ProxyPair&, const ProxyPair&) = default;
    friend auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

inline ProxyPair ordered(std::uint32_t a, std::uint32_t b) {
    return a < b ? ProxyPair{a, b} : ProxyPair{b, a};
}

inline bool overlap(const float* a, const float* b) {
    return a[0] <= b[4] && b[0] <= a[4] && a[1] <= b[5] && b[1] <= a[5] && a[2] <= b[6] && b[2] <= a[6];
}

/// Spheres are x y z radius. In double, so that neither large distances overflow nor rounding decides.
inline bool spheres_overlap(const float* a, const float* b) {
    const double x = double{a[0]} - double{b[0]}, y = double{a[1]} - double{b[1]},
                 z = double{a[2]} - double{b[2]};
    const double reach = double{a[3]} + double{b[3]};
    return x * x + y * y + z * z <= reach * reach;
}

} // namespace scree
