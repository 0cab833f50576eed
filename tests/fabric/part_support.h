// SPDX-License-Identifier: MIT
// part_support.h — sheets whose triangles touch bodies, and how near they come.
#pragma once

#include "scree/math.h"
#include "scree/scree.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace scree::testing {

inline constexpr float cloth_step = 1 / 60.0f;

inline void steps(World& world, int count) {
    for (int i = 0; i < count; ++i) world.step(cloth_step);
}

/// The least of f over points of the triangles and lines of a cloth, `fine` of them along an edge.
template <class F>
double least_over(const World& world, ClothId id, F f, int fine = 24) {
    const ClothDef cloth = world.definition(id);
    const std::span<const Vec3> v = world.vertices(id);
    double least = 1e30;
    for (const auto& [a, b, c] : cloth.triangles)
        for (int i = 0; i <= fine; ++i)
            for (int j = 0; i + j <= fine; ++j) {
                const double s = double(i) / fine, t = double(j) / fine;
                least = std::min(least, f(wide(v[a]) * (1 - s - t) + wide(v[b]) * s + wide(v[c]) * t));
            }
    for (const auto& [a, b] : cloth.lines)
        for (int i = 0; i <= fine; ++i) {
            const double s = double(i) / fine;
            least = std::min(least, f(wide(v[a]) * (1 - s) + wide(v[b]) * s));
        }
    return least;
}

/// A square sheet held along its border.
inline ClothDef drum(float side, std::uint32_t n) {
    ClothDef sheet = make_cloth(side, side, n, n);
    sheet.surface_collision = true;
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i)
            if (i == 0 || j == 0 || i == n - 1 || j == n - 1) sheet.pins.push_back({.vertex = i + n * j});
    return sheet;
}

} // namespace scree::testing
