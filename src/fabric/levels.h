// SPDX-License-Identifier: MIT
// levels.h — coarser and coarser copies of a cloth, which carry its load over distances that a sweep over its edges does not reach.
//
// A level is a subset of the vertices of the next finer one, with links between near ones. A link is as long as the way along the
// cloth, and slack when it is shorter: cloth that does not stretch never pulls at it. A level's moves are spread over the finer one.
#pragma once

#include "fabric/plan.h"

#include <span>

namespace scree {

/// A way between two vertices along the cloth.
struct FabricWay {
    std::array<std::uint32_t, 2> vertex;
    double length; ///< m
};

/// Levels of a cloth whose vertices have these masses and are joined by these ways. Stiffness is the `share` of the material's that
/// all levels have together; infinite: links do not yield. `held` vertices are kept as long as others are near.
std::vector<FabricLevel> levels_of(std::span<const float> mass, std::vector<FabricWay> ways,
                                   std::span<const std::uint32_t> held, const ClothDef& cloth, double share);

/// The straight way between two corners of triangles that share an edge, when these are laid flat: da and db, ea and eb are
/// the corners' distances from the edge's ends, which are `ab` apart. Infinite if it does not cross the edge.
double unfolded(double da, double db, double ea, double eb, double ab);

} // namespace scree
