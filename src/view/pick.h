// SPDX-License-Identifier: MIT
// pick.h — ray casts into a frame, on the viewer's side.
#pragma once

#include "geometry/shapes.h"
#include "view/frame.h"

#include <optional>
#include <string>

namespace scree::view {

struct Picked {
    std::uint32_t body = 0;
    std::uint32_t part = 0; ///< index of the shape's part, or of the particle if particles are drawn
    double distance = 0;
    DVec3 point, normal; ///< world coordinates
    Vec3 local{};        ///< the point in the body's frame
};

/// Whether a part is a wall of a fixed body that the renderer draws as glass or not at all, so that rays pass through it.
bool is_glass(const Geometry& geometry, const Pose& pose);

/// The nearest body on the ray; a rope or net counts where the ray passes by some pixels. `particles`: tests the particles of bodies that have them, not the parts.
std::optional<Picked> pick(const Frame& frame, const Ray& ray, bool particles);
/// Whether no body but `own` is between the eye and the point.
bool is_seen(const Frame& frame, DVec3 eye, DVec3 point, std::optional<std::uint32_t> own, bool particles);

/// Text of the tooltip, by lines: `body 12 "arm"`, shape, mass, speed, state.
std::string probe_text(const Frame& frame, const Picked& picked);

} // namespace scree::view
