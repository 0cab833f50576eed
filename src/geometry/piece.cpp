// SPDX-License-Identifier: MIT
// piece.cpp — see piece.h.
#include "geometry/piece.h"

#include "geometry/triangle_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace scree {
namespace {

constexpr std::uint32_t nobody = 0xffffffffu;

std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
    return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
}

/// One side of a cut while it grows.
struct Half {
    Piece piece;
    std::vector<std::uint32_t> number; ///< of the parent's points here
    std::vector<std::uint32_t> cut_number;
    std::vector<bool> in_plane;

    std::uint32_t point(std::uint32_t i, const Piece& parent, bool flat) {
        if (number[i] == nobody) {
            number[i] = static_cast<std::uint32_t>(piece.points.size());
            piece.points.push_back(parent.points[i]);
            in_plane.push_back(flat);
        }
        return number[i];
    }
    std::uint32_t cut_point(std::uint32_t i, const std::vector<DVec3>& cuts) {
        if (cut_number.size() <= i) cut_number.resize(cuts.size(), nobody);
        if (cut_number[i] == nobody) {
            cut_number[i] = static_cast<std::uint32_t>(piece.points.size());
            piece.points.push_back(cuts[i]);
            in_plane.push_back(true);
        }
        return cut_number[i];
    }

    /// Closes the chain in the plane.
    void close() {
        struct Border {
            std::uint32_t from, to;
            int count;
        };
        std::vector<std::pair<std::uint64_t, int>> sides;
        for (const PieceTriangle& t : piece.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t.corner[k], b = t.corner[(k + 1) % 3];
                if (a != b && in_plane[a] && in_plane[b]) sides.emplace_back(edge_key(a, b), a < b ? 1 : -1);
            }
        std::sort(sides.begin(), sides.end());
        std::vector<Border> border;
        for (std::size_t i = 0; i < sides.size();) {
            const std::uint64_t key = sides[i].first;
            int sum = 0;
            for (; i < sides.size() && sides[i].first == key; ++i) sum += sides[i].second;
            const auto a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key);
            if (sum > 0) border.push_back({a, b, sum});
            if (sum < 0) border.push_back({b, a, -sum});
        }
        if (border.empty()) return;
        DVec3 middle{};
        for (const Border& b : border) middle += piece.points[b.from];
        const auto centre = static_cast<std::uint32_t>(piece.points.size());
        piece.points.push_back(middle / static_cast<double>(border.size()));
        in_plane.push_back(true);
        for (const Border& b : border)
            for (int i = 0; i < b.count; ++i) piece.triangles.push_back({{b.to, b.from, centre}, true});
    }
};

/// How a ray along +x from p crosses a triangle: 1 out of the solid, -1 into it, 0 not at all. Each edge decides by the order of
/// its ends alone on which side of it the ray passes: triangles that share the edge agree, and the ray slips through no seam.
int crossing(const std::vector<DVec3>& points, const std::array<std::uint32_t, 3>& t, DVec3 p) {
    const auto passes = [&](std::uint32_t i, std::uint32_t j) {
        const DVec3 &a = points[i], &b = points[j];
        if ((a.y <= p.y) == (b.y <= p.y)) return 0;
        const bool up = b.y > p.y;
        const DVec3 &low = up ? a : b, &high = up ? b : a;
        const double side = (high.y - low.y) * (p.z - low.z) - (high.z - low.z) * (p.y - low.y);
        return side < 0 ? (up ? -1 : 1) : 0;
    };
    const int around = passes(t[0], t[1]) + passes(t[1], t[2]) + passes(t[2], t[0]);
    if (around == 0) return 0;
    // whether the ray meets the plane of the triangle ahead of p
    const DVec3 a = points[t[0]], normal = cross(points[t[1]] - a, points[t[2]] - a);
    return normal.x != 0 && dot(normal, a - p) * (normal.x > 0 ? 1 : -1) > 0 ? around : 0;
}

/// By operations that are rounded alike everywhere, unlike std::cbrt.
double cube_root(double v) {
    if (!(v > 0)) return 0;
    int exponent = 0;
    const double part = std::frexp(v, &exponent); // 0.5 to 1
    const int rest = ((exponent % 3) + 3) % 3, third = (exponent - rest) / 3;
    const double scaled = std::ldexp(part, rest); // 0.5 to 4
    double x = 1.2;
    for (int i = 0; i < 7; ++i) x -= (x * x * x - scaled) / (3 * x * x);
    return std::ldexp(x, third);
}

void set_hull(Piece& piece, const std::vector<DVec3>& candidates) {
    piece.hull = hull_of(candidates);
    piece.outline.clear();
    std::vector<std::uint32_t> number(candidates.size(), nobody);
    for (const std::uint32_t v : piece.hull.vertices()) {
        number[v] = static_cast<std::uint32_t>(piece.outline.size());
        piece.outline.push_back(candidates[v]);
    }
    for (auto& t : piece.hull.triangles)
        for (std::uint32_t& v : t) v = number[v];
}

/// Corners of the cell in its last plane that are inside the solid.
void add_corners(const Solid& solid, Piece& piece) {
    const std::vector<CutPlane>& cell = piece.cell;
    const CutPlane& last = cell.back();
    for (std::size_t i = 0; i + 1 < cell.size(); ++i)
        for (std::size_t j = i + 1; j + 1 < cell.size(); ++j) {
            const DVec3 &n = cell[i].normal, &m = cell[j].normal, &l = last.normal;
            const double det = dot(n, cross(m, l));
            if (std::fabs(det) < 1e-6) continue;
            const auto solve = [&](double a, double b, double c) {
                return (a * cross(m, l) + b * cross(l, n) + c * cross(n, m)) / det;
            };
            const DVec3 corner = solve(cell[i].offset, cell[j].offset, last.offset);
            bool inside = true;
            for (std::size_t k = 0; k + 1 < cell.size() && inside; ++k)
                inside = k == i || k == j || cell[k].height(corner) <= solid.closing;
            // a bit into the cell, so that a surface in one of the planes belongs to the right side
            if (inside && solid.winding(corner - 4 * solid.closing * solve(1, 1, 1)) > 0)
                piece.corners.push_back(corner);
        }
}

} // namespace

int Solid::winding(DVec3 p) const {
    int sum = 0;
    for (const auto& t : triangles) sum += crossing(points, t, p);
    return sum;
}

void weigh(Piece& piece) {
    piece.volume = 0;
    const DVec3 origin = piece.points.empty() ? DVec3{} : piece.points[0];
    std::vector<bool> used(piece.points.size(), false);
    for (const PieceTriangle& t : piece.triangles) {
        const DVec3 a = piece.points[t.corner[0]] - origin, b = piece.points[t.corner[1]] - origin,
                    c = piece.points[t.corner[2]] - origin;
        piece.volume += dot(a, cross(b, c)) / 6;
        if (!t.cap)
            for (const std::uint32_t v : t.corner) used[v] = true;
    }
    std::vector<DVec3> candidates = piece.corners;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) candidates.push_back(piece.points[i]);
    set_hull(piece, candidates);
}

std::optional<std::pair<Piece, Piece>> cut(const Solid& solid, const Piece& piece, const CutPlane& plane) {
    const std::size_t n = piece.points.size();
    std::vector<double> height(n);
    std::vector<signed char> side(n);
    bool below = false, above = false;
    for (std::size_t i = 0; i < n; ++i) {
        height[i] = plane.height(piece.points[i]);
        side[i] = height[i] > solid.closing ? 1 : height[i] < -solid.closing ? -1 : 0;
        below = below || side[i] < 0;
        above = above || side[i] > 0;
    }
    if (!below || !above) return std::nullopt;

    Half half[2]; // below, above
    for (Half& h : half) h.number.assign(n, nobody);
    std::vector<DVec3> cuts;
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    const auto cut_of = [&](std::uint32_t a, std::uint32_t b) {
        const auto [it, fresh] = known.try_emplace(edge_key(a, b), static_cast<std::uint32_t>(cuts.size()));
        if (fresh) {
            const std::uint32_t low = std::min(a, b), high = std::max(a, b);
            const double t = height[low] / (height[low] - height[high]);
            cuts.push_back(piece.points[low] + t * (piece.points[high] - piece.points[low]));
        }
        return it->second;
    };
    for (const PieceTriangle& t : piece.triangles) {
        const auto& c = t.corner;
        const int least = std::min({side[c[0]], side[c[1]], side[c[2]]}),
                  most = std::max({side[c[0]], side[c[1]], side[c[2]]});
        const auto keep = [&](Half& h) {
            PieceTriangle kept{{}, t.cap};
            for (std::size_t k = 0; k < 3; ++k) kept.corner[k] = h.point(c[k], piece, side[c[k]] == 0);
            h.piece.triangles.push_back(kept);
        };
        if (least == 0 && most == 0) {
            // a triangle in the plane bounds what is behind it
            const DVec3 normal =
                cross(piece.points[c[1]] - piece.points[c[0]], piece.points[c[2]] - piece.points[c[0]]);
            keep(half[dot(normal, plane.normal) > 0 ? 0 : 1]);
        } else if (most <= 0) {
            keep(half[0]);
        } else if (least >= 0) {
            keep(half[1]);
        } else {
            for (int which = 0; which < 2; ++which) {
                Half& h = half[which];
                const int sign = which == 0 ? -1 : 1;
                std::array<std::uint32_t, 4> loop{};
                std::size_t count = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t a = c[k], b = c[(k + 1) % 3];
                    if (side[a] * sign >= 0) loop[count++] = h.point(a, piece, side[a] == 0);
                    if (side[a] * side[b] < 0) {
                        const std::uint32_t at = cut_of(a, b);
                        loop[count++] = h.cut_point(at, cuts);
                    }
                }
                for (std::size_t k = 2; k < count; ++k)
                    h.piece.triangles.push_back({{loop[0], loop[k - 1], loop[k]}, t.cap});
            }
        }
    }
    for (int which = 0; which < 2; ++which) {
        Piece& out = half[which].piece;
        half[which].close();
        out.cell = piece.cell;
        out.cell.push_back(which == 0 ? plane : CutPlane{-plane.normal, -plane.offset});
        for (const DVec3& p : piece.corners)
            if (out.cell.back().height(p) <= solid.closing) out.corners.push_back(p);
        add_corners(solid, out);
        weigh(out);
        if (out.hull.flat()) return std::nullopt;
    }
    return std::pair{std::move(half[0].piece), std::move(half[1].piece)};
}

Piece joined(const Piece& a, const Piece& b) {
    Piece out = a;
    const auto first = static_cast<std::uint32_t>(a.points.size());
    out.points.insert(out.points.end(), b.points.begin(), b.points.end());
    for (PieceTriangle t : b.triangles) {
        for (std::uint32_t& v : t.corner) v += first;
        out.triangles.push_back(t);
    }
    out.cell.clear();
    // the hull of two hulls needs nothing but their vertices
    out.corners = a.outline;
    out.corners.insert(out.corners.end(), b.outline.begin(), b.outline.end());
    out.volume = a.volume + b.volume;
    set_hull(out, out.corners);
    return out;
}

Piece coarse(const Piece& piece, int cells) {
    DVec3 low = piece.points[0], high = low;
    for (const DVec3& p : piece.points) low = min(low, p), high = max(high, p);
    const double width = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / cells;
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    std::vector<std::uint32_t> number(piece.points.size());
    Piece out;
    const auto cell = [&](double x) { return static_cast<std::uint64_t>(x / width); };
    for (std::size_t i = 0; i < piece.points.size(); ++i) {
        const DVec3 r = piece.points[i] - low;
        const std::uint64_t key = (cell(r.x) << 42) | (cell(r.y) << 21) | cell(r.z);
        const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(out.points.size()));
        if (fresh) out.points.push_back(piece.points[i]);
        number[i] = it->second;
    }
    for (PieceTriangle t : piece.triangles) {
        for (std::uint32_t& v : t.corner) v = number[v];
        const auto& [a, b, c] = t.corner;
        if (a != b && b != c && c != a) out.triangles.push_back(t);
    }
    out.cell = piece.cell;
    out.corners = piece.corners;
    weigh(out);
    return out;
}

namespace {

/// Points of a triangle no farther apart than the spacing, its corners among them; at most about 40.
template <class Visit>
void sample(DVec3 a, DVec3 b, DVec3 c, double spacing, Visit visit) {
    const double longest = std::max({length(b - a), length(c - b), length(a - c)});
    const int n = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, 8);
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j)
            visit(a + (static_cast<double>(i) / n) * (b - a) + (static_cast<double>(j) / n) * (c - a));
}

/// Whether a point is inside the chain, caps included.
bool inside(const Piece& piece, DVec3 p) {
    int sum = 0;
    for (const PieceTriangle& t : piece.triangles) sum += crossing(piece.points, t.corner, p);
    return sum > 0;
}

} // namespace

double ball_radius(double volume) { return cube_root(3 * volume / (4 * std::numbers::pi)); }

double concavity(const Piece& piece, double enough) {
    if (piece.hull.flat()) return 0;
    double most = 0.3 * ball_radius(piece.excess());
    if (most > enough) return most;
    DVec3 low = piece.outline[0], high = low;
    for (const DVec3& p : piece.outline) low = min(low, p), high = max(high, p);
    const double extent = length(high - low), spacing = extent / 20;

    std::size_t near_face = 0;
    for (const PieceTriangle& t : piece.triangles) {
        if (t.cap) continue;
        sample(piece.points[t.corner[0]], piece.points[t.corner[1]], piece.points[t.corner[2]], spacing,
               [&](DVec3 p) { most = piece.hull.deeper(p, most, near_face); });
        if (most > enough) return most;
    }

    // samples of the hull that no triangle is near: in a cap, or over a hollow
    DVec3 middle{};
    for (const DVec3& p : piece.outline) middle += p / static_cast<double>(piece.outline.size());
    std::size_t last = 0;
    for (const auto& t : piece.hull.triangles) {
        // corners of the hull are on the surface or inside: small triangles have no other samples
        const DVec3 a = piece.outline[t[0]], b = piece.outline[t[1]], c = piece.outline[t[2]];
        if (std::max({length(b - a), length(c - b), length(a - c)}) <= spacing) continue;
        sample(piece.outline[t[0]], piece.outline[t[1]], piece.outline[t[2]], spacing, [&](DVec3 p) {
            if (most > enough) return;
            double nearest = extent;
            const auto reach = [&](std::size_t i) {
                const PieceTriangle& s = piece.triangles[i];
                if (s.cap) return;
                nearest = std::min(nearest, distance_to_triangle(p, piece.points[s.corner[0]],
                                                                 piece.points[s.corner[1]],
                                                                 piece.points[s.corner[2]]));
            };
            if (last < piece.triangles.size()) reach(last);
            for (std::size_t i = 0; i < piece.triangles.size() && nearest > most; ++i) {
                reach(i);
                if (nearest <= most) last = i;
            }
            if (nearest <= most) return;
            // a thousandth inward, where the chain winds once or not at all
            if (!inside(piece, p + 1e-3 * (middle - p))) most = nearest;
        });
    }
    return most;
}

} // namespace scree
