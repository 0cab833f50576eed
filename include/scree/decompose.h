// SPDX-License-Identifier: MIT
// decompose.h — a mesh as convex hulls, so that a moving body can have its shape.
#pragma once

#include "scree/ids.h"
#include "scree/shape.h"
#include "scree/triangle_mesh.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree {

class World;

struct DecomposeOptions {
    /// How far a hull may be from the surface it stands for, relative to the longest side of the mesh's bounding box.
    float concavity = 0.03f;
    /// Parts are merged until there are no more than this, then farther from the surface than `concavity` allows.
    int max_parts = 32;
    /// From 4 to 128. A hull with more keeps the vertices that stand out most.
    int max_vertices_per_part = 64;
    /// Cutting planes tried across each axis.
    int planes_per_axis = 16;
    /// Cells along the longest side, for meshes that must be remeshed: those that are not closed or not consistently
    /// oriented, and those of more than 100,000 triangles.
    int resolution = 64;
    bool always_remesh = false;
    /// Bounds the search for planes, whatever the mesh: triangles that may be cut or asked by it. Then pieces stay as they are. A
    /// number and no time, so that the result is the same everywhere.
    std::uint64_t max_work = 4'000'000'000;
    /// Default: all cores. The result does not depend on it.
    int threads = 0;
    /// Called after every cut with the number of parts and the share of them that is done, on the calling thread.
    std::function<void(std::size_t parts, double done)> progress{};
};

/// Convex parts that together stand for the solid inside the mesh, the largest first; the same ones on every machine and with
/// every number of threads. A mesh that is inside out is turned. One that is open, not manifold or not
/// consistently oriented is made solid first: what no path from outside reaches is inside, sheets become plates half
/// a cell thick. Throws Error for a mesh without triangles or volume, bad indices, non-finite vertices, options out of range.
std::vector<Hull> decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

/// How well parts stand for a mesh.
struct DecomposeReport {
    double mesh_volume = 0;  ///< m^3; 0 for a mesh that is not closed
    double parts_volume = 0; ///< sum of the parts' volumes
    double outside = 0;   ///< m: how far the parts reach beyond a closed mesh, by samples of their surfaces
    double uncovered = 0; ///< m: how far a vertex of the mesh is outside all parts
};
DecomposeReport compare(const TriangleMesh& mesh, std::span<const Hull> parts);

/// The surfaces of the parts as one mesh, a part of it for each, for files and pictures.
TriangleMesh mesh_of(std::span<const Hull> parts);

/// Attaches each part to the body with the same definition.
std::vector<ShapeId> attach_parts(World& world, BodyId body, std::span<const Hull> parts,
                                  const ShapeDef& def = {});

} // namespace scree
