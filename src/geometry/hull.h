// SPDX-License-Identifier: MIT
// hull.h — a convex polyhedron as the narrow phase and the mass properties read it.
//
// Made by Hull::from_points (scree/shape.h). Every vertex is one of the points given, to the bit, and has at least three
// faces; V - E + F = 2. Flat and convex hold to hull_tolerance().
#pragma once

#include "scree/shape.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace scree {

constexpr std::uint32_t max_hull_vertices = 128, max_hull_faces = 128;

/// Numbers are canonical: vertices keep the order of the points, a face begins with its smallest vertex, faces and edges
/// are sorted by their vertices.
struct HullGeometry {
    std::vector<Vec3> vertices;
    std::vector<float> planes;                ///< 4 a face: unit normal, outward, and d; n.x = d on the face
    std::vector<std::uint32_t> face_start;    ///< faces + 1 entries into face_vertices
    std::vector<std::uint32_t> face_vertices; ///< counter-clockwise from outside
    /// 4 an edge: vertices a < b, then the face on the left and the face on the right of a -> b, seen from outside. The
    /// left face runs from a to b, the right one from b to a.
    std::vector<std::uint32_t> edges;
    Vec3 centroid{}; ///< of the volume
    double volume = 0;
    std::array<double, 6> inertia{}; ///< about the centroid for density 1, as a matrix: xx yy zz xy xz yz
    float radius = 0;                ///< no vertex is farther from the origin of the hull's frame

    std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(vertices.size()); }
    std::uint32_t face_count() const { return static_cast<std::uint32_t>(planes.size() / 4); }
    std::uint32_t edge_count() const { return static_cast<std::uint32_t>(edges.size() / 4); }
    std::span<const std::uint32_t> face(std::uint32_t f) const {
        return std::span(face_vertices).subspan(face_start[f], face_start[f + 1] - face_start[f]);
    }
};

/// Sets centroid, volume and inertia from the vertices and faces.
void weigh_hull(HullGeometry& hull);

/// What counts as flat for these points, in metres: a few roundings of their coordinates. Vertices lie this close to the
/// planes of their faces; every point given is inside, or at most twice this far beyond a plane.
double hull_tolerance(std::span<const Vec3> points);

/// The hull as one run of 32-bit words, for kernels; x, y, z, n and d are the bits of floats.
///
///     word                 content
///     0 1 2 3              V vertices, F faces, E edges, L entries of face_vertices
///     4                    V quads: x y z 0
///     4 + 4V               F quads: n.x n.y n.z d
///     4 + 4V + 4F          F + 1 starts of faces
///     5 + 4V + 5F          L vertex numbers
///     5 + 4V + 5F + L      E quads: vertex a < b, left face, right face
///
/// The vertices and planes are quads at multiples of four words; the edges need not be.
std::vector<std::uint32_t> hull_words(const HullGeometry& hull);

/// The words of hulls in use, one copy for all shapes that share a hull.
class HullWords {
public:
    using Words = std::shared_ptr<const std::vector<std::uint32_t>>;
    Words of(const Hull& hull); ///< null for an empty one

private:
    std::unordered_map<const HullGeometry*, std::weak_ptr<const std::vector<std::uint32_t>>> known_;
};

} // namespace scree
