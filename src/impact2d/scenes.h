// SPDX-License-Identifier: MIT
// scenes.h — seeded rooms of circles and of polygons for tests and benchmarks; the same bodies for every device.
#pragma once

#include "scree/staged_impact.h"

namespace scree::impact2d {

/// S0-C(n): n circles of mixed radii in a square room, masses by area, random velocities, none overlapping.
struct CircleScene {
    std::vector<StagedCircle> circles;
    float limit = 0; ///< of the room
};
CircleScene circle_scene(std::uint32_t count, std::uint32_t seed = 1);

/// S0-P(n): n regular polygons of 3, 4, 5, 6 and 8 vertices that turn, and four slabs as walls after them.
std::vector<StagedPolygon> polygon_scene(std::uint32_t count, std::uint32_t seed = 1);

} // namespace scree::impact2d
