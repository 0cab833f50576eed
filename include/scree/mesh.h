// SPDX-License-Identifier: MIT
// mesh.h — triangle meshes and height fields, shapes of fixed and kinematic bodies.
//
//     Mesh ground = Mesh::from_heights({.columns = 65, .rows = 65, .spacing = 0.5f, .heights = heights});
//     world.attach(earth, ground);
//     world.attach(other, ground.scaled({1, 2, 1})); // shares the triangles
#pragma once

#include "scree/error.h"
#include "scree/material.h"
#include "scree/math.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace scree {

struct TriangleMesh; // scree/triangle_mesh.h
struct
    MeshGeometry; // src/geometry/mesh_geometry.h: triangles, their neighbours and a tree, as the kernels read them

struct MeshOptions {
    /// false: a triangle pushes what is in front of it, where its corners run counter-clockwise, and nothing else
    bool two_sided = false;
    std::vector<Material> materials{};       ///< at most 256; none: that of the shape
    std::vector<std::uint8_t> material_of{}; ///< for each triangle, a number in materials; none: the first
    int threads = 0; ///< to build it with; default: all cores. The result does not depend on it.
};

/// Heights on a grid of points about the origin, columns along x and rows along z.
struct HeightField {
    std::uint32_t columns = 2, rows = 2;
    float spacing = 1;            ///< m, between neighbours
    std::vector<float> heights{}; ///< m, row by row; NaN: a hole, with the four cells around it
};

/// New heights for a rectangle of a HeightField.
struct HeightPatch {
    std::uint32_t column = 0, row = 0;   ///< the first
    std::uint32_t columns = 1, rows = 1; ///< how many
    std::vector<float> heights{};        ///< m, row by row; NaN: a hole
};

/// A surface of triangles. Copies share it.
class Mesh {
public:
    static constexpr std::uint32_t max_triangles = (1u << 24) - 1;

    Mesh() = default;
    /// Three indices a triangle, counter-clockwise seen from the front. Triangles without area are left out (`dropped`); open
    /// and non-manifold surfaces are allowed. Vertices at the same place count as one. Throws Error for non-finite vertices,
    /// indices out of range, too many triangles, or none with an area.
    static Mesh from_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                               const MeshOptions& options = {});
    /// The same of a mesh file: Mesh::from_triangles(read_mesh("level.glb")).
    static Mesh from_triangles(const TriangleMesh& mesh, const MeshOptions& options = {});
    /// Two triangles a cell, facing up; those of cell c are 2c and 2c + 1. Throws Error for fewer than two rows or columns, a
    /// wrong number of heights, infinite ones, or a spacing that is not positive.
    static Mesh from_heights(const HeightField& field, const MeshOptions& options = {});

    /// The same height field with other heights in a rectangle: equal to one made of all heights, and made anew only within it
    /// and where its memory is copied, unless holes or triangles without area come or go. Throws Error for a mesh that is no
    /// height field, a rectangle that is not within it, a wrong number of heights, infinite ones.
    Mesh with_heights(const HeightPatch& patch) const;
    const HeightField* height_field() const; ///< that it was made of, not scaled; null for other meshes

    /// The same surface at another scale, relative to that of from_triangles. Throws Error unless all three are positive.
    Mesh scaled(Vec3 scale) const;
    Vec3 scale() const;

    std::span<const Vec3> vertices() const; ///< as given, not scaled
    std::span<const std::uint32_t> indices() const;
    std::uint32_t triangles() const; ///< as given, those that were dropped too
    std::uint32_t dropped() const;   ///< triangles without area
    const MeshOptions& options() const;
    const MeshGeometry& geometry() const;
    std::shared_ptr<const MeshGeometry> shared() const; ///< for memory that outlives the Mesh
    /// False for a default-constructed Mesh, which cannot be attached.
    explicit operator bool() const { return placed_ != nullptr; }

private:
    struct Scaled; // the geometry and a scale
    Mesh(std::shared_ptr<const MeshGeometry> geometry, Vec3 scale);

    std::shared_ptr<const Scaled> placed_;
};

} // namespace scree
