// SPDX-License-Identifier: MIT
// piece.h — what planes have cut out of a closed mesh: clipped exactly, with its volume, hull and concavity.
//
// A piece is a closed chain of triangles: those of the surface, and *caps* that close it where planes cut. A cap is a fan over
// the border of the cut from one point of the plane. Where the section is not seen whole from that point the fan's triangles
// overlap with opposite signs and cancel, so volumes are exact and any number of loops, holes and touching edges need no case of
// their own. Caps count for volumes alone: hulls and distances use the surface, and those corners of the cell (what the
// half-spaces of all cuts leave) that are inside the solid.
#pragma once

#include "geometry/point_hull.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace scree {

struct CutPlane {
    DVec3 normal{}; ///< unit
    double offset = 0;
    double height(DVec3 p) const { return dot(normal, p) - offset; }
};

struct PieceTriangle {
    std::array<std::uint32_t, 3> corner{};
    bool cap = false;
};

/// The closed surface that is decomposed, and what was derived from it once.
struct Solid {
    std::vector<DVec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    double size = 0;    ///< the longest side of its bounding box
    double closing = 0; ///< m: what counts as in a plane

    /// How often the surface winds around a point: the signed crossings of a ray.
    int winding(DVec3 p) const;
};

struct Piece {
    std::vector<DVec3> points;
    std::vector<PieceTriangle> triangles;
    std::vector<CutPlane> cell; ///< each with the piece below it
    std::vector<DVec3> corners; ///< of the cell, inside the solid
    std::vector<DVec3> outline; ///< vertices of the hull
    PointHull hull;             ///< of the outline
    double volume = 0;
    double concavity = 0; ///< m; set by the search

    double excess() const { return hull.volume > volume ? hull.volume - volume : 0; }
};

/// Sets volume, outline and hull.
void weigh(Piece& piece);
/// The parts below and above the plane, weighed; nothing if one of them is empty.
std::optional<std::pair<Piece, Piece>> cut(const Solid& solid, const Piece& piece, const CutPlane& plane);
/// Both as one, weighed. Its cell is not convex any more and is left empty: it can be measured, not cut.
Piece joined(const Piece& a, const Piece& b);
/// The same with fewer triangles: vertices that share one of `cells`^3 cells of its bounding box become one.
Piece coarse(const Piece& piece, int cells);

/// Of a ball of that volume.
double ball_radius(double volume);

/// How far the hull and the surface are apart: the deepest point of the surface below the hull, the largest distance from the hull
/// to the surface, and 0.3 of the radius of a ball of the excess volume, whichever is most (after CoACD: Wei, Liu, Ling, Su
/// 2022). Beyond `enough` only a lower bound that is beyond it too.
double concavity(const Piece& piece, double enough);

} // namespace scree
