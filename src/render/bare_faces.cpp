// SPDX-License-Identifier: MIT
// bare_faces.cpp — see bare_faces.h.
#include "render/bare_faces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::render {

namespace {

constexpr double on_plane = 1e-3; // units: what is thinner is not cut off

struct PolygonBounds {
    DVec3 low, high;
    explicit PolygonBounds(const LevelPolygon& polygon) : low(polygon[0]), high(polygon[0]) {
        for (const DVec3& corner : polygon) low = min(low, corner), high = max(high, corner);
    }
    bool touches(const LevelBrush& brush) const {
        return brush.low.x <= high.x + on_plane && brush.high.x >= low.x - on_plane &&
               brush.low.y <= high.y + on_plane && brush.high.y >= low.y - on_plane &&
               brush.low.z <= high.z + on_plane && brush.high.z >= low.z - on_plane;
    }
};

struct Halves {
    LevelPolygon front, behind;
};

/// Heights of the corners over a plane, the least and the greatest.
struct Heights {
    std::vector<double> of;
    double low = 1e300, high = -1e300;
    Heights(const LevelPolygon& polygon, DVec3 normal, double distance) {
        for (const DVec3& corner : polygon) {
            of.push_back(dot(normal, corner) - distance);
            low = std::min(low, of.back()), high = std::max(high, of.back());
        }
    }
};

Halves divided(const LevelPolygon& polygon, const std::vector<double>& heights) {
    Halves out;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const std::size_t next = (k + 1) % polygon.size();
        const double h = heights[k], g = heights[next];
        if (h >= -on_plane) out.front.push_back(polygon[k]);
        if (h <= on_plane) out.behind.push_back(polygon[k]);
        if (std::min(h, g) >= -on_plane || std::max(h, g) <= on_plane) continue;
        // from the upper end for the polygons on both sides of an edge, so that they get the same corner
        const DVec3 upper = polygon[h > g ? k : next], lower = polygon[h > g ? next : k];
        const double t = std::max(h, g) / std::fabs(h - g);
        out.front.push_back(upper + t * (lower - upper));
        out.behind.push_back(out.front.back());
    }
    return out;
}

enum class Cover { none, part, all };

/// How much of a polygon that looks along `normal` is in brushes that divide the level.
Cover cover_of(const LevelCells& cells, const LevelPolygon& polygon, DVec3 normal, std::uint32_t at) {
    while (!(at & LevelCells::leaf_bit)) {
        const LevelCells::Node& node = cells.nodes[at];
        const Heights heights(polygon, node.normal, node.distance);
        if (heights.low < -on_plane && heights.high > on_plane) {
            const Halves halves = divided(polygon, heights.of);
            const Cover front = cover_of(cells, halves.front, normal, node.children[0]);
            if (front == Cover::part) return front;
            return cover_of(cells, halves.behind, normal, node.children[1]) == front ? front : Cover::part;
        }
        // a face in the plane is seen from where it looks to
        const bool flat = heights.low >= -on_plane && heights.high <= on_plane;
        at = node.children[(flat ? dot(node.normal, normal) > 0 : heights.high > on_plane) ? 0 : 1];
    }
    return (at & ~LevelCells::leaf_bit) == LevelCells::solid ? Cover::all : Cover::none;
}

/// Takes what the brush covers off a polygon that looks along `normal`; the rest goes to `out`.
void take_off(const LevelCells& cells, const LevelBrush& brush, const LevelPolygon& polygon, DVec3 normal,
              std::vector<LevelPolygon>& out) {
    LevelPolygon inside = polygon;
    std::vector<LevelPolygon> outside;
    for (const LevelFace& side : brush.faces) {
        const double distance = dot(side.normal, brush.vertices[side.corners[0]]);
        const Heights heights(inside, side.normal, distance);
        // what lies in a side is covered if it looks into the brush
        const bool flat = heights.low >= -on_plane && heights.high <= on_plane;
        if (heights.low >= -on_plane && !(flat && dot(side.normal, normal) < 0)) {
            out.push_back(polygon);
            return;
        }
        if (heights.high <= on_plane) continue;
        Halves halves = divided(inside, heights.of);
        outside.push_back(std::move(halves.front));
        inside = std::move(halves.behind);
    }
    // brushes that divide nothing, such as clip, cover nothing
    if (cover_of(cells, inside, normal, 0) != Cover::all) out.push_back(polygon);
    else out.insert(out.end(), outside.begin(), outside.end());
}

} // namespace

BareFaces::BareFaces(const Level& level, const LevelCells& cells, const std::vector<bool>& see_through)
    : level_(level), cells_(cells) {
    for (std::uint32_t b = 0; b < level.brushes.size(); ++b)
        if (level.brushes[b].solid && (b >= see_through.size() || !see_through[b])) by_low_x_.push_back(b);
    std::stable_sort(by_low_x_.begin(), by_low_x_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return level.brushes[a].low.x < level.brushes[b].low.x;
    });
}

std::vector<LevelPolygon> BareFaces::parts(std::uint32_t brush, std::uint32_t face) const {
    const LevelBrush& own = level_.brushes[brush];
    const DVec3 normal = own.faces[face].normal;
    LevelPolygon whole;
    for (const std::uint32_t corner : own.faces[face].corners) whole.push_back(own.vertices[corner]);
    if (cells_.nodes.empty() || whole.size() < 3 || cover_of(cells_, whole, normal, 0) != Cover::part)
        return {};
    const PolygonBounds around(whole);
    std::vector<LevelPolygon> left{whole}, next;
    for (const std::uint32_t b : by_low_x_) {
        const LevelBrush& cover = level_.brushes[b];
        if (cover.low.x > around.high.x + on_plane) break;
        if (b == brush || !around.touches(cover)) continue;
        next.clear();
        for (LevelPolygon& polygon : left)
            if (PolygonBounds(polygon).touches(cover)) take_off(cells_, cover, polygon, normal, next);
            else next.push_back(std::move(polygon));
        left.swap(next);
    }
    if (left.size() == 1 && left[0] == whole) return {};
    return left;
}

namespace {

using Loop = std::vector<std::uint32_t>;

/// The union of a loop with edge k and one with the same edge the other way, m; empty if it is not convex.
Loop joined(const Loop& a, std::size_t k, const Loop& b, std::size_t m, const SharedCorners& corners,
            DVec3 normal) {
    Loop all;
    for (std::size_t i = 1; i <= a.size(); ++i)
        all.push_back(a[(k + i) % a.size()]); // from the edge's end to its begin
    for (std::size_t i = 2; i < b.size(); ++i) all.push_back(b[(m + i) % b.size()]);
    Loop out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const DVec3 here = corners[all[i]], before = here - corners[all[(i + all.size() - 1) % all.size()]],
                    after = corners[all[(i + 1) % all.size()]] - here;
        const double turn = dot(cross(before, after), normal), flat = 1e-7 * length(before) * length(after);
        if (turn < -flat) return {};
        if (turn > flat) out.push_back(all[i]);
    }
    return out.size() < 3 ? Loop{} : out;
}

} // namespace

void join_convex(std::vector<Loop>& polygons, const SharedCorners& corners, DVec3 normal) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_edge; // which has it
    const auto note = [&](std::size_t number) {
        const Loop& loop = polygons[number];
        for (std::size_t k = 0; k < loop.size(); ++k)
            by_edge[{loop[k], loop[(k + 1) % loop.size()]}] = number;
    };
    const auto forget = [&](std::size_t number) {
        const Loop& loop = polygons[number];
        for (std::size_t k = 0; k < loop.size(); ++k) by_edge.erase({loop[k], loop[(k + 1) % loop.size()]});
    };
    for (std::size_t i = 0; i < polygons.size(); ++i) note(i);
    const auto join_one = [&](std::size_t number) {
        const Loop& loop = polygons[number];
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const auto found = by_edge.find({loop[(k + 1) % loop.size()], loop[k]});
            if (found == by_edge.end() || found->second == number) continue;
            const std::size_t other = found->second;
            const Loop& with = polygons[other];
            const auto m = static_cast<std::size_t>(
                std::find(with.begin(), with.end(), loop[(k + 1) % loop.size()]) - with.begin());
            Loop whole = joined(loop, k, with, m, corners, normal);
            if (whole.empty()) continue;
            forget(number), forget(other);
            polygons[other].clear();
            polygons[number] = std::move(whole);
            note(number);
            return true;
        }
        return false;
    };
    for (bool any = true; any;) {
        any = false;
        for (std::size_t i = 0; i < polygons.size(); ++i)
            while (!polygons[i].empty() && join_one(i)) any = true;
    }
    std::erase_if(polygons, [](const Loop& loop) { return loop.empty(); });
}

FaceTexture::FaceTexture(const LevelBrush& brush, const LevelFace& face) {
    if (face.coordinates.size() < face.corners.size() || face.corners.size() < 3) return;
    const auto corner = [&](std::size_t k) { return brush.vertices[face.corners[k]]; };
    origin_ = corner(0);
    // the two corners that span the most with the first
    std::size_t one = 1, other = 2;
    double most = 0;
    for (std::size_t i = 1; i < face.corners.size(); ++i)
        for (std::size_t j = i + 1; j < face.corners.size(); ++j) {
            const double area = length(cross(corner(i) - origin_, corner(j) - origin_));
            if (area > most) most = area, one = i, other = j;
        }
    if (!(most > 0)) return;
    const DVec3 a = corner(one) - origin_, b = corner(other) - origin_;
    const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), whole = aa * bb - ab * ab;
    along_ = (bb / whole) * a - (ab / whole) * b;
    across_ = (aa / whole) * b - (ab / whole) * a;
    start_ = face.coordinates[0];
    for (std::size_t i = 0; i < 2; ++i) {
        to_along_[i] = face.coordinates[one][i] - start_[i];
        to_across_[i] = face.coordinates[other][i] - start_[i];
    }
}

std::array<double, 2> FaceTexture::at(DVec3 point) const {
    const double u = dot(along_, point - origin_), v = dot(across_, point - origin_);
    return {start_[0] + u * to_along_[0] + v * to_across_[0],
            start_[1] + u * to_along_[1] + v * to_across_[1]};
}

} // namespace scree::render
