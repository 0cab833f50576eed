// SPDX-License-Identifier: MIT
// level_pictures.h — pictures of a level along a walk, with portals, with the frustum alone and without culling.
#pragma once

#include "scree/level_cells.h"
#include "scree/level_visibility.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scree::bench {

/// Columns of the table.
std::vector<std::string> picture_columns();
/// One line of it. Throws Error where there is no renderer.
std::vector<std::string> picture_line(const std::string& name, std::shared_ptr<const CompiledLevel> level,
                                      const std::vector<LevelCamera>& path, int width, int height);

} // namespace scree::bench
