// SPDX-License-Identifier: MIT
// weld.cpp — see level_weld.h.
#include "scree/level_weld.h"

#include "text/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace scree {
namespace {

constexpr double most_rounding = 0.125; // units, the finest grid of editors: farther nothing is moved unasked

/// How far a plane may be from where it was meant, because the numbers in the file were rounded.
class Doubt {
public:
    Doubt() = default;
    Doubt(const MapFace& face, DVec3 normal, bool coefficients) : coefficients_(coefficients) {
        // a plane along two axes is one number, and as exact as that number is
        const int along = (normal.x == 0) + (normal.y == 0) + (normal.z == 0);
        if (along == 2) return;
        half_unit_ = half_unit({face.plane.data(), coefficients ? 4u : 9u});
        if (coefficients) return;
        const auto point = [&](std::size_t k) {
            return DVec3{face.plane[k], face.plane[k + 1], face.plane[k + 2]};
        };
        first_ = point(0);
        // a point's shares of the three points are linear in its place
        const DVec3 a = point(3) - first_, b = point(6) - first_, n = cross(a, b);
        share_[0] = cross(b, n) / dot(n, n);
        share_[1] = cross(n, a) / dot(n, n);
        half_unit_ *= std::fabs(normal.x) + std::fabs(normal.y) + std::fabs(normal.z);
    }
    double at(DVec3 place) const {
        if (half_unit_ == 0) return 0;
        if (coefficients_)
            return half_unit_ * (1 + std::fabs(place.x) + std::fabs(place.y) + std::fabs(place.z));
        const double s = dot(share_[0], place - first_), t = dot(share_[1], place - first_);
        return half_unit_ * (std::fabs(s) + std::fabs(t) + std::fabs(1 - s - t));
    }
    bool none() const { return half_unit_ == 0; }

private:
    /// Half of the last decimal that the numbers have; 0 for whole numbers, which are not rounded but put on a grid.
    static double half_unit(std::span<const double> numbers) {
        double scale = 1;
        for (int decimals = 0; decimals < 9; ++decimals, scale *= 10) {
            const bool whole = std::all_of(numbers.begin(), numbers.end(), [&](double x) {
                return std::fabs(x * scale - std::round(x * scale)) <= 1e-15 * std::fabs(x * scale);
            });
            if (whole) return decimals == 0 ? 0 : 0.5 / scale;
        }
        return 0.5 / scale;
    }
    double half_unit_ = 0;
    bool coefficients_ = false;
    DVec3 first_{}, share_[2]{};
};

/// A plane that faces were put into, or that none was near to.
struct Kept {
    DVec3 normal{};
    double distance = 0;
    const MapFace* face = nullptr;
    Doubt doubt{};
};

/// Planes by direction, both sides as one; neighbours in a grid of directions are within an angle that corners can bridge.
class Planes {
public:
    /// The nearest plane for the corners, of those that `reach(plane, corner)` allows; `off`: their largest distance from it.
    template <class Reach>
    const Kept* nearest(DVec3 normal, const std::vector<DVec3>& corners, Reach reach, double& off) const {
        const Kept* best = nullptr;
        const Key at = key_of(normal);
        for (int i = 0; i < 27; ++i) {
            const auto found =
                by_direction_.find({at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1});
            if (found == by_direction_.end()) continue;
            for (const Kept& one : found->second) {
                double farthest = 0;
                const bool allowed = std::all_of(corners.begin(), corners.end(), [&](DVec3 corner) {
                    const double apart = std::fabs(dot(one.normal, corner) - one.distance);
                    farthest = std::max(farthest, apart);
                    return apart <= reach(one, corner);
                });
                if (allowed && (!best || farthest < off)) best = &one, off = farthest;
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

/// The faces of a map with their corners, and the planes that they may be put into.
class Welder {
public:
    explicit Welder(Map& map) : map_(map), level_(build_level(map)) {}

    template <class Call>
    void each_face(Call call) {
        for (const LevelBrush& brush : level_.brushes)
            for (const LevelFace& side : brush.faces) {
                corners_.clear();
                for (const std::uint32_t corner : side.corners) corners_.push_back(brush.vertices[corner]);
                call(map_.entities[brush.entity].brushes[brush.brush].faces[side.face], side.normal);
            }
    }
    Doubt doubt_of(const MapFace& face, DVec3 normal) const { return {face, normal, coefficients()}; }
    void keep(const MapFace& face, DVec3 normal, const Doubt& doubt) {
        planes_.add({normal, dot(normal, corners_[0]), &face, doubt});
    }
    template <class Reach>
    void put(MapFace& face, DVec3 normal, const Doubt& doubt, Reach reach) {
        double off = 0;
        const Kept* kept = planes_.nearest(normal, corners_, reach, off);
        if (!kept) return keep(face, normal, doubt);
        const MapFace before = face;
        take_plane(face, *kept->face, dot(kept->normal, normal) < 0, coefficients());
        // the same plane by other points is no news
        if (off > 1e-9 && face.plane != before.plane) welds.push_back({before.place, kept->face->place, off});
    }
    std::vector<MapWeld> welds;

private:
    bool coefficients() const { return map_.format == MapFormat::brush_def3; }
    Map& map_;
    const Level level_;
    Planes planes_;
    std::vector<DVec3> corners_;
};

} // namespace

std::vector<MapWeld> weld(Map& map, double reach) {
    check_within(reach, 1e-6, 1, "weld: reach", "a number from 1e-6 to 1");
    Welder welder(map);
    welder.each_face([&](MapFace& face, DVec3 normal) {
        welder.put(face, normal, {}, [&](const Kept&, DVec3) { return reach; });
    });
    return std::move(welder.welds);
}

std::vector<MapWeld> weld_rounding(Map& map) {
    Welder welder(map);
    // what is exact stays where it is, and others are put there
    welder.each_face([&](MapFace& face, DVec3 normal) {
        const Doubt doubt = welder.doubt_of(face, normal);
        if (doubt.none()) welder.keep(face, normal, doubt);
    });
    welder.each_face([&](MapFace& face, DVec3 normal) {
        const Doubt doubt = welder.doubt_of(face, normal);
        if (doubt.none()) return;
        welder.put(face, normal, doubt, [&](const Kept& kept, DVec3 corner) {
            // normals and shares are of the rounded points, which changes them a little
            return std::min(1.02 * (doubt.at(corner) + kept.doubt.at(corner)), most_rounding);
        });
    });
    return std::move(welder.welds);
}

CompiledLevel compile_closed(Map& map, const LevelOptions& making, const LevelCellOptions& options,
                             RoundingGaps* gaps, CompileReport* report) {
    CompileReport unused;
    CompileReport& told = report ? *report : unused;
    CompiledLevel level = compile_level(map, making, options, &told);
    if (!told.leak) return level;
    Map moved = map;
    std::vector<MapWeld> welds = weld_rounding(moved);
    if (welds.empty()) return level;
    CompileReport again;
    CompiledLevel closed = compile_level(moved, making, options, &again);
    if (again.leak || closed.level.dropped_brushes != level.level.dropped_brushes) return level;
    if (gaps) *gaps = {std::move(told.leak), std::move(welds)};
    told = std::move(again);
    map = std::move(moved);
    return closed;
}

} // namespace scree
