// SPDX-License-Identifier: MIT
// kind.h — scenes of impacts in stages.
#pragma once

#include "scene/kind.h"
#include "scree/staged_scene.h"

#include <memory>

namespace scree {

const Kind& staged_kind();
std::unique_ptr<SceneRun> start_staged(const Kind& kind, const Scene& scene, const Place& place);
void check(const StagedScene& scene);

} // namespace scree
