// SPDX-License-Identifier: MIT
// parts.h — the entries of "shapes", "obstacles" and "expect".
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

namespace scree {

/// `settings.particle_radius` is the radius of shapes that give none.
GranularShape read_shape(const Field& entry, const GranularSettings& settings, const SceneOptions& options);
Obstacle read_obstacle(const Field& entry);
void read_expectations(const Field& object, Scene& scene);

} // namespace scree
