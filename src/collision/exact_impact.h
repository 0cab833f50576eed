// SPDX-License-Identifier: MIT
// exact_impact.h — when two moving polyhedra first touch, by interval arithmetic over their features (Redon, Kheddar and Coquillart
// 2002): vertices against faces, edges against edges.
//
// Time is halved, the earlier half first. Of an interval of time the equations of contact are evaluated with bounds, and a pair of
// features whose equation has no root there is dropped; an interval that keeps none has no contact. What is left when intervals are
// as short as asked is the first contact. Nothing of time_of_impact.h decides anything here: its distance only proposes an axis, and
// bounds prove that it parts the shapes.
#pragma once

#include "collision/time_of_impact.h"

#include <cstdint>

namespace scree {

/// Boxes, hulls and planes.
bool has_flat_faces(ShapeType type);

struct ExactImpact {
    enum class Features { overlap, vertex_face, face_vertex, edge_edge }; ///< first A's, then B's
    bool found = false;
    bool gave_up = false; ///< after `most_intervals`
    /// They are proved to be apart until then. Found: within `width` after it they touch, or are closer than rounding can tell.
    double time = 0;
    Features features = Features::overlap; ///< overlap: from the start
    DVec3 point{}, normal{};               ///< unit, from A to B
    double separation = 0; ///< along the normal at the time; negative: they overlap from the start
    int intervals = 0;     ///< that were looked at
};
/// Both have flat faces; at most one is a plane, which stands still. `width` > 0: s.
ExactImpact exact_impact(const MovingConvex& a, const MovingConvex& b, double horizon, double width,
                         int most_intervals);

} // namespace scree
