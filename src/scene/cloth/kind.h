// SPDX-License-Identifier: MIT
// kind.h — scenes of cloth.
#pragma once

#include "scene/kind.h"
#include "scree/cloth_scene.h"

#include <memory>
#include <span>

namespace scree {

const Kind& cloth_kind();
std::unique_ptr<SceneRun> start_cloth(const Kind& kind, const Scene& scene, const Place& place);

/// In the order of ClothSettings.
std::span<const Setting> cloth_settings();

} // namespace scree
