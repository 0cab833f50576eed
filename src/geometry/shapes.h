// SPDX-License-Identifier: MIT
// shapes.h — what the host computes of a shape: sizes, reach, bounds, mass, rays, nearest points.
//
// A shape is a ShapeKind of its functions (primitives.cpp, hull.cpp), an alternative of Geometry (scree/shape.h) and a line in
// the list below. What the kernels compute of it, its support function first, is in kernels/convex_support.h; what is drawn of
// it, with its levels of detail, in render/shape_meshes.h.
#pragma once

#include "scree/shape.h"
#include "scree/world.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace scree {

struct Bounds {
    DVec3 low, high;
};

struct Ray {
    DVec3 origin, direction; ///< direction of length 1
    DVec3 at(double distance) const { return origin + distance * direction; }
};

struct RayHit {
    double distance = 0;
    DVec3 normal; ///< unit, against the ray
    std::uint32_t sub_shape = 0;
};

/// The point of a solid nearest to another; the same where that lies inside.
struct NearestPoint {
    DVec3 point;
    double distance = 0;
    bool inside = false;
    std::uint32_t sub_shape = 0;
};

/// Where records and kernels keep a size: in the vector of half sides, or in the radius.
enum class SizePlace { x, y, z, radius };

/// All in the shape's own frame.
template <class Shape>
struct ShapeKind {
    struct Size {
        const char* name; ///< of the member; none: there are no more
        float Shape::* value;
        SizePlace place;
    };

    const char* name;
    Size sizes[3];                    ///< each is positive; recordings hold them in this order
    double (*reach)(const Shape&);    ///< how far it extends from its origin; infinite for planes
    float (*radius)(const Shape&);    ///< the same as the simulation rounds it: it decides bits of the state
    float (*thickness)(const Shape&); ///< at its thinnest, roughly
    /// Tight, of the shape turned but not moved.
    Bounds (*bounds)(const Shape&, const DQuat& turn);
    MassProperties (*mass)(const Shape&, double density);
    std::optional<RayHit> (*ray_hit)(const Shape&, const Ray&);
    NearestPoint (*nearest)(const Shape&, const DVec3& point);
};

// the list of shapes
const ShapeKind<Sphere>& kind_of(const Sphere&);
const ShapeKind<Capsule>& kind_of(const Capsule&);
const ShapeKind<Box>& kind_of(const Box&);
const ShapeKind<Cylinder>& kind_of(const Cylinder&);
const ShapeKind<Cone>& kind_of(const Cone&);
const ShapeKind<Plane>& kind_of(const Plane&);
const ShapeKind<Hull>& kind_of(const Hull&);
const ShapeKind<Mesh>& kind_of(const Mesh&);

/// "sphere", "hull" …
const char* geometry_name(const Geometry& geometry);
bool is_plane(const Geometry& geometry);
float radius_of(const Geometry& geometry);
float thickness_of(const Geometry& geometry);
/// The tightest axis-aligned box around a geometry in a pose; infinite for planes.
Bounds bounds_of(const Geometry& geometry, const Pose& pose = {});
Bounds bounds_of(const Geometry& geometry, const DPose& pose);
/// In the geometry's own frame, along its axes. Throws Error for a plane or an empty Hull; density 0 gives mass 0.
MassProperties mass_of(const Geometry& geometry, float density);
/// Where a ray enters a geometry, in the geometry's frame; nullopt if it misses or starts inside.
std::optional<RayHit> ray_hit(const Geometry& geometry, const Ray& ray);
NearestPoint nearest_point(const Geometry& geometry, const DVec3& point);
std::optional<RayHit> ray_hit_sphere(DVec3 centre, double radius, const Ray& ray);

/// The alternative of that index, with default sizes; nullopt for an invalid index.
std::optional<Geometry> geometry_of_index(std::size_t index);

/// Calls with (name, place, value) of each size; the value can be changed where the geometry can.
template <class AnyGeometry, class Call>
void each_size(AnyGeometry& geometry, Call call) {
    std::visit(
        [&](auto& shape) {
            for (const auto& size : kind_of(shape).sizes)
                if (size.name) call(size.name, size.place, shape.*size.value);
        },
        geometry);
}

} // namespace scree
