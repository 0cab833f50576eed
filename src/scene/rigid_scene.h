// SPDX-License-Identifier: MIT
// rigid_scene.h — the part of a document that only rigid scenes have.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

namespace scree {

/// Fills scene.rigid from "world" to "forces".
void read_rigid_scene(const Fields& document, Scene& scene, const SceneOptions& options);

} // namespace scree
