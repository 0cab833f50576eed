// SPDX-License-Identifier: MIT
// oriented_way.h — boxes along a shape's own directions, and whether two of them meet on their ways.
//
// A box along the world's axes around a long thin shape is mostly empty; one that turns with the shape is not. Two such boxes are
// held apart by one of 15 directions (Gottschalk and others 1996), here for a time: in the middle of it both ends of a way, and what
// turning adds, are linear functions of time but for a remainder of second order, so that a direction which parts both ends parts
// all between.
#pragma once

#include "collision/double_box.h"
#include "collision/shaft.h"
#include "collision/time_of_impact.h"

#include <array>

namespace scree {

struct OrientedBox {
    DVec3 middle{};
    std::array<DVec3, 3> axis{}; ///< unit, at right angles
    DVec3 half{};
    double round = 0; ///< everything that is this close to it belongs to it
};
/// Of a shape now, about its body's centre of mass; not of a plane. A hull's is along the axes of its frame.
OrientedBox oriented_box(const MovingConvex& a);
/// The greatest of n·x over it.
double reach_along(const OrientedBox& box, const DVec3& n);

/// False where two shapes stay farther apart than `margin` for a time.
bool oriented_ways_meet(const MovingConvex& a, const MovingConvex& b, double time, double margin);

/// Conservative: true wherever they meet.
bool meets_oriented(const Shaft& shaft, const OrientedBox& box);

} // namespace scree
