// SPDX-License-Identifier: MIT
// cloth_scene.h — the content of a scene of kind "cloth".
#pragma once

#include "scree/cloth.h"
#include "scree/scene.h"

#include <vector>

namespace scree {

struct ClothScene {
    ClothSettings settings;
    std::vector<ClothSheetDef> sheets;
    std::vector<Paint> paints; ///< of the sheets
    std::vector<ClothCollider> colliders;
    std::vector<Paint> collider_paints; ///< by collider
};

/// Throws Error for a scene of another kind.
ClothScene& cloth_scene(Scene& scene);
const ClothScene& cloth_scene(const Scene& scene);

/// Throws Error when a setting is out of range or the device lacks memory.
ClothWorld build_cloth(const Scene& scene, const Place& place = {});

} // namespace scree
