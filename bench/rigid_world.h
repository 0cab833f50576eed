// SPDX-License-Identifier: MIT
// rigid_world.h — a benchmark's scene as a World.
#pragma once

#include "rigid_scene.h"
#include "scree/world.h"

#include <vector>

namespace scree::bench {

struct RigidWorld {
    World world;
    std::vector<BodyId> bodies; ///< in the scene's order
};

/// Gravity is the scene's; everything else is from `settings`.
RigidWorld make_world(const RigidScene& scene, WorldSettings settings, const Place& place);

} // namespace scree::bench
