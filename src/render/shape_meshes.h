// SPDX-License-Identifier: MIT
// shape_meshes.h — the levels of detail of each shape, with how far each is off.
#pragma once

#include "render/scene_graph.h"

namespace scree::render {

/// sphere 0, capsule 1, box 2, cylinder 3, cone 4, plane 5
LodMesh make_shape_mesh(MeshStore& store, int shape);

/// Half a side of 1.2 pixels in crowds, of 0.4 elsewhere, is a point.
constexpr float point_error = 0.85f;

/// How far a polygon of `segments` corners and the circle's area is from the circle of radius 1.
float polygon_error(int segments);
/// The same for meshes::sphere(level).
float sphere_error(int level);

} // namespace scree::render
