// SPDX-License-Identifier: MIT
// query.h — questions about the shapes of a World: rays, shape casts, overlaps, nearest points.
//
//     RayCast ray{.origin = {0, 10, 0}, .translation = {0, -20, 0}};
//     if (const auto hit = world.cast_ray(ray)) world.wake(hit->body);
//
// The functions are members of World (world.h). They see the world as it is now: after the last step, with all changes made
// since. Answers are the same on every device, with any number of threads (docs/manual/queries.md).
#pragma once

#include "scree/ids.h"
#include "scree/math.h"
#include "scree/shape.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree {

/// From origin to origin + translation.
struct RayCast {
    DVec3 origin{};
    Vec3 translation{}; ///< not 0
    bool hit_inside =
        true; ///< a shape that contains the origin is hit at fraction 0, with the normal against the ray
};

/// A convex geometry that moves without turning. Planes cannot be cast.
struct ShapeCast {
    Geometry geometry = Sphere{};
    DVec3 position{}; ///< at the start
    Quat rotation{};
    Vec3 translation{}; ///< not 0
};

/// A convex geometry at a pose. Planes cannot be placed.
struct ShapePlacement {
    Geometry geometry = Sphere{};
    DVec3 position{};
    Quat rotation{};
};

struct PointQuery {
    DVec3 point{};
    float distance = 1; ///< m, shapes farther away are not found
};

/// Which shapes a query sees.
struct QueryFilter {
    /// as if the query were a shape with this filter; default: everything but shapes whose mask is 0
    Filter filter{.category = 0xffffffffu};
    BodyId ignore{}; ///< default: no body
    /// Also finds cloths whose filter allows it: rays, shape casts, overlaps and nearest points, not `contains`. Triangles count as
    /// thin, from both sides; lines are not found. `accept` is not asked about them.
    bool cloth = false;
    /// Passes one-way shapes where bodies do (ShapeDef::one_way): rays, shape casts and overlaps meet them only from where they hold, and
    /// nearest points and `contains` do not see them. Default: they are shapes like others.
    bool one_way = false;
    /// Called for each shape that the query hits, with the number of the request in its batch: false lets the query pass
    /// through it. It may ask the world, and may throw; changes of the world are refused with Error. Batches call it from
    /// several threads at once: there it must not call the world at all.
    std::function<bool(ShapeId shape, std::size_t request)> accept{};
};

/// One shape or cloth that a query found; shape and cloth are those of nobody where it found none.
struct QueryHit {
    ShapeId shape; ///< ShapeId{} if it is a cloth
    BodyId body;
    DVec3 point{}; ///< where the shape is hit: on its surface
    Vec3 normal{}; ///< unit, out of the shape
    /// of a cast: the share of the translation before the hit
    float fraction = 0;
    /// m: of a cast, the way to the hit; of a nearest point, how far it is; minus the depth of what overlaps
    float distance = 0;
    std::uint32_t sub_shape = 0; ///< index of the part, such as a triangle of a mesh or a cloth; otherwise 0
    ClothId cloth{};             ///< ClothId{} if it is a shape
    explicit operator bool() const { return shape != ShapeId{} || cloth != ClothId{}; }
    friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

/// The hits of each request of a batch.
struct QueryLists {
    std::vector<QueryHit> hits;
    std::vector<std::size_t> first; ///< of each request in hits, and the number of hits at the end
    std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
    std::span<const QueryHit> operator[](std::size_t request) const {
        return std::span(hits).subspan(first[request], first[request + 1] - first[request]);
    }
};

} // namespace scree
