// SPDX-License-Identifier: MIT
// impact_rooms.h — worlds of Solver::impact in rooms with doors, for the benchmark of the detector and its tests.
#pragma once

#include "scree/collision_cells.h"
#include "scree/level_cells.h"
#include "scree/world.h"

#include <vector>

namespace scree::bench {

/// Rooms of 8 m in a square, four metres high, with doors of 2 m between them and a pillar and a crate in each.
CompiledLevel rooms_of(int side);

struct RoomsWorld {
    World world;
    BodyId walls;
    std::vector<BodyId> bodies;
};
/// Bodies of every kind, in turn in each of the rooms, which fly about. Without cells.
RoomsWorld fly_in_rooms(const CompiledLevel& level, int side, int bodies, float restitution = 0.6f,
                        const Place& place = {});

} // namespace scree::bench
