// SPDX-License-Identifier: MIT
// rigid_solid.h — convex polyhedra in double precision, for what the benchmark measures itself.
#pragma once

#include "scree/math.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::bench {

/// A convex polyhedron with the directions in which two of them can be separated.
struct Solid {
    struct Face {
        DVec3 normal; ///< outwards
        double offset = 0;
        std::vector<std::size_t> corners; ///< counter-clockwise seen from outside
    };
    std::vector<DVec3> vertices; ///< those that are corners of a face
    std::vector<Face> faces;
    std::vector<DVec3> normals, edges; ///< directions, each once whatever its sign

    double volume = 0;
    DVec3 second_moment; ///< integrals of x², y², z² over the volume
};

/// The hull of a few dozen points by trying every triple as a face. Throws Error when they lie in one plane.
Solid solid_of(std::span<const Vec3> points);

} // namespace scree::bench
