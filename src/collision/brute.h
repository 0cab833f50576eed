// SPDX-License-Identifier: MIT
// brute.h — every pair tested: the reference that the other broad phases are measured against.
#pragma once

#include "collision/bounds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// Appends the pairs of `proxies` whose bounds (at bounds_stride * proxy) overlap, in the order of the list; proxies
/// may be in any order, each once.
void brute_pairs(std::span<const float> bounds, std::span<const std::uint32_t> proxies,
                 std::vector<ProxyPair>& out);
/// Those of them whose first is among begin … end - 1 of the list.
void brute_pairs(std::span<const float> bounds, std::span<const std::uint32_t> proxies, std::size_t begin,
                 std::size_t end, std::vector<ProxyPair>& out);

} // namespace scree
