// SPDX-License-Identifier: MIT
// staged_scene.h — the content of a scene of kind "staged_impact".
#pragma once

#include "scree/scene.h"
#include "scree/staged_impact.h"

#include <vector>

namespace scree {

struct StagedScene {
    float time_step = 1.0f / 60; ///< s that a unit of time takes; a step of the scene is one unit
    int max_impacts = 10'000;    ///< in a step; what is left of it is reported
    StagedImpactSettings settings;
    std::vector<StagedCircle> circles;   ///< either these
    std::vector<StagedPolygon> polygons; ///< or these
    std::vector<Paint> paints;           ///< by body
};

/// Throws Error for a scene of another kind.
StagedScene& staged_scene(Scene& scene);
const StagedScene& staged_scene(const Scene& scene);

/// Throws Error for a scene without bodies, or when the device lacks memory.
StagedImpactWorld build_staged(const Scene& scene, const Place& place = {});

} // namespace scree
