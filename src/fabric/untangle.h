// SPDX-License-Identifier: MIT
// untangle.h — cloth that passes through cloth at the start, such as a garment put on badly: where its vertices are to go.
//
// Mesh edges that pass through no triangle connect vertices. Where an edge that does has its ends in two such regions, the smaller one is
// on the wrong side: it goes back through the triangle. (D. Baraff, A. Witkin, M. Kass 2003, Untangling cloth, find regions within closed
// contours; here borders of the cloth may close them.) Where both ends are in one region, the contour ends within the cloth, and is made
// shorter (P. Volino, N. Magnenat-Thalmann 2006, Resolving surface collisions through intersection contour minimization).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct Untangling {
    std::uint64_t intersections = 0;    ///< edges through triangles
    std::vector<std::uint32_t> tangled; ///< of each vertex, 1: may pass through others of these
    std::vector<float> motion;          ///< of each vertex, four floats: velocity to come apart with, m/s
};

/// Three vertices a triangle, two an edge; positions are four floats a vertex, the last is the inverse mass, 0: held.
Untangling untangle(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> edges,
                    std::span<const float> position, float speed);

} // namespace scree
