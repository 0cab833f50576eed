// SPDX-License-Identifier: MIT
// bounds.h — the tightest box along the axes around a geometry.
#pragma once

#include "scree/math.h"
#include "scree/shape.h"

namespace scree {

struct Bounds {
    DVec3 low, high;
};

/// Of a geometry in a pose; infinite for planes.
Bounds bounds_of(const Geometry& geometry, const Pose& pose = {});
bool is_plane(const Geometry& geometry);

} // namespace scree
