// SPDX-License-Identifier: MIT
// plane_table.h — the planes of a map, each once, with both of its sides.
#pragma once

#include "level/exact_plane.h"

#include <cmath>
#include <cstdint>
#include <deque>
#include <map>

namespace scree {

/// A plane and the same one facing the other way.
struct TwoSided {
    ExactPlane sides[2]; ///< outside is in front, behind
};

inline ExactPlane flipped(const ExactPlane& plane) {
    ExactPlane out = plane;
    for (std::size_t i = 0; i < 4; ++i) {
        out.exact[i] = -plane.exact[i];
        out.rounded[i] = 0 - plane.rounded[i];
    }
    return out;
}

/// Planes that are the same are one, whichever way they face. They stay where they are in memory.
class PlaneTable {
public:
    const ExactPlane* find(const ExactPlane& plane) {
        // the normal's direction and the distance, rounded: equal planes are in neighbouring boxes at most
        const DVec3 normal = normal_of(plane);
        const double size =
            std::sqrt(plane.rounded[0] * plane.rounded[0] + plane.rounded[1] * plane.rounded[1] +
                      plane.rounded[2] * plane.rounded[2]);
        const double distance = plane.rounded[3] / size;
        const double key = std::fabs(normal.x) * 11 + std::fabs(normal.y) * 7 + std::fabs(normal.z) * 5 +
                           std::fabs(distance);
        const double margin = 1e-9 * (1 + std::fabs(key));
        for (auto near = by_key_.lower_bound(key - margin);
             near != by_key_.end() && near->first <= key + margin; ++near)
            for (const ExactPlane& side : near->second->sides)
                if (same_plane(side, plane)) return &side;
        planes_.push_back({{plane, flipped(plane)}});
        TwoSided& made = planes_.back();
        for (std::uint32_t side = 0; side < 2; ++side)
            made.sides[side].number = static_cast<std::uint32_t>(2 * (planes_.size() - 1) + side);
        by_key_.emplace(key, &made);
        return &made.sides[0];
    }
    std::size_t size() const { return planes_.size(); }
    /// By ExactPlane::number.
    const ExactPlane* side(std::uint32_t number) const { return &planes_[number / 2].sides[number % 2]; }
    /// Of a plane of the table.
    const TwoSided& of(const ExactPlane* side) const { return planes_[side->number / 2]; }
    /// Whether both are sides of one plane; planes that are not of the table are only the same as themselves.
    static bool same(const ExactPlane* a, const ExactPlane* b) {
        return a == b || (a->number != 0xffffffff && a->number / 2 == b->number / 2);
    }

private:
    std::deque<TwoSided> planes_;
    std::multimap<double, const TwoSided*> by_key_;
};

} // namespace scree
