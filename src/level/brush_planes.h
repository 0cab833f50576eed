// SPDX-License-Identifier: MIT
// brush_planes.h — the exact plane of a face of a map.
#pragma once

#include "level/exact_plane.h"
#include "scree/level.h"

#include <optional>

namespace scree {

/// Nothing if its points are on a line or its normal is 0.
std::optional<ExactPlane> brush_plane(const Map& map, std::uint32_t entity, std::uint32_t brush,
                                      std::uint32_t face);

} // namespace scree
