// SPDX-License-Identifier: MIT
// kind.h — scenes of bodies made of particles.
#pragma once

#include "scene/kind.h"
#include "scree/granular_scene.h"

#include <span>
#include <vector>

namespace scree {

const Kind& granular_kind();
std::unique_ptr<SceneRun> start_granular(const Kind& kind, const Scene& scene, const Place& place);

/// In the order of GranularSettings.
std::span<const Setting> granular_settings();
std::size_t particle_count(const GranularScene& scene);

} // namespace scree
