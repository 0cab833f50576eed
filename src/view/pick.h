// SPDX-License-Identifier: MIT
// pick.h — what a ray meets in a frame. On the viewer's side: the physics is not asked.
#pragma once

#include "view/frame.h"

#include <optional>
#include <string>

namespace scree::view {

struct Picked {
    std::uint32_t body = 0;
    std::uint32_t part = 0; ///< of its shape; of bodies drawn as particles: the particle
    double distance = 0;
    DVec3 point, normal; ///< world
    Vec3 local{};          ///< the point in the body's frame
};

/// Whether a part of a fixed body is a wall that the renderer draws as glass, or not at all: it hides nothing.
bool is_glass(const Geometry& geometry, const Pose& pose);

/// The nearest body that the ray meets. `particles`: bodies that have particles are seen as those, not as their parts.
std::optional<Picked> pick(const Frame& frame, const Ray& ray, bool particles);

/// What is under the cursor, in lines: `body 12 "arm"`, shape, mass, speed, state.
std::string probe_text(const Frame& frame, const Picked& picked);

} // namespace scree::view
