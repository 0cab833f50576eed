// SPDX-License-Identifier: MIT
// shaft.h — the volume that a box sweeps on its straight way from one place to another (Haines and Wallace 1991).
//
// The box around both ends, cut by planes parallel to an axis: for every two neighbouring faces of it of which one belongs to the
// first box and one to the last, the plane through the edges in which these faces of the two boxes meet. That is the convex hull of
// both. At most 8 planes, 6 for boxes of one size; none is allocated.
#pragma once

#include "collision/double_box.h"

#include <array>
#include <span>

namespace scree {

struct Shaft {
    /// n[0] x[axis[0]] + n[1] x[axis[1]] <= distance inside.
    struct Plane {
        std::size_t axis[2]{};
        double n[2]{};
        double distance = 0;
    };
    DBox first{}, last{}, around{};
    std::array<Plane, 8> planes{};
    std::size_t count = 0;
};

/// Boxes that reach to infinity have no planes.
Shaft shaft_of(const DBox& first, const DBox& last);
/// The shaft within a tighter box around the way, such as that of a curve.
Shaft shaft_of(const DBox& first, const DBox& last, const DBox& around);

bool meets(const Shaft& shaft, const DBox& box);
/// Conservative: true wherever they meet, and rarely where they do not.
bool meets(const Shaft& shaft, const std::array<DVec3, 3>& triangle);

} // namespace scree
