// SPDX-License-Identifier: MIT
// kind.h — scenes of rigid bodies with contacts and joints.
#pragma once

#include "scene/kind.h"
#include "scree/rigid_scene.h"

#include <memory>
#include <span>

namespace scree {

const Kind& rigid_kind();
std::unique_ptr<SceneRun> start_rigid(const Kind& kind, const Scene& scene, const Place& place);

/// The time step, then in the order of WorldSettings.
std::span<const Setting> rigid_settings();

} // namespace scree
