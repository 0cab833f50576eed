// SPDX-License-Identifier: MIT
// shape.h — shapes of the bodies of a World: geometry, material, filter.
//
// Sizes are in metres. A geometry is centred at the origin of its own frame; ShapeDef places that frame in the body's.
#pragma once

#include "scree/material.h"
#include "scree/math.h"
#include "scree/mesh.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace scree {

struct HullGeometry; // src/geometry/hull.h: vertices, faces and edges as the kernels read them

struct Sphere {
    float radius = 0.5f;
};
/// A segment along y from -half_height to +half_height, with a radius; the round ends lie beyond.
struct Capsule {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Half the side lengths.
struct Box {
    float x = 0.5f, y = 0.5f, z = 0.5f;
};
/// Axis along y.
struct Cylinder {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Axis along y, the tip at +half_height; the centre of mass lies half_height / 2 below the origin.
struct Cone {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Solid below y = 0 of its frame. For fixed bodies only.
struct Plane {};

/// A convex polyhedron. Copies share the geometry.
class Hull {
public:
    Hull() = default;
    /// Takes geometry that from_points made, such as that of a snapshot, without checks.
    explicit Hull(std::shared_ptr<const HullGeometry> geometry) : geometry_(std::move(geometry)) {}
    /// The convex hull of the points: at most 128 vertices and 128 faces. Duplicates are merged, faces in one plane
    /// become one polygon. Throws Error for fewer than four points, non-finite coordinates, coincident, collinear or
    /// coplanar points, or a result beyond the limits.
    static Hull from_points(std::span<const Vec3> points);

    std::span<const Vec3> vertices() const;
    /// Vertex numbers of each face, counter-clockwise seen from outside.
    std::vector<std::vector<std::uint32_t>> faces() const;
    const HullGeometry& geometry() const { return *geometry_; }
    /// False for a default-constructed Hull, which cannot be attached.
    explicit operator bool() const { return geometry_ != nullptr; }

private:
    std::shared_ptr<const HullGeometry> geometry_;
};

using Geometry = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Plane, Hull, Mesh>;

/// Two shapes collide when each one's category is in the other's mask. If both have the same group other than 0, the group
/// decides instead: positive collides, negative does not.
struct Filter {
    std::uint32_t category = 1;
    std::uint32_t mask = 0xffffffffu;
    std::int32_t group = 0;
    friend bool operator==(const Filter&, const Filter&) = default;
};

struct ShapeDef {
    Vec3 position{}; ///< in the body's frame
    Quat rotation{};
    float density = 1000; ///< kg/m^3; 0: without mass
    Material material{};
    Filter filter{};
    std::uint64_t user_data = 0;
    /// overlaps other shapes and tells of it (event.h) instead of colliding with them; has no mass, and queries do not see it
    bool sensor = false;
    /// a pair of shapes tells when it begins and ends to touch (event.h) if one of them asks for it
    bool contact_events = false;
    bool hit_events = false; ///< likewise when it meets fast
    /// a direction in the shape's frame; shapes collide with this one only where they come down on it against this direction,
    /// and pass through from elsewhere; 0 0 0: collides everywhere
    Vec3 one_way{};
};

} // namespace scree
