// SPDX-License-Identifier: MIT
// rigid_overlap.h — how deep two parts of bodies lie in each other.
#pragma once

#include "rigid_solid.h"

#include <span>

namespace scree::bench {

/// A part where it is in the world: a point, a segment, a box or a hull, grown by a radius.
struct PlacedPart {
    enum class Core { segment, box, hull } core = Core::segment;
    DVec3 centre;
    DQuat rotation;
    DVec3 half; ///< box: half sides; segment: half of it, in the world; a point is a segment of length 0
    double radius = 0;            ///< 0 for boxes and hulls
    const Solid* solid = nullptr; ///< of a hull
    DVec3 low, high;              ///< bounds

    /// Fills in the bounds.
    void bound();
};

/// Positive when they overlap, otherwise at most 0 and not a distance.
double overlap(const PlacedPart& a, const PlacedPart& b);

} // namespace scree::bench
