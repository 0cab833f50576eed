// SPDX-License-Identifier: MIT
// portal_cover.cpp — portals as at most two triangles.
#include "scree/collision_cells.h"
#include "scree/error.h"

#include <algorithm>
#include <string>

namespace scree {

std::array<DVec3, 4> covering_triangles(std::span<const DVec3> polygon) {
    const std::size_t count = polygon.size();
    if (count < 3)
        throw Error("invalid number of corners " + std::to_string(count) + ": expected at least 3", "portal");
    if (count == 3) return {polygon[0], polygon[1], polygon[2], polygon[2]};
    if (count == 4) return {polygon[0], polygon[1], polygon[2], polygon[3]};
    DVec3 normal{};
    for (std::size_t k = 2; k < count; ++k)
        normal += cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0]);
    normal = normalized(normal);
    std::array<DVec3, 4> best{};
    double least = -1;
    for (std::size_t k = 0; k < count; ++k) {
        const DVec3 edge = polygon[(k + 1) % count] - polygon[k];
        if (!(dot(edge, edge) > 0)) continue;
        const DVec3 u = normalized(edge), v = cross(normal, u);
        double low_u = 0, high_u = 0, low_v = 0, high_v = 0;
        for (const DVec3& corner : polygon) {
            const double along = dot(corner - polygon[k], u), across = dot(corner - polygon[k], v);
            low_u = std::min(low_u, along), high_u = std::max(high_u, along);
            low_v = std::min(low_v, across), high_v = std::max(high_v, across);
        }
        const double area = (high_u - low_u) * (high_v - low_v);
        if (least >= 0 && area >= least) continue;
        least = area;
        const auto at = [&](double along, double across) { return polygon[k] + u * along + v * across; };
        best = {at(low_u, low_v), at(high_u, low_v), at(high_u, high_v), at(low_u, high_v)};
    }
    if (least < 0) throw Error("all corners are one point: expected a polygon", "portal");
    return best;
}

} // namespace scree
