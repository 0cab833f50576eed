// SPDX-License-Identifier: MIT
// plane_table.h — the planes of a map, each once, with both of its sides.
#pragma once

#include "level/exact_plane.h"

#include <cmath>
#include <deque>
#include <map>
#include <unordered_map>

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
        by_key_.emplace(key, &planes_.back());
        owner_[&planes_.back().sides[0]] = owner_[&planes_.back().sides[1]] = &planes_.back();
        return &planes_.back().sides[0];
    }
    const TwoSided& of(const ExactPlane* side) const { return *owner_.at(side); }
    /// Whether both are sides of one plane; planes that are not of the table are only the same as themselves.
    bool same(const ExactPlane* a, const ExactPlane* b) const {
        if (a == b) return true;
        const auto found = owner_.find(a);
        return found != owner_.end() && (b == &found->second->sides[0] || b == &found->second->sides[1]);
    }

private:
    std::deque<TwoSided> planes_;
    std::multimap<double, const TwoSided*> by_key_;
    std::unordered_map<const ExactPlane*, const TwoSided*> owner_;
};

} // namespace scree
