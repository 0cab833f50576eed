// SPDX-License-Identifier: MIT
// parts.h — the entries of "shapes", "obstacles" and "expect".
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

namespace scree {

/// `settings.particle_radius` is the radius of shapes that give none.
GranularShape read_shape(const Field& entry, const GranularSettings& settings, const SceneOptions& options);
/// Where a mesh file is: names are relative to the scene's folder.
std::string beside(const std::string& scene_file, const std::string& name);
Obstacle read_obstacle(const Field& entry);
void read_expectations(const Field& object, Scene& scene);

} // namespace scree
