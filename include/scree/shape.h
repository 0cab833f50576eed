// SPDX-License-Identifier: MIT
// shape.h — what bodies of a World are made of: geometry, material, filter.
//
// Sizes are metres; every geometry sits at the origin of its own frame, which ShapeDef places in the body's.
#pragma once

#include "scree/math.h"

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
/// A segment along y with a radius: from -half_height to +half_height, round ends beyond.
struct Capsule {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Half sides.
struct Box {
    float x = 0.5f, y = 0.5f, z = 0.5f;
};
/// Axis along y.
struct Cylinder {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Axis along y, the tip at +half_height; its centre of mass lies half a half_height below the origin.
struct Cone {
    float half_height = 0.5f;
    float radius = 0.5f;
};
/// Everything below y = 0 of its frame is solid. For static bodies only.
struct Plane {};

/// A convex polyhedron. Copies share the geometry.
class Hull {
public:
    Hull() = default;
    /// Geometry that from_points made before, as a snapshot brings it back; it is not checked.
    explicit Hull(std::shared_ptr<const HullGeometry> geometry) : geometry_(std::move(geometry)) {}
    /// The convex hull of the points: at most 128 vertices and 128 faces. Duplicates are merged, faces in one plane
    /// become one polygon. Throws Error, naming the point or the reason, for fewer than four points, non-finite
    /// coordinates, points in one point, on one line or in one plane, or a result beyond the limits.
    static Hull from_points(std::span<const Vec3> points);

    std::span<const Vec3> vertices() const;
    /// Vertex numbers of each face, counter-clockwise seen from outside.
    std::vector<std::vector<std::uint32_t>> faces() const;
    const HullGeometry& geometry() const { return *geometry_; }
    /// Whether it was made by from_points; a default-constructed Hull cannot be attached.
    explicit operator bool() const { return geometry_ != nullptr; }

private:
    std::shared_ptr<const HullGeometry> geometry_;
};

using Geometry = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Plane, Hull>;

/// How two materials' coefficients become one; of two rules the later in this list is taken.
enum class Combine { geometric_mean, average, least, product, greatest };

struct Material {
    float friction = 0.6f;
    float restitution = 0;
    /// metres: a rolling body is braked by a torque of this times the normal force
    float rolling_resistance = 0;
    /// m/s, in the shape's frame: the surface moves as on a conveyor belt
    Vec3 surface_velocity{};
    Combine friction_rule = Combine::geometric_mean;
    Combine restitution_rule = Combine::greatest;
    friend bool operator==(const Material&, const Material&) = default;
};

/// Two shapes collide when each's category is in the other's mask; an equal group other than 0 decides alone: positive
/// collides, negative does not.
struct Filter {
    std::uint32_t category = 1;
    std::uint32_t mask = 0xffffffffu;
    std::int32_t group = 0;
    friend bool operator==(const Filter&, const Filter&) = default;
};

struct ShapeDef {
    Vec3 position{}; ///< in the body's frame
    Quat rotation{};
    float density = 1000; ///< kg/m^3; 0 adds nothing to the body's mass
    Material material{};
    Filter filter{};
    std::uint64_t user_data = 0;
};

} // namespace scree
