// SPDX-License-Identifier: MIT
// sphere_ruler.h — the quality of a pile of equal spheres, measured alike whichever engine made it.
#pragma once

#include "row.h"
#include "scree/granular.h"

#include <vector>

namespace scree::bench {

/// Equal spheres in a box with walls at x, z = +-half_width and a floor at y = 0.
struct SpherePile {
    std::vector<Vec3> positions, velocities, spins; ///< m, m/s, rad/s
    double radius = 0, mass = 0, half_width = 0;
};

SpherePile sphere_pile(const GranularWorld& world);
/// In double precision, over every pair. Coordination counts contacts between spheres; overlaps count walls too.
Quality measure(const SpherePile& pile);

} // namespace scree::bench
