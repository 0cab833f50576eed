// SPDX-License-Identifier: MIT
// time_of_impact.h — the collision detector of Solver::impact without a World: distances, times of impact, cells on the way.
//
//     const MovingShape ball{.geometry = Sphere{0.1f}, .position = {0, 5, 0}, .acceleration = {0, -9.81, 0}};
//     const MovingShape table{.geometry = Box{1, 0.5f, 1}};
//     const FirstTouch touch = time_of_impact(ball, table, {.duration = 2}); // after 0.947 s, at 0 0.5 0
//
//     CellFinder finder(cells);                  // any division of space: scree/collision_cells.h
//     for (const std::uint32_t cell : finder.entered(ball, 2).cells) …
//
// Everything is in metres and seconds, in one frame that the caller chooses, in double precision, and has the same bits on every
// machine. The functions keep no state and may be called from several threads at once.
#pragma once

#include "scree/collision_cells.h"
#include "scree/error.h"
#include "scree/math.h"
#include "scree/shape.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace scree {

/// A convex shape on its way: it is carried by a body whose centre flies along a parabola and that turns at a constant rate about an
/// axis through its centre which does not turn. Without velocities it stands still.
struct MovingShape {
    Geometry geometry = Sphere{};     ///< no mesh; a plane must stand still
    DVec3 position{};                 ///< of the body's centre, about which it turns
    DQuat rotation{};                 ///< of the body
    DVec3 velocity{}, acceleration{}; ///< of the centre
    DVec3 angular_velocity{};         ///< rad/s
    DVec3 offset{};                   ///< of the shape's origin from the centre, in the body's frame
    DQuat own_rotation{};             ///< of the shape in the body's frame
};

/// The shape's frame after a time. Throws Error for values that are not finite and rotations that are not of length 1.
DPose pose_after(const MovingShape& shape, double seconds);

/// Where two shapes are nearest.
struct NearestPoints {
    double distance = 0;  ///< m; negative: they overlap, by the least way that parts them
    DVec3 normal{};       ///< unit, from A to B
    DVec3 on_a{}, on_b{}; ///< on their surfaces
};
/// By GJK, and EPA where they overlap. One of the two may be a plane. Throws Error for meshes, two planes, sizes that are not above 0.
NearestPoints nearest_points(const Geometry& a, const DPose& at_a, const Geometry& b, const DPose& at_b);

enum class TouchEstimator {
    conservative, ///< any shapes: advances by bounds from below until the distance is within the tolerance (Mirtich 1996)
    /// Boxes, hulls and planes: the moment at which a vertex and a face, or two edges, meet, by interval arithmetic (Redon, Kheddar
    /// and Coquillart 2002). Proved to be the first, to 1e-12 of the duration; ten to forty times the work.
    exact
};

struct TouchSearch {
    double duration = 1;     ///< s, the search ends there; above 0
    double tolerance = 1e-4; ///< m, shapes this close touch; above 0
    /// At least 1: bounds the work on shapes that slide along each other. Of the exact one: intervals of time.
    int max_distances = 100'000;
    TouchEstimator estimator = TouchEstimator::conservative;
};

/// What is known of the first touch of two shapes.
struct FirstTouch {
    bool found = false;
    /// s. Found: they are at most `tolerance` apart then, and were never closer than half of it before. Not found: until then they
    /// were farther apart than half of it; that is the search's duration, unless `gave_up`. With the exact estimator the tolerance is
    /// none: until then they were apart, and found: then they touch.
    double time = 0;
    NearestPoints nearest{}; ///< found: at that time
    int distances = 0;       ///< that were measured; of the exact estimator: intervals that were looked at
    bool gave_up = false;    ///< after max_distances
    explicit operator bool() const { return found; }
};
/// Advances conservatively (Mirtich 1996, with a bound for each corner): no touch is passed over, however fast shapes are and however
/// thin. 0 with a negative distance where they overlap from the start. Throws Error for what pose_after and nearest_points refuse,
/// planes that move, a search whose numbers are out of range, and
/// shapes that are not for its estimator.
FirstTouch time_of_impact(const MovingShape& a, const MovingShape& b, const TouchSearch& search = {});

/// Cells that a shape may touch.
struct FoundCells {
    std::vector<std::uint32_t> cells; ///< in order, each once
    bool wall = false;                ///< it may touch what is solid, too
};

/// Finds cells by the planes that divide space, and through portals. For one thread at a time.
class CellFinder {
public:
    /// Keeps a copy. Throws Error for cells that do not fit together.
    explicit CellFinder(CollisionCells cells);
    ~CellFinder();
    CellFinder(CellFinder&&) noexcept;
    CellFinder& operator=(CellFinder&&) noexcept;

    const CollisionCells& cells() const;
    /// Those that the shape touches where it is, or comes as close to as `margin`. O(depth of the tree). Throws Error as pose_after
    /// does, and for planes.
    FoundCells touched(const MovingShape& shape, double margin = 0) const;
    /// Those, and all that it may enter through portals within a time: at least the ones that it enters. First a neighbour's box, then
    /// its portal, is held against the volume of the way.
    FoundCells entered(const MovingShape& shape, double seconds, double margin = 0);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
