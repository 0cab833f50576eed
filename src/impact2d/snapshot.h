// SPDX-License-Identifier: MIT
// snapshot.h — a StagedImpactWorld as bytes.
#pragma once

#include "scree/staged_impact.h"

namespace scree::impact2d {

/// Its bodies as they are now say everything: pairs and impulses are found anew in each step.
struct Snapshot {
    StagedImpactSettings settings;
    bool of_polygons = false;
    std::vector<StagedCircle> circles;
    std::vector<StagedPolygon> polygons;
    double time = 0;
    std::uint64_t steps = 0, impacts = 0;
};

std::vector<std::byte> encode(const Snapshot& snapshot);
/// Throws Error for bytes that are no snapshot, or of a world that cannot be.
Snapshot decode(std::span<const std::byte> saved);

} // namespace scree::impact2d
