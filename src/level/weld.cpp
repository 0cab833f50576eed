// SPDX-License-Identifier: MIT
// weld.cpp — see level_weld.h.
#include "scree/level_weld.h"

#include "text/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace scree {
namespace {

/// A plane that faces were put into, or that none was near to.
struct Kept {
    DVec3 normal{};
    double distance = 0;
    const MapFace* face = nullptr;
};

/// Planes by direction, both sides as one; neighbours in a grid of directions are within an angle that corners can bridge.
class Planes {
public:
    explicit Planes(double reach) : reach_(reach) {}

    /// The nearest plane for the corners; `off`: their largest distance from it.
    const Kept* nearest(DVec3 normal, const std::vector<DVec3>& corners, double& off) const {
        const Kept* best = nullptr;
        off = reach_;
        const Key at = key_of(normal);
        for (int i = 0; i < 27; ++i) {
            const auto found =
                by_direction_.find({at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1});
            if (found == by_direction_.end()) continue;
            for (const Kept& one : found->second) {
                double farthest = 0;
                for (const DVec3& corner : corners)
                    farthest = std::max(farthest, std::fabs(dot(one.normal, corner) - one.distance));
                if (farthest < off || (farthest == off && !best)) best = &one, off = farthest;
            }
        }
        return best;
    }
    void add(const Kept& one) { by_direction_[key_of(one.normal)].push_back(one); }

private:
    using Key = std::array<int, 3>;
    static Key key_of(DVec3 n) {
        const double largest = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
        const double first = largest == std::fabs(n.x) ? n.x : largest == std::fabs(n.y) ? n.y : n.z;
        const double side = first < 0 ? -64 : 64;
        const auto cell = [&](double c) { return static_cast<int>(std::lround(c * side)); };
        return {cell(n.x), cell(n.y), cell(n.z)};
    }
    double reach_;
    std::map<Key, std::vector<Kept>> by_direction_;
};

/// The plane of `from`, seen from its other side if `turned`.
void take_plane(MapFace& to, const MapFace& from, bool turned, bool coefficients) {
    to.plane = from.plane;
    if (!turned) return;
    if (coefficients)
        for (std::size_t i = 0; i < 4; ++i) to.plane[i] = 0 - to.plane[i];
    else std::swap_ranges(to.plane.begin(), to.plane.begin() + 3, to.plane.begin() + 3);
}

} // namespace

std::vector<MapWeld> weld(Map& map, double reach) {
    check_within(reach, 1e-6, 1, "weld: reach", "a number from 1e-6 to 1");
    const Level level = build_level(map);
    std::vector<MapWeld> welds;
    Planes planes(reach);
    std::vector<DVec3> corners;
    for (const LevelBrush& brush : level.brushes)
        for (const LevelFace& side : brush.faces) {
            MapFace& face = map.entities[brush.entity].brushes[brush.brush].faces[side.face];
            corners.clear();
            for (const std::uint32_t corner : side.corners) corners.push_back(brush.vertices[corner]);
            double off = 0;
            const Kept* kept = planes.nearest(side.normal, corners, off);
            if (!kept) {
                planes.add({side.normal, dot(side.normal, corners[0]), &face});
                continue;
            }
            const MapFace before = face;
            take_plane(face, *kept->face, dot(kept->normal, side.normal) < 0,
                       map.format == MapFormat::brush_def3);
            // the same plane by other points is no news
            if (off > 1e-9 && face.plane != before.plane)
                welds.push_back({before.place, kept->face->place, off});
        }
    return welds;
}

} // namespace scree
