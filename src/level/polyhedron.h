// SPDX-License-Identifier: MIT
// polyhedron.h — the convex polyhedron that planes bound.
#pragma once

#include "level/exact_plane.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct Polyhedron {
    enum class State { closed, empty, open };
    State state = State::empty;
    std::vector<DVec3> vertices; ///< units
    struct Face {
        std::uint32_t plane = 0;            ///< index into the planes
        std::vector<std::uint32_t> corners; ///< counter-clockwise seen from outside
    };
    std::vector<Face> faces; ///< in the order of the planes; planes that bound nothing have none
};

/// The points inside all planes: empty if they have no volume, open if they reach farther than 2^25 units. Faces and vertices
/// are given if it is closed. Decided by exact sides alone; vertices are rounded at the end.
Polyhedron intersect(std::span<const ExactPlane> planes);

double volume_of(const Polyhedron& polyhedron);

} // namespace scree
