// SPDX-License-Identifier: MIT
// brute.cpp — see brute.h.

#include "collision/brute.h"

#include <cassert>

namespace scree {

void brute_pairs(std::span<const float> bounds, std::span<const std::uint32_t> proxies,
                 std::vector<ProxyPair>& out) {
    brute_pairs(bounds, proxies, 0, proxies.size(), out);
}

void brute_pairs(std::span<const float> bounds, std::span<const std::uint32_t> proxies, std::size_t begin,
                 std::size_t end, std::vector<ProxyPair>& out) {
    for (std::size_t i = begin; i < end; ++i) {
        const float* first = bounds.data() + bounds_stride * proxies[i];
        for (std::size_t j = i + 1; j < proxies.size(); ++j)
            if (overlap(first, bounds.data() + bounds_stride * proxies[j]))
                out.push_back(ordered(proxies[i], proxies[j]));
    }
}

void brute_sphere_pairs(std::span<const float> spheres, std::span<const std::uint32_t> body,
                        std::span<const std::uint8_t> unbounded, std::vector<ProxyPair>& out) {
    assert(spheres.size() == 4 * body.size() && unbounded.size() == body.size());
    const auto n = static_cast<std::uint32_t>(body.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = i + 1; j < n; ++j) {
            if (body[i] == body[j] || (unbounded[i] != 0 && unbounded[j] != 0)) continue;
            const bool plane = unbounded[i] == 2 || unbounded[j] == 2;
            if (plane ||
                spheres_overlap(spheres.data() + 4 * std::size_t{i}, spheres.data() + 4 * std::size_t{j}))
                out.push_back({i, j});
        }
    }
}

} // namespace scree
