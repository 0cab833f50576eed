// SPDX-License-Identifier: MIT
// appearance_parts.h — the appearance of particle shapes and obstacles, for worlds and recordings.
#pragma once

#include "scree/appearance.h"
#include "scree/granular.h"

namespace scree {

/// The particles, and one sphere or box to draw in their place.
AppearanceShape shape_look(const GranularShape& shape);
/// Adds a body behind the others, with a shape of its own.
void add_obstacle(Appearance& look, const Obstacle& obstacle);

} // namespace scree
