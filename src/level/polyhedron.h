// SPDX-License-Identifier: MIT
// polyhedron.h — convex polyhedra that planes bound, cut exactly.
#pragma once

#include "level/exact_plane.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// A convex polygon in a plane. Corner k is where the plane, edges[k - 1] and edges[k] meet.
struct ExactPolygon {
    const ExactPlane* plane = nullptr;
    std::vector<ExactCorner> corners;     ///< counter-clockwise seen from outside of the plane
    std::vector<const ExactPlane*> edges; ///< the planes through the edges that start at the corners
};

/// A closed convex polyhedron whose corners are known by the planes that meet there. The planes are not copied.
struct ExactPolyhedron {
    /// A face's corners, and for each the face beyond the edge that starts there. Faces that were cut off have no corners.
    struct Face {
        const ExactPlane* plane = nullptr;
        std::vector<std::uint32_t> corners{}, beyond{};
    };
    std::vector<ExactCorner> corners;
    std::vector<Face> faces;

    /// Of planes across the axes: x from, x to, y from, y to, z from, z to.
    static ExactPolyhedron box(std::span<const ExactPlane, 6> planes);
    /// Cuts off what is outside of the plane; false, and anything may be left, if nothing with a volume is.
    bool cut(const ExactPlane& plane);
    /// The smallest and the largest side of the plane that a corner is on.
    std::pair<int, int> sides(const ExactPlane& plane) const;
    /// Forgets faces and corners that were cut off.
    void compact();
    ExactPolygon polygon(const Face& face) const;
    double volume() const; ///< units cubed
};

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

/// The part of a polygon inside of the plane; without corners if there is none with an area.
ExactPolygon clipped(const ExactPolygon& polygon, const ExactPlane& plane);

} // namespace scree
