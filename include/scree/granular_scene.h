// SPDX-License-Identifier: MIT
// granular_scene.h — the content of a scene of kind "granular".
#pragma once

#include "scree/granular.h"
#include "scree/scene.h"

#include <vector>

namespace scree {

/// Bodies that a line of a scene file paints.
struct PaintedBodies {
    std::size_t first = 0, count = 0;
    std::vector<Paint> paints; ///< in turn
};

struct GranularScene {
    GranularSettings settings;
    std::vector<GranularShape> shapes;
    std::vector<Paint> paints; ///< of the shapes
    std::vector<GranularBodyDef> bodies;
    std::vector<PaintedBodies> painted;
    std::vector<Obstacle> obstacles;
    std::vector<Paint> obstacle_paints; ///< by obstacle
    float fitted_size = 0;              ///< value of "world_size": "fit": walls just around all bodies
};

/// Throws Error for a scene of another kind.
GranularScene& granular_scene(Scene& scene);
const GranularScene& granular_scene(const Scene& scene);

/// Throws Error when a setting is out of range or the device lacks memory.
GranularWorld build_world(const Scene& scene, const Place& place = {});
/// Failed expectations of a world after scene.steps steps; empty if all hold.
std::vector<Failure> check_expectations(const Scene& scene, const GranularWorld& world);

} // namespace scree
