// SPDX-License-Identifier: MIT
// double_box.h — boxes along the axes, in double precision, and the coordinates of a vector by number.
#pragma once

#include "scree/math.h"

#include <cstddef>

namespace scree {

/// Closed: touching is overlapping. May reach to infinity.
struct DBox {
    DVec3 low{}, high{};
    bool overlaps(const DBox& b) const {
        return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
               low.z <= b.high.z && b.low.z <= high.z;
    }
    friend bool operator==(const DBox&, const DBox&) = default;
};

inline double along(const DVec3& v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

} // namespace scree
