// SPDX-License-Identifier: MIT
// point_hull.h — the convex hull of any number of points, as triangles: for measuring, where Hull::from_points is for bodies.
#pragma once

#include "scree/math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct PointHull {
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< of point numbers, counter-clockwise from outside
    std::vector<DVec3> normals;                          ///< unit, one a triangle
    std::vector<double> offsets;                         ///< n.x = offset on the triangle
    double volume = 0;
    double missed = 0; ///< m: how far the farthest point is outside, where `most_vertices` stopped early

    bool flat() const { return triangles.empty(); }
    /// In ascending order.
    std::vector<std::uint32_t> vertices() const;
    /// How far below the surface a point is; negative outside.
    double depth(DVec3 p) const;
    /// The depth of p if it is more than `most`, otherwise `most`. The face that told is looked at first the next time.
    double deeper(DVec3 p, double most, std::size_t& near_face) const;
};

/// Points that span no volume (to a millionth of their extent) give a flat hull. With fewer vertices than the hull has, those
/// that stand out most are taken.
PointHull hull_of(std::span<const DVec3> points, std::uint32_t most_vertices = 0xffffffffu);

} // namespace scree
