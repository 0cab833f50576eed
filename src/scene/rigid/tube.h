// SPDX-License-Identifier: MIT
// tube.h — cloth in the shape of a tube, wider or narrower towards its end: skirts and sleeves.
#pragma once

#include "scree/cloth_def.h"

#include <cstdint>

namespace scree {

/// About the y axis, from y = 0 downwards: `around` vertices (3 or more) in each of `down` rows (2 or more), numbered row by row.
/// Radii and height in m, greater than 0. The same bits on every machine.
ClothDef make_tube(float top_radius, float bottom_radius, float height, std::uint32_t around,
                   std::uint32_t down);

} // namespace scree
