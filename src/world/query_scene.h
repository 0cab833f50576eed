// SPDX-License-Identifier: MIT
// query_scene.h — the shapes of a world as queries see them: where they are now, in a tree of tight bounds.
//
// The trees of a step know where shapes were when it began; this one is brought up to date by the first query after a change,
// and costs nothing where nobody asks. The world reports changes; a step moves everything that is not fixed.
#pragma once

#include "collision/bounds_tree.h"
#include "collision/convex.h"
#include "geometry/hull.h"
#include "geometry/shapes.h"
#include "scree/shape.h"

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

    /// Brings everything up to date. The world's arrays are fetched and its masses known.
    void update(const RigidStorage& world, Crew& crew);

    const BoundsTree& tree() const { return tree_; }
    const Placed& shape(std::uint32_t s) const { return placed_[s]; }

    /// Calls visit(geometry, reach, pose, sub_shape) for each convex part of a shape: this is where a shape that is not convex
    /// yields those near the bounds.
    template <class Visit>
    void each_part(std::uint32_t s, const Bounds&, const Visit& visit) const {
        visit(placed_[s].convex, placed_[s].reach, placed_[s].pose, 0u);
    }

    bool asking = false; ///< a query calls a predicate: the world must not change

private:
    void place(const RigidStorage& world, std::uint32_t s);
    void replace(const RigidStorage& world, std::uint32_t s);

    bool used_ = false, all_moved_ = false;
    std::vector<Placed> placed_;         ///< of every slot
    std::vector<std::uint32_t> changed_; ///< since the last update
    BoundsTree tree_;
    HullWords words_;
};

} // namespace scree
