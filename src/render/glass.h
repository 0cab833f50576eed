// SPDX-License-Identifier: MIT
// glass.h — decides which walls are drawn as glass or not at all, so that they do not hide the scene.
//
// Renderer and viewer share this rule: rays of the mouse pass through glass too.
#pragma once

#include "scree/world.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::render {

/// Of a part of something that never moves; `up` is the world's, in the frame of the geometry. Planes that stand, and
/// plates that do not lie.
inline bool is_wall(const Geometry& geometry, Vec3 up) {
    if (std::holds_alternative<Plane>(geometry)) return up.y < 0.2f;
    const Box* box = std::get_if<Box>(&geometry);
    if (!box) return false;
    const float thin = std::min({box->x, box->y, box->z}), broad = std::max({box->x, box->y, box->z});
    const float lies = std::abs(box->x == thin ? up.x : box->z == thin ? up.z : up.y);
    return lies < 0.9f && box->x + box->y + box->z - thin - broad > 3.5f * thin;
}

} // namespace scree::render
