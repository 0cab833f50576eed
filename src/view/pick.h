// SPDX-License-Identifier: MIT
// pick.h — what a ray meets in a frame. On the viewer's side: the physics is not asked.
#pragma once

#include "view/frame.h"

#include <optional>
#include <string>

namespace scree::view {

struct RayHit {
    double distance = 0;
    DVec3 normal; ///< unit, against the ray
};

/// Where a ray enters a geometry in its own frame; nothing when it misses or starts inside.
std::optional<RayHit> ray_hit(const Geometry& geometry, const Ray& ray);
std::optional<RayHit> ray_hit_sphere(DVec3 centre, double radius, const Ray& ray);

struct Picked {
    std::uint32_t body = 0;
    std::uint32_t part = 0; ///< of its shape; of granular bodies drawn as particles: the particle
    double distance = 0;
    DVec3 point, normal;   ///< world
    Vec3 local{};          ///< the point in the body's frame
};

/// The nearest body that the ray meets. `particles`: granular bodies are seen as their particles, not as boxes.
std::optional<Picked> pick(const Frame& frame, const Ray& ray, bool particles);

/// "sphere", "hull" …
const char* geometry_name(const Geometry& geometry);
/// What is under the cursor, in lines: `body 12 "arm"`, shape, mass, speed, state.
std::string probe_text(const Frame& frame, const Picked& picked);

} // namespace scree::view
