// SPDX-License-Identifier: MIT
// order.h — the order of particles in memory: along Morton's curve, so that neighbours share pages and caches.
#pragma once

#include "impact/gas.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace scree::impact {

/// The numbers of the particles in this order.
template <int D>
std::vector<std::uint32_t> curve_order(std::span<const Flight> flights, const ImpactSettings& settings) {
    const DVec3 size = settings.upper - settings.lower;
    std::vector<std::uint64_t> keys(flights.size());
    for (std::size_t id = 0; id < flights.size(); ++id) {
        const DVec3 at = flights[id].home - settings.lower;
        const double shares[] = {at.x / size.x, at.y / size.y, D == 3 ? at.z / size.z : 0};
        for (int k = 0; k < D; ++k) {
            const auto step = static_cast<std::uint64_t>(std::clamp(shares[k], 0.0, 1.0) * ((1 << 20) - 1));
            for (int bit = 0; bit < 20; ++bit) keys[id] |= (step >> bit & 1) << (bit * D + k);
        }
    }
    std::vector<std::uint32_t> ids(flights.size());
    std::iota(ids.begin(), ids.end(), 0u);
    std::sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
    });
    return ids;
}

} // namespace scree::impact
