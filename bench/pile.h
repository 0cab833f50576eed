// SPDX-License-Identifier: MIT
// pile.h — settled piles of any size: one tile is settled by simulation and then repeated, mirrored, side by side.
//
// A pile of ten million grains would take hours to settle from rain. Its tiles have settled just as well, and mirroring
// makes the seams close to what they touch: what leans on a wall leans on its mirror image.
#pragma once

#include "run_progress.h"
#include "scree/granular_scene.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scree::bench {

/// The built-in scene `name` with about `count` bodies, its settings (walls moved out to fit) and its bodies as they
/// lie when settled. Shapes must be symmetric about the planes of their axes, as grains and cubes are. `count` is met
/// exactly when a square of tiles of at most `most_in_tile` bodies divides it.
Scene settled_pile(const std::string& name, std::uint64_t count, std::uint64_t most_in_tile,
                   const Place& place, RunProgress& progress);

/// The state of a world as bodies to build another from.
std::vector<GranularBodyDef> bodies_of(const GranularWorld& world);

} // namespace scree::bench
