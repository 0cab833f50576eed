// SPDX-License-Identifier: MIT
// brute.cpp — see brute.h.

#include "collision/brute.h"

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

} // namespace scree
