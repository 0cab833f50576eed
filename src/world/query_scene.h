// SPDX-License-Identifier: MIT
// query_scene.h — the shapes of a world as queries see them: where they are now, in a tree of tight bounds.
//
// The trees of a step know where shapes were when it began; this one is brought up to date by the first query after a change,
// and costs nothing where nobody asks. The world reports changes; a step moves everything that is not fixed.
#pragma once

#include "collision/bounds_tree.h"
#include "collision/convex.h"
#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"
#include "geometry/shapes.h"
#include "rigid/query_image.h"
#include "scree/shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace scree {

class Crew;
struct RigidStorage;

/// A geometry for kernels; the words of a hull must outlive it.
ConvexGeometry convex_of(const Geometry& geometry, const HullWords::Words& words);

/// Bounds as trees read them, rounded outwards.
void round_outward(const Bounds& bounds, float* out);

class QueryScene {
public:
    struct Placed {
        std::uint32_t generation = 0; ///< of the shape's id; 0: look at all of it again
        Geometry geometry;
        ConvexGeometry convex; ///< the same for kernels
        HullWords::Words words;
        DPose pose;      ///< in the world
        float reach = 0; ///< no point is farther from the pose's position
        float bounds[bounds_stride] = {};
    };

    // changes; before the first query nothing is kept ------------------------------------------------------------
    void shape_changed(std::uint32_t shape);                          ///< added, removed, or another geometry
    void body_changed(const RigidStorage& world, std::uint32_t body); ///< moved, or another type
    void world_moved() { all_moved_ = true; }                         ///< by a step
    void filter_changed() { version_ = 0; }                           ///< of a shape

    /// Brings everything up to date. The world's arrays are fetched and its masses known.
    void update(const RigidStorage& world, Crew& crew);

    /// The same for a device; made anew when something has changed since.
    const QueryImage& image(const RigidStorage& world);

    const BoundsTree& tree() const { return tree_; }
    const Placed& shape(std::uint32_t s) const { return placed_[s]; }

    /// Calls visit(geometry, reach, pose, sub_shape) for each convex part of a shape: this is where a shape that is not convex
    /// yields those near the bounds.
    /// Of triangles with one side those that face against `way`, if that is given.
    template <class Visit>
    void each_part(std::uint32_t s, const Bounds& bounds, const DVec3* way, const Visit& visit) const {
        if (placed_[s].convex.type == ShapeType::mesh) each_triangle(placed_[s], bounds, way, visit);
        else visit(placed_[s].convex, placed_[s].reach, placed_[s].pose, 0u);
    }

    bool asking = false; ///< a query calls a predicate: the world must not change

private:
    template <class Visit>
    static void each_triangle(const Placed& placed, const Bounds& bounds, const DVec3* way,
                              const Visit& visit);
    void place(const RigidStorage& world, std::uint32_t s);
    void replace(const RigidStorage& world, std::uint32_t s);

    bool used_ = false, all_moved_ = false;
    std::vector<Placed> placed_;         ///< of every slot
    std::vector<std::uint32_t> changed_; ///< since the last update
    BoundsTree tree_;
    HullWords words_;
    std::uint64_t version_ = 0; ///< of what image() shows, no other world's; 0: it has changed
    QueryImage image_;
};

/// A triangle of a mesh as a hull, about its first corner: floats know it well, wherever the mesh is.
struct TrianglePart {
    std::uint32_t words[16] = {3}; ///< vertices; support functions read no more
    float reach;

    explicit TrianglePart(const MeshTriangle& triangle) {
        double far = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 at = triangle.corner[k] - triangle.corner[0];
            far = std::max(far, length(at));
            words[4 + 4 * k] = std::bit_cast<std::uint32_t>(static_cast<float>(at.x));
            words[5 + 4 * k] = std::bit_cast<std::uint32_t>(static_cast<float>(at.y));
            words[6 + 4 * k] = std::bit_cast<std::uint32_t>(static_cast<float>(at.z));
        }
        reach = static_cast<float>(far);
    }
};

template <class Visit>
void QueryScene::each_triangle(const Placed& placed, const Bounds& bounds, const DVec3* way,
                               const Visit& visit) {
    const Mesh& mesh = std::get<Mesh>(placed.geometry);
    // the bounds in the mesh's frame
    const DVec3 middle = apply_inverse(placed.pose, 0.5 * (bounds.low + bounds.high));
    const DVec3 half = 0.5 * (bounds.high - bounds.low);
    DVec3 reach;
    for (const DVec3& axis : {DVec3{half.x, 0, 0}, DVec3{0, half.y, 0}, DVec3{0, 0, half.z}}) {
        const DVec3 turned = rotate(conjugate(placed.pose.rotation), axis);
        reach = reach + DVec3{std::fabs(turned.x), std::fabs(turned.y), std::fabs(turned.z)};
    }
    const double slack = 1e-6 * (length(middle) + length(reach)) + 1e-9;
    reach = reach + DVec3{slack, slack, slack};
    const bool one_sided = way && !mesh.options().two_sided;
    const DVec3 along = way ? rotate(conjugate(placed.pose.rotation), *way) : DVec3{};
    each_triangle_near(mesh, {middle - reach, middle + reach}, [&](std::uint32_t t) {
        const MeshTriangle triangle = triangle_of(mesh, t);
        if (one_sided && !(dot(triangle.normal(), along) < 0)) return;
        const TrianglePart part(triangle);
        visit(ConvexGeometry{ShapeType::hull, {}, 0, part.words}, part.reach,
              DPose{apply(placed.pose, triangle.corner[0]), placed.pose.rotation}, triangle.number);
    });
}

} // namespace scree
