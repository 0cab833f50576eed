// SPDX-License-Identifier: MIT
// remesh.h — a closed, outward surface around any triangles.
#pragma once

#include "scree/triangle_mesh.h"

namespace scree {

/// On a lattice with `resolution` cells along the longest side. Inside is what no path from outside reaches without passing a
/// triangle; holes smaller than a cell are closed. The surface runs a quarter of a cell or less outside the triangles, so that
/// sheets become plates.
TriangleMesh remeshed(const TriangleMesh& mesh, int resolution);

} // namespace scree
