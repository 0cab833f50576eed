// SPDX-License-Identifier: MIT
// level_top_view.h — a level from above as a drawing: what is seen from a place, through which portals and windows.
#pragma once

#include "scree/level_visibility.h"

#include <string>

namespace scree {

/// An SVG picture: walls that are seen dark, others grey, cells that are seen shaded, portals green where they are passed, and
/// the rays at the sides of each cell's windows.
std::string top_view_svg(const CompiledLevel& level, const LevelCamera& camera);

} // namespace scree
