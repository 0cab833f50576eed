// SPDX-License-Identifier: MIT
// cloth_gap.h — the smallest distance between parts of cloth that share no vertex.
#pragma once

#include <cstdint>
#include <span>

namespace scree::bench {

/// m: the least distance of a vertex and a triangle, and of two edges, that share no vertex; `most` if all are farther apart. Three floats
/// a vertex. In double precision, from positions as they are stored.
double thinnest_gap(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> edges,
                    std::span<const float> position, double most);

} // namespace scree::bench
