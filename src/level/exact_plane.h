// SPDX-License-Identifier: MIT
// exact_plane.h — planes with integer coefficients, corners where three of them meet, and on which side a corner lies.
//
// Coordinates are put on a grid of 2^-24 units: whole numbers and fractions of a power of two stay as they are, others move by
// at most 3e-8 units. From there on everything is exact. A coordinate has at most 49 bits with its sign, so
//   normal     (p0 - p1) x (p2 - p1)          <= 102 bits
//   distance   -normal . p1                   <= 153 bits
//   corner     cofactors of three planes      <= 361 bits (x, y, z), 309 bits (w)
//   side       plane . corner                 <= 466 bits, below the 512 of WideInteger.
// A plane that is given by coefficients (brushDef3) has 54 bits for the normal and 103 for the distance.
//
// A side is computed in double first. Each coefficient has a relative error of 3u (u = 2^-53), a product of four takes three
// roundings, the sums six: together below 22u of the sum of the products' magnitudes, which is itself known to 22u. A value
// beyond 32u = 2^-48 of that sum has the right sign. If all numbers are integers below 2^53, double is exact and 0 counts too.
// What is left is computed in WideInteger.
#pragma once

#include "level/wide_integer.h"
#include "scree/math.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace scree {

constexpr double level_grid = 1 << 24; ///< steps in a unit

/// Outside is where a x + b y + c z + d > 0, with x, y, z in steps of the grid.
struct ExactPlane {
    std::array<WideInteger, 4> exact;  ///< a, b, c, d without a common factor of two
    std::array<double, 4> rounded{};   ///< the same for x, y, z in units: d is smaller by 2^24
    bool fits = false;                 ///< whether rounded is exact and holds whole numbers
    std::uint32_t number = 0xffffffff; ///< in a PlaneTable: twice the plane's number, plus the side
};

/// Three points in units, clockwise seen from outside; nothing if they are on a line.
std::optional<ExactPlane> plane_through(const std::array<double, 9>& points);
/// a x + b y + c z + d in units, moved by `offset`; nothing if the normal is 0.
std::optional<ExactPlane> plane_of(const std::array<double, 4>& coefficients, DVec3 offset);
/// Across an axis, in steps: x <= distance or x >= -distance, where x is a coordinate.
ExactPlane plane_across(int axis, bool positive, std::int64_t distance);

/// Whether both have the same half-space outside.
bool same_plane(const ExactPlane& a, const ExactPlane& b);

/// Where three planes meet, in homogeneous coordinates with w > 0.
struct ExactCorner {
    std::array<const ExactPlane*, 3> planes{};
    std::array<double, 4> rounded{};   ///< in units
    std::array<double, 4> magnitude{}; ///< sums of the magnitudes of the products in `rounded`
    bool fits = false;                 ///< whether rounded is exact
};

/// Nothing if they do not meet in one point.
std::optional<ExactCorner> corner_of(const ExactPlane& a, const ExactPlane& b, const ExactPlane& c);
/// 1: outside of the plane, 0: on it, -1: inside.
int side_of(const ExactPlane& plane, const ExactCorner& corner);
/// In units, each coordinate rounded to the nearest double.
DVec3 position_of(const ExactCorner& corner);
/// Outwards, of length 1.
DVec3 normal_of(const ExactPlane& plane);

} // namespace scree
