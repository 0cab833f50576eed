// SPDX-License-Identifier: MIT
// parts.h — the entries of "shapes" and "obstacles" of a granular scene.
#pragma once

#include "scene/fields.h"
#include "scree/granular_scene.h"

namespace scree {

/// `settings.particle_radius` is the default radius of shapes. Adds the files read to `files`.
GranularShape read_shape(const Field& entry, const GranularSettings& settings, const SceneOptions& options,
                         std::vector<SceneFile>& files);
Obstacle read_obstacle(const Field& entry, Paint& paint);

} // namespace scree
