// SPDX-License-Identifier: MIT
// triangle_mesh.h — triangles as files give them: repair and inspection. Decomposition into hulls: scree/decompose.h.
#pragma once

#include "scree/error.h"
#include "scree/math.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// Vertices in metres and triangles, counter-clockwise seen from outside.
struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    /// Names of objects, groups or nodes, and for each triangle its entry; both empty if the file names none.
    std::vector<std::string> parts;
    std::vector<std::uint32_t> triangle_parts;
    /// Names of materials, and for each triangle its entry; both empty if the file names none.
    std::vector<std::string> materials;
    std::vector<std::uint32_t> triangle_materials;
};

/// Throws Error if a vertex is not finite, a triangle names a vertex that is not there, a list for each triangle has another
/// length or names an entry that is not there. `where` becomes the place of the error.
void check_mesh(const TriangleMesh& mesh, const std::string& where);

/// What repair() did.
struct MeshRepair {
    std::size_t merged_vertices = 0;      ///< at the place of another one
    std::size_t unused_vertices = 0;      ///< in no triangle
    std::size_t degenerate_triangles = 0; ///< without area
    std::size_t repeated_triangles = 0;   ///< same corners and same orientation as an earlier one
};

/// Merges vertices that are at most `distance` apart (0: at the same place), drops triangles without area or given twice,
/// and vertices that no triangle uses. The order of what stays is kept. Throws Error as check_mesh does, and for a
/// `distance` that is negative or not finite.
MeshRepair repair(TriangleMesh& mesh, float distance = 0);

/// What a mesh is. Edges are counted by vertex numbers: repair() first joins those at the same place.
struct MeshReport {
    std::size_t components = 0;    ///< connected by common edges
    std::size_t open_edges = 0;    ///< with one triangle
    std::size_t crowded_edges = 0; ///< with more than two triangles
    std::size_t flipped_edges = 0; ///< whose two triangles face opposite ways
    std::size_t degenerate_triangles = 0;
    /// No open edges; crowded ones count as closed where as many triangles run one way as the other.
    bool closed = false;
    bool manifold = false; ///< every edge has two triangles, every vertex one fan
    bool oriented = false; ///< no edge is run through twice in one direction
    DVec3 low{}, high{};   ///< the bounding box
    double area = 0;       ///< m^2
    double volume = 0;     ///< m^3; negative if inside out, without meaning if not closed and oriented
    DVec3 centre{};        ///< of the volume; of the bounding box if the volume is 0
    std::array<double, 6> inertia{}; ///< about the centre for density 1, as a matrix: xx yy zz xy xz yz
};

/// Throws Error as check_mesh does.
MeshReport inspect(const TriangleMesh& mesh);

} // namespace scree
