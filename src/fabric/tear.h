// SPDX-License-Identifier: MIT
// tear.h — cloth that comes apart where it is stretched too far: vertices are doubled, and triangles get one or the other.
#pragma once

#include "fabric/plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct FabricTear {
    std::uint32_t vertex, copy;
};

/// Doubles vertices of edges that are longer than (1 + material.tear) times their length at rest, the most stretched first. What lies
/// on the far side of a plane through the vertex, across the edge, gets the copy; a vertex with nothing on one side stays. One of 512
/// edges at most, so that a tear goes on from where it is. Pieces that then hang together by one vertex part. Positions are quads.
/// Triangles keep their numbers; copies come last, at the places of their vertices.
std::vector<FabricTear> tear(ClothDef& cloth, const FabricPlan& plan, std::span<const float> position);

/// Whether some edge is as long as that.
bool tears(const ClothDef& cloth, const FabricPlan& plan, std::span<const float> position);

} // namespace scree
