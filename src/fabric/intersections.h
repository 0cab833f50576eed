// SPDX-License-Identifier: MIT
// intersections.h — counts exactly the edges of a mesh that meet a triangle of which they share no vertex.
//
// Signs of determinants come from long double where its rounding cannot matter, otherwise from sums of doubles without
// an error (J. Shewchuk 1997, Adaptive precision floating-point arithmetic).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree {

using ExactPoint = std::array<float, 3>;

/// Whether edge p q meets triangle a b c, also where they only touch.
bool edge_meets_triangle(const ExactPoint& p, const ExactPoint& q, const ExactPoint& a, const ExactPoint& b,
                         const ExactPoint& c);

/// Both ends of each edge of the triangles, once.
std::vector<std::uint32_t> edges_of(std::span<const std::uint32_t> triangles);

/// Of a mesh with three floats a vertex, `stride` apart. Triangles with a vertex that is not finite are left out. `found` is called for
/// each, in the order of edges.
std::uint64_t
count_intersections(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> edges,
                    std::span<const float> position, std::size_t stride = 4,
                    const std::function<void(std::uint32_t edge, std::uint32_t triangle)>& found = {});

} // namespace scree
