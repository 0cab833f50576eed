// SPDX-License-Identifier: MIT
// kind.h — scenes of impacts.
#pragma once

#include "scene/kind.h"
#include "scree/impact_scene.h"
#include "scree/place.h"

#include <memory>

namespace scree {

const Kind& impact_kind();
std::unique_ptr<SceneRun> start_impact(const Kind& kind, const Scene& scene, const Place& place);
void check(const ImpactScene& scene);

} // namespace scree
