// SPDX-License-Identifier: MIT
// look.h — reads the look of a scene: paint, camera, lights, ground.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

namespace scree {

/// The value of a key "paint".
Paint read_paint(const Field& field);
/// "camera", "lights" and "ground" of a document.
SceneLook read_look(const Fields& document);

} // namespace scree
