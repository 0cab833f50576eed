// SPDX-License-Identifier: MIT
// outward.h — the outward directions of a shape's particles, computed from their positions.
#pragma once

#include "scree/granular.h"

#include <vector>

namespace scree {

/// Sets each particle's `outward` to the unit direction away from its neighbours, or to zero where they
/// surround it evenly: inside the body, and where it is one particle thick and so has no side. On a lattice 2
/// radii apart this is the sum of the directions of the faces the particle lies on.
void estimate_outward(std::vector<ShapeParticle>& particles);

} // namespace scree
