// SPDX-License-Identifier: MIT
// level_weld.h — closes the small gaps that rounding left between the brushes of a map.
//
//     Map map = read_map("hall.map");
//     for (const MapWeld& one : weld(map, 0.02)) report(one.moved.line, one.distance);
#pragma once

#include "scree/level_cells.h"

#include <optional>
#include <vector>

namespace scree {

/// A face that was put into the plane of another one.
struct MapWeld {
    MapPlace moved{}, onto{};
    double distance = 0; ///< how far its corners were from that plane, at most, in units
};

/// Faces whose corners are all within `reach` units of the plane of an earlier face, on either of its sides, get exactly that
/// plane; the nearest one if there are several. What brushes are made of is not changed otherwise. Throws Error for a reach that is
/// not from 1e-6 to 1.
std::vector<MapWeld> weld(Map& map, double reach);

/// Faces that were one plane before their numbers were rounded get one plane again: a face whose corners are all as near to the plane
/// of another one as the last decimals of both, and the places of their points, account for, and nowhere farther than 0.125 units.
/// Planes of whole numbers or along two axes count as exact: others are put there, and gaps between them stay.
std::vector<MapWeld> weld_rounding(Map& map);

/// What compile_closed closed.
struct RoundingGaps {
    std::optional<LevelLeak> leak{}; ///< the way out that there was
    std::vector<MapWeld> welds{};
};
/// As compile_level. Where an entity has a way out that weld_rounding closes without losing a brush, the level is the one of the map
/// with these faces moved, and so is `map`. A level that leaks all the same is the one of the map as it is written.
CompiledLevel compile_closed(Map& map, const LevelOptions& making = {}, const LevelCellOptions& options = {},
                             RoundingGaps* gaps = nullptr, CompileReport* report = nullptr);

} // namespace scree
