// SPDX-License-Identifier: MIT
// mesh_geometry.h — a surface of triangles as kernels and queries read it.
//
// Made by Mesh::from_triangles (scree/mesh.h). The tree, and with it the order of the triangles in the words, follows from the
// vertices and indices alone: the same on every machine.
#pragma once

#include "geometry/shapes.h"
#include "kernels/host_rays.h"
#include "scree/mesh.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace scree {

struct MeshRayTree;

/// The tree that rays walk, made by the first one (mesh_rays.cpp). A copy of a mesh is about to get other triangles, so it
/// makes its own.
struct LazyRayTree {
    std::once_flag made;
    std::shared_ptr<const MeshRayTree> tree;

    LazyRayTree() = default;
    LazyRayTree(const LazyRayTree&) {}
    LazyRayTree& operator=(const LazyRayTree&) = delete;
};

/// The mesh as one run of 32-bit words; x, y, z and bounds are the bits of floats, not scaled.
///
///     word             content
///     0 1 2 3          V vertices, T triangles, N nodes, M materials
///     4                quad: middle of the bounds; 1 where it is two-sided
///     8                quad: half the bounds' extents; 1 where triangles have materials of their own
///     12               N nodes of two quads: low xyz, number of triangles; high xyz, first triangle. An inner node has no
///                      triangles; its left child is the next node, its right one the last number. Node 0 is the root.
///     12 + 8N          T triangles of two quads: three vertices, number and edges; three neighbours, 0
///     12 + 8N + 8T     V quads: x y z 0
///     ... + 4V         M materials of two quads: friction, restitution, rolling resistance, rules; surface velocity, 0
///     ... + 8M         the material of each triangle by its number, or none
///
/// A triangle's number is that of from_triangles, in 24 bits; above are two bits for each of its edges, from vertex k to k + 1:
/// MESH_EDGE_… of kernels/rigid_mesh.h. A neighbour is a triangle in this order, across an edge that two triangles share and run
/// through in opposite directions.
struct MeshGeometry {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> indices;
    MeshOptions options;
    std::optional<HeightField> field; ///< that it was made of
    std::uint32_t dropped = 0;
    std::vector<std::uint32_t> words;
    Vec3 low{}, high{};
    mutable LazyRayTree rays;

    std::uint32_t node_count() const { return words[2]; }
    const std::uint32_t* node(std::uint32_t n) const { return &words[12 + 8 * std::size_t{n}]; }
    std::uint32_t triangle_count() const { return words[1]; } ///< without those that were dropped
    const std::uint32_t* triangle(std::uint32_t t) const {
        return &words[12 + 8 * (std::size_t{words[2]} + t)];
    }
};

/// The mesh's words, alive as long as they are used.
std::shared_ptr<const std::vector<std::uint32_t>> mesh_words(const Mesh& mesh);

/// A triangle at its mesh's scale.
struct MeshTriangle {
    DVec3 corner[3];
    std::uint32_t number;
    DVec3 normal() const { return normalized(cross(corner[1] - corner[0], corner[2] - corner[0])); }
};
MeshTriangle triangle_of(const Mesh& mesh, std::uint32_t t); ///< in the words' order

/// Where a ray first meets the mesh, in its frame and not beyond a distance.
ray_kernels::RayEntry mesh_entry(const Mesh& mesh, const ray_kernels::RayLine& line, double most);
/// The same, going on behind triangles of which `holds` is false.
ray_kernels::RayEntry mesh_entry(const Mesh& mesh, const ray_kernels::RayLine& line, double most,
                                 const std::function<bool(const ray_kernels::RayEntry&)>& holds);

inline DVec3 scaled(const DVec3& v, const Vec3& by) { return {v.x * by.x, v.y * by.y, v.z * by.z}; }

/// Calls visit(t) for each triangle in the words' order whose leaf of the tree may be near the bounds, in the mesh's frame.
template <class Visit>
void each_triangle_near(const Mesh& mesh, const Bounds& bounds, const Visit& visit) {
    const MeshGeometry& g = mesh.geometry();
    const Vec3 s = mesh.scale();
    const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z},
                 high[3] = {bounds.high.x, bounds.high.y, bounds.high.z};
    const double by[3] = {s.x, s.y, s.z};
    for (std::uint32_t stack[64], depth = (stack[0] = 0, 1); depth;) {
        const std::uint32_t n = stack[--depth];
        const std::uint32_t* node = g.node(n);
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart = apart || std::bit_cast<float>(node[k]) * by[k] > high[k] ||
                    std::bit_cast<float>(node[4 + k]) * by[k] < low[k];
        if (apart) continue;
        if (node[3]) {
            for (std::uint32_t t = 0; t < node[3]; ++t) visit(node[7] + t);
        } else {
            stack[depth++] = node[7];
            stack[depth++] = n + 1;
        }
    }
}

} // namespace scree
