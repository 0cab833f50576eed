// SPDX-License-Identifier: MIT
// vertex_contact.h — contacts of a vertex of a cloth with a shape, for host code; the formulas are kernels/fabric_shape.h.
#pragma once

#include "collision/convex.h"
#include "scree/math.h"

#include <cstdint>

namespace scree {

struct VertexContact {
    Vec3 point{};       ///< on the surface
    Vec3 normal{};      ///< unit, out of the shape
    float distance;     ///< of the vertex from there along the normal; below 0: inside
    std::uint32_t part; ///< the triangle's number; 0 for other shapes
};

/// The surfaces of a shape within the margin of a vertex, and those that it passed on its way from `before`; returns how many.
/// All in the shape's frame. A mesh has the words of mesh_geometry.h for its hull and its scale for its size.
int vertex_contacts(const ConvexGeometry& shape, Vec3 point, Vec3 before, float margin,
                    VertexContact (&out)[2]);
/// Where the way of a point first enters a shape that is no mesh and that it begins outside of; the distance is that of `to`
/// from the tangent plane there.
bool vertex_entry(const ConvexGeometry& shape, Vec3 from, Vec3 to, VertexContact& out);

} // namespace scree
