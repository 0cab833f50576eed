// SPDX-License-Identifier: MIT
// time_of_impact.h — when two moving convex shapes can first meet: bounds from below, and their repetition.
//
// A body's centre moves along a parabola, and it turns at a constant rate about an axis fixed in the world, or as a body does that
// nothing twists: then its spin changes at a rate of at most α. For a unit vector n that parts two shapes by the distance d, no
// point of A comes along n by more than
//     v·n t + a·n t²/2 + turn(t),   turn(t) <= (|ω×n| t + α t²/2) r   (Mirtich 1996; r: the farthest point from the centre),
// so they stay apart while that, less the same of B, is below d. For shapes with corners turn(t) is found corner by corner: a
// corner p that is s below the foremost comes forward by n·(ω×p) t - s + (|ω|² + α)|p| t²/2 at most, with the greatest |ω|. That is
// far better where a body turns about a corner that touches.
#pragma once

#include "collision/convex.h"
#include "collision/double_box.h"
#include "collision/shaft.h"
#include "scree/math.h"

#include <limits>

namespace scree {

/// A shape of a moving body. Times are from the moment of this pose.
struct MovingConvex {
    ConvexGeometry shape;
    DVec3 centre{};                           ///< of mass
    DVec3 velocity{}, acceleration{}, spin{}; ///< world
    DQuat rotation{};                         ///< of the body
    DVec3 arm{};                              ///< of the shape's origin from the centre, in the body's frame
    DQuat own{};                              ///< of the shape in the body's frame
    // where the spin is only that of this moment
    double most_spin = 0;   ///< rad/s, never faster; 0: as now
    double spin_change = 0; ///< rad/s², its change is never faster
};

/// The rotation about `spin` in a time. Made of sums and products alone, so that it has the same bits on every machine.
DQuat turn_in(const DVec3& spin, double time);
DVec3 centre_at(const MovingConvex& a, double time);
/// The shape's frame in the world, at a constant spin.
DPose pose_at(const MovingConvex& a, double time);

/// Where two shapes are nearest, in the world.
struct Gap {
    double distance = 0; ///< negative: they overlap
    DVec3 normal{};      ///< unit, from A to B
    DVec3 on_a{}, on_b{};
};
/// One of the two may be a plane.
Gap gap_between(const ConvexGeometry& a, const DPose& at_a, const ConvexGeometry& b, const DPose& at_b);

/// No point of the shape's core is farther from the centre of mass. Turning does not move the round part of a sphere or capsule.
double turning_reach(const MovingConvex& a);

/// Holds the shape at every moment of a time: the rotation-invariant box of long turns, less for short ones. A plane's is the box
/// of its half-space.
DBox way_box(const MovingConvex& a, double time);

/// Holds the shape at every moment of a time about the straight line between its ends, and `margin` around it.
Shaft way_shaft(const MovingConvex& a, double time, double margin);
/// False where two shapes stay farther apart than `margin` for a time: the way of A as B sees it misses the box of B.
bool ways_meet(const MovingConvex& a, const MovingConvex& b, double time, double margin);

/// The least and greatest of n·x over a shape now; a plane has no ends.
struct Reach {
    double low, high;
};
Reach extent_along(const MovingConvex& a, const DVec3& n);

/// A time before which the round bodies about the two, which turning does not move, are apart by less than `tolerance`; infinite
/// where that never is, 0 where it is so now. At most one of the two is a plane.
double far_bound(const MovingConvex& a, const MovingConvex& b, double tolerance);

/// A time before which the two cannot have come closer by `way` > 0 along the normal (from A to B, where A's and B's present
/// pose is that of this moment); at most `horizon`, where that is reached.
double approach_bound(const MovingConvex& a, const MovingConvex& b, const DVec3& normal, double way,
                      double horizon);
/// The bound of Mirtich 1996 alone; may be infinite.
double simple_approach_bound(const MovingConvex& a, const MovingConvex& b, const DVec3& normal, double way);

struct FirstImpact {
    bool found = false;
    double time = 0; ///< found: they are at most `tolerance` apart; never closer than half of it until then
    Gap gap{};
    int measured = 0; ///< distances
};
/// For constant spins. Repeats the bound until they are at most `tolerance` apart. Where it takes more than `most_measured` distances it ends as if they
/// met, at a time that is not too late.
FirstImpact first_impact(const MovingConvex& a, const MovingConvex& b, double tolerance, double horizon,
                         int most_measured = 10000);

} // namespace scree
