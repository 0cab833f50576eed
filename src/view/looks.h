// SPDX-License-Identifier: MIT
// looks.h — what the bodies of a world look like, from its scene and from what was shot into it.
#pragma once

#include "view/frame.h"

#include <memory>

namespace scree::view {

/// One of the worlds is there. Versions never repeat within a process.
std::shared_ptr<Looks> make_looks(const Scene& scene, const World* rigid, const GranularWorld* granular);

/// Of a geometry in its own frame; infinite for planes.
struct Bounds {
    DVec3 low, high;
};
Bounds bounds_of(const Geometry& geometry);
/// Around the geometry in a pose.
Bounds bounds_of(const Geometry& geometry, const Pose& pose);
bool is_plane(const Geometry& geometry);
/// Whether a part of a fixed body is a wall that the renderer draws as glass, or not at all: it hides nothing.
bool is_glass(const Geometry& geometry, const Pose& pose);

} // namespace scree::view
