// SPDX-License-Identifier: MIT
// solid.h — boxes and hulls as corners, normals and edges in double precision, and how far two of them overlap by brute force.
#pragma once

#include "collision/convex.h"
#include "support/double_vector.h"

#include <cstdint>
#include <vector>

namespace scree::test {

/// A box or hull with what brute force needs of it.
struct Solid {
    ConvexGeometry geometry;
    std::vector<std::uint32_t> words;
    std::vector<DVec3> vertices, normals, edges;
};

Solid solid_box(Vec3 half);

struct Placed {
    std::vector<DVec3> vertices, normals, edges;
    Placed(const Solid& s, const Pose& pose);
};

double overlap_along(const Solid& a, const Placed& b, DVec3 n);

/// Every face normal and every pair of edges, both ways, from a to b; edges with a smaller sine between them count as
/// parallel.
std::vector<DVec3> separating_axes(const Solid& a, const Placed& b, double least_sine = 1e-6);

/// the least overlap over all these axes
double overlap_by_all_axes(const Solid& a, const Placed& b, double least_sine = 1e-6);

/// the least over directions evenly spread over the sphere (a spiral)
double overlap_by_sweep(const Solid& a, const Placed& b, int directions);

} // namespace scree::test
