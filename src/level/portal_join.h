// SPDX-License-Identifier: MIT
// portal_join.h — pieces of an opening put together.
#pragma once

#include "level/polyhedron.h"

namespace scree {

/// Joins polygons of one plane that have an edge in common and a convex union, as long as there are any. Decided exactly.
void join_polygons(std::vector<ExactPolygon>& polygons);

} // namespace scree
