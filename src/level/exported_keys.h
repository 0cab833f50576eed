// SPDX-License-Identifier: MIT
// exported_keys.h — what a compiled level keeps of a map's entities.
#pragma once

#include "scree/level.h"
#include "scree/level_cells.h"

#include <cstddef>

namespace scree {

/// Keys and values, in the map's order; those that are omitted keep their number alone.
inline decltype(CompiledLevel::entities) exported_keys(const Map& map) {
    decltype(CompiledLevel::entities) all(map.entities.size());
    for (std::size_t e = 0; e < all.size(); ++e)
        if (!map.entities[e].omitted) all[e] = map.entities[e].keys;
    return all;
}

} // namespace scree
