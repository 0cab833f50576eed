// SPDX-License-Identifier: MIT
// mesh_builder.h — makes the geometry of a mesh, and the steps of it that a change of a part repeats.
#pragma once

#include "geometry/mesh_geometry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace scree {

/// Throws Error as Mesh::from_triangles does. `field`: the heights that the triangles stand for, if they do.
std::shared_ptr<MeshGeometry> build_mesh(std::vector<Vec3> vertices, std::vector<std::uint32_t> indices,
                                         const MeshOptions& options, std::optional<HeightField> field);

/// Whether three vertices make a triangle that can push.
bool spans_area(const Vec3& first, const Vec3& second, const Vec3& third);

/// Of the edge of a triangle and the neighbour that shares it: MESH_EDGE_…
std::uint32_t edge_kind(const MeshGeometry& mesh, const std::uint32_t* mine, std::uint32_t edge,
                        const std::uint32_t* theirs, std::uint32_t their_edge);

// words
void put_vector(std::uint32_t* to, const Vec3& v); ///< x y z 0
void put_bounds(std::uint32_t* node, const Vec3& low, const Vec3& high);
/// The quads of the bounds, and `low` and `high`, from the root of the tree.
void write_head(MeshGeometry& mesh);

} // namespace scree
