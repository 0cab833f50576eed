// SPDX-License-Identifier: MIT
// look.h — reads the look of a scene: paint, camera, lights, ground, sky.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

#include <vector>

namespace scree {

/// The value of a key "paint".
Paint read_paint(const Field& field);
/// The value of a key "paint" of many bodies, which take its "colours" in turn: one for each colour.
std::vector<Paint> read_paints(const Field& field);
/// A light of a shape, which bodies of that shape carry.
AppearanceLight read_carried_light(const Field& field);
/// "camera", "cameras", "lights", "ground", "sky" and "shading" of a document.
SceneLook read_look(const Fields& document);

} // namespace scree
