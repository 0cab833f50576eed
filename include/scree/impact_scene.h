// SPDX-License-Identifier: MIT
// impact_scene.h — the content of a scene of kind "impact".
#pragma once

#include "scree/impact.h"
#include "scree/scene.h"

#include <vector>

namespace scree {

struct ImpactScene {
    float time_step = 1.0f / 60; ///< s, of a step of the scene; impacts do not depend on it
    int dimensions = 3;
    Vec3 lower{0, 0, 0}, upper{1, 1, 1};
    ImpactBorder borders = ImpactBorder::wall; ///< of all axes
    Vec3 gravity{};
    float restitution = 1, wall_restitution = 1, contact_time = 1e-6f;
    int max_events = 100'000'000;
    float average_from = 0; ///< s, when the averages of the pressures begin
    bool separate =
        false; ///< particles that overlap at the start are moved apart; otherwise they are an error
    std::vector<ImpactParticle> particles;
    std::vector<Paint> paints; ///< by particle

    ImpactSettings settings() const;
};

/// Throws Error for a scene of another kind.
ImpactScene& impact_scene(Scene& scene);
const ImpactScene& impact_scene(const Scene& scene);

/// Throws Error for overlapping particles that `separate` does not move apart.
ImpactWorld build_impact(const Scene& scene, const Place& place = {});

} // namespace scree
