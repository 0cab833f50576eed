// SPDX-License-Identifier: MIT
// shared_corners.h — corners of a level's faces, those at one place as one; and which of them lie on an edge.
//
// Where the corner of one face lies on the edge of another, the two surfaces are rounded apart by a part of a pixel, and what is
// behind them shines through. So edges are divided there.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace scree::render {

class SharedCorners {
public:
    /// The number of a corner at this place; in units of a map.
    std::uint32_t add(DVec3 at);
    const DVec3& operator[](std::uint32_t corner) const { return corners_[corner]; }
    /// Corners on the edge from a to b, without these, in their order.
    const std::vector<std::uint32_t>& between(std::uint32_t a, std::uint32_t b);

private:
    template <class Call>
    void each_near(DVec3 low, DVec3 high, Call call) const;
    std::vector<DVec3> corners_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> grid_;
    std::vector<std::uint32_t> found_;
};

} // namespace scree::render
