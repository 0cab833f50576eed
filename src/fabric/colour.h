// SPDX-License-Identifier: MIT
// colour.h — which constraints may be solved together: those of one colour share no vertex.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// Greedy, in order: the least colour that none of its vertices has. Returns how many there are.
template <class Constraint>
std::uint32_t colour(const std::vector<Constraint>& all, std::size_t vertices,
                     std::vector<std::uint32_t>& colours) {
    std::vector<std::vector<bool>> taken(vertices);
    std::uint32_t most = 0;
    colours.reserve(all.size());
    for (const Constraint& each : all) {
        std::uint32_t c = 0;
        const auto is_taken = [&](std::uint32_t v) { return c < taken[v].size() && taken[v][c]; };
        while (std::any_of(each.vertex.begin(), each.vertex.end(), is_taken)) ++c;
        for (const std::uint32_t v : each.vertex) {
            if (taken[v].size() <= c) taken[v].resize(c + 1);
            taken[v][c] = true;
        }
        colours.push_back(c);
        most = std::max(most, c + 1);
    }
    return most;
}

} // namespace scree
