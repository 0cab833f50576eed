// SPDX-License-Identifier: MIT
// cloth_intersections.h — where the cloths of a World pass through themselves and each other.
#pragma once

#include "scree/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

class World;

/// An edge of one triangle passes through another triangle, or touches it.
struct ClothIntersection {
    ClothId cloth, through;              ///< may be the same
    std::uint32_t triangle = 0, hit = 0; ///< numbers in ClothDef::triangles of `cloth` and of `through`
    std::uint32_t edge[2] = {0, 0};      ///< vertices of `cloth`
    bool operator==(const ClothIntersection&) const = default;
};

struct ClothIntersections {
    std::uint64_t count = 0;              ///< edges through triangles
    std::vector<ClothIntersection> first; ///< in the order of cloths, edges and triangles
};

/// Of all cloths with self_collision as they are now, exactly; call it after create_cloth to see whether a garment begins free of
/// intersections. `first` holds at most `most`. On a GPU this waits for the last step.
ClothIntersections find_cloth_intersections(const World& world, std::size_t most = 16);

} // namespace scree
