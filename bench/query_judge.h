// SPDX-License-Identifier: MIT
// query_judge.h — rays, distances and casts by brute force in double precision: from the definitions of the shapes, without
// the engine's rays, trees or GJK.
#pragma once

#include "scree/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace scree::bench {

/// The point of a triangle nearest to another: the plane's, where that lies inside, or the nearest of the sides'.
inline DVec3 nearest_in(const std::array<DVec3, 3>& t, const DVec3& p) {
    const DVec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const DVec3 foot = p - n * (dot(n, p - t[0]) / dot(n, n));
    DVec3 best{};
    double least = 1e300;
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3 a = t[k], side = t[(k + 1) % 3] - a;
        inside = inside && dot(cross(side, foot - a), n) >= 0;
        const DVec3 q = a + side * std::clamp(dot(p - a, side) / dot(side, side), 0.0, 1.0);
        if (length(q - p) < least) least = length(q - p), best = q;
    }
    return inside ? foot : best;
}

/// A convex shape in the world, or a triangle of a mesh.
struct Judged {
    Geometry geometry;
    DPose pose;
    std::optional<std::array<DVec3, 3>> triangle = {}; ///< corners in the world
    std::uint32_t number = 0;                          ///< of the triangle
    std::vector<DVec3> normals = {};                   ///< of a hull's faces
    std::vector<double> offsets = {};
    DVec3 way{};          ///< that it is swept along: its support is that of the whole sweep
    DVec3 middle{};       ///< of the shape at the beginning
    double reach = 1e300; ///< no point of it is farther from there

    Judged(const std::array<DVec3, 3>& corners, std::uint32_t which) : triangle(corners), number(which) {
        middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3);
        reach = 0;
        for (const DVec3& corner : corners) reach = std::max(reach, length(corner - middle));
    }
    Judged(const Geometry& shape, const DPose& at) : geometry(shape), pose(at), middle(at.position) {
        if (const auto* s = std::get_if<Sphere>(&geometry)) reach = s->radius;
        if (const auto* c = std::get_if<Capsule>(&geometry)) reach = double{c->half_height} + c->radius;
        if (const auto* b = std::get_if<Box>(&geometry)) reach = length(DVec3{b->x, b->y, b->z});
        if (const auto* c = std::get_if<Cylinder>(&geometry)) reach = std::hypot(c->half_height, c->radius);
        if (const auto* c = std::get_if<Cone>(&geometry)) reach = std::hypot(c->half_height, c->radius);
        const Hull* hull = std::get_if<Hull>(&geometry);
        if (!hull) return;
        reach = 0;
        for (const Vec3& v : hull->vertices()) reach = std::max(reach, length(wide(v)));
        for (const auto& face : hull->faces()) {
            const DVec3 a = wide(hull->vertices()[face[0]]), b = wide(hull->vertices()[face[1]]),
                        c = wide(hull->vertices()[face[2]]);
            normals.push_back(normalized(cross(b - a, c - a)));
            offsets.push_back(dot(normals.back(), a));
        }
    }

    /// The same elsewhere, not swept.
    Judged moved(const DVec3& by) const {
        Judged other = *this;
        other.pose.position += by;
        other.middle += by;
        other.way = {};
        return other;
    }
    /// Along a way, from where it is.
    Judged swept(const DVec3& along) const {
        Judged other = *this;
        other.way = along;
        return other;
    }

    /// The normal of a triangle.
    DVec3 up() const {
        return normalized(cross((*triangle)[1] - (*triangle)[0], (*triangle)[2] - (*triangle)[0]));
    }
    /// A convex function, negative inside.
    double level(const DVec3& world) const {
        if (triangle) return length(nearest_in(*triangle, world) - world);
        const DVec3 p = apply_inverse(pose, world);
        const double round = std::hypot(p.x, p.z);
        if (const auto* s = std::get_if<Sphere>(&geometry)) return length(p) - double{s->radius};
        if (const auto* c = std::get_if<Capsule>(&geometry)) {
            const double h = c->half_height;
            return length(p - DVec3{0, std::clamp(p.y, -h, h), 0}) - double{c->radius};
        }
        if (const auto* b = std::get_if<Box>(&geometry))
            return std::max(
                {std::abs(p.x) - double{b->x}, std::abs(p.y) - double{b->y}, std::abs(p.z) - double{b->z}});
        if (const auto* c = std::get_if<Cylinder>(&geometry))
            return std::max(round - double{c->radius}, std::abs(p.y) - double{c->half_height});
        if (const auto* c = std::get_if<Cone>(&geometry)) {
            const double h = c->half_height, r = c->radius;
            return std::max(-h - p.y, (2 * h * round + r * (p.y - h)) / std::hypot(2 * h, r));
        }
        if (std::holds_alternative<Plane>(geometry)) return p.y;
        double most = -1e30;
        for (std::size_t f = 0; f < normals.size(); ++f)
            most = std::max(most, dot(normals[f], p) - offsets[f]);
        return most;
    }

    /// The farthest in a direction of the world; planes have none.
    DVec3 support(const DVec3& direction) const {
        const DVec3 own = own_support(direction);
        return dot(way, direction) > 0 ? own + way : own;
    }

private:
    DVec3 own_support(const DVec3& direction) const {
        if (triangle) {
            DVec3 best = (*triangle)[0];
            for (const DVec3& corner : *triangle)
                if (dot(corner, direction) > dot(best, direction)) best = corner;
            return best;
        }
        const DVec3 d = rotate(conjugate(pose.rotation), direction);
        const double round = std::hypot(d.x, d.z), x = round > 0 ? d.x / round : 1,
                     z = round > 0 ? d.z / round : 0;
        DVec3 p{};
        if (const auto* s = std::get_if<Sphere>(&geometry)) p = normalized(d) * double{s->radius};
        if (const auto* c = std::get_if<Capsule>(&geometry))
            p = normalized(d) * double{c->radius} + DVec3{0, std::copysign(double{c->half_height}, d.y), 0};
        if (const auto* b = std::get_if<Box>(&geometry))
            p = {std::copysign(double{b->x}, d.x), std::copysign(double{b->y}, d.y),
                 std::copysign(double{b->z}, d.z)};
        if (const auto* c = std::get_if<Cylinder>(&geometry))
            p = {x * c->radius, std::copysign(double{c->half_height}, d.y), z * c->radius};
        if (const auto* c = std::get_if<Cone>(&geometry)) {
            const DVec3 rim{x * c->radius, -double{c->half_height}, z * c->radius},
                tip{0, double{c->half_height}, 0};
            p = dot(rim, d) > dot(tip, d) ? rim : tip;
        }
        if (const auto* hull = std::get_if<Hull>(&geometry)) {
            double most = -1e30;
            for (const Vec3& v : hull->vertices())
                if (dot(wide(v), d) > most) most = dot(wide(v), d), p = wide(v);
        }
        return apply(pose, p);
    }
};

/// How far b begins beyond the end of a in a direction: if that is positive, they are apart.
inline double along(const Judged& a, const Judged& b, const DVec3& n) {
    return dot(b.support(-n) - a.support(n), n);
}

/// Roughly: how far b begins beyond the end of a along the best of all directions, the distance or minus the depth.
inline double rough_separation(const Judged& a, const Judged& b, DVec3* direction = nullptr) {
    if (!b.triangle && std::holds_alternative<Plane>(b.geometry)) {
        const DVec3 up = rotate(b.pose.rotation, DVec3{0, 1, 0});
        if (direction) *direction = -up;
        return dot(a.support(-up) - b.pose.position, up);
    }
    const auto along = [&](const DVec3& n) { return bench::along(a, b, n); };
    DVec3 best = normalized(b.middle - a.middle);
    if (best == DVec3{}) best = {0, 1, 0};
    double most = along(best);
    for (int i = 0; i < 100; ++i) {
        const double y = 1 - (2 * i + 1.0) / 100, r = std::sqrt(1 - y * y), angle = i * 2.399963229728653;
        const DVec3 n{r * std::cos(angle), y, r * std::sin(angle)};
        if (along(n) > most) most = along(n), best = n;
    }
    // uphill in ever other directions, by ever smaller steps: along ridges few of them lead up
    double turn = 0;
    int failed = 0;
    for (double step = 0.2; step > 1e-7;) {
        const DVec3 u = normalized(cross(best, std::abs(best.x) < 0.6 ? DVec3{1, 0, 0} : DVec3{0, 1, 0})),
                    v = cross(best, u);
        DVec3 better = best;
        for (int k = 0; k < 6; ++k) {
            const double angle = k * 1.0471975511965976 + turn;
            const DVec3 n = normalized(best + (u * std::cos(angle) + v * std::sin(angle)) * step);
            if (const double value = along(n); value > most) most = value, better = n;
        }
        turn += 2.399963229728653;
        failed = better == best ? failed + 1 : 0;
        if (failed == 6) step *= 0.5, failed = 0;
        best = better;
    }
    if (direction) *direction = best;
    return most;
}

/// Of up to four points: the weights of the point of their hull nearest to the origin, by looking at every subset.
inline DVec3 nearest_of(const std::vector<DVec3>& p, std::array<double, 4>& weight) {
    DVec3 best{};
    double least = 1e300;
    for (unsigned chosen = 1; chosen < 1u << p.size(); ++chosen) {
        std::array<std::size_t, 4> of{};
        std::size_t n = 0;
        for (std::size_t k = 0; k < p.size(); ++k)
            if (chosen >> k & 1) of[n++] = k;
        // the nearest point p0 + sum of x_i (p_i - p0) of the plane through them: Gram's system, by Gauss
        double m[3][4] = {};
        for (std::size_t i = 1; i < n; ++i) {
            for (std::size_t j = 1; j < n; ++j)
                m[i - 1][j - 1] = dot(p[of[i]] - p[of[0]], p[of[j]] - p[of[0]]);
            m[i - 1][3] = -dot(p[of[i]] - p[of[0]], p[of[0]]);
        }
        bool flat = false;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            std::size_t pivot = i;
            for (std::size_t r = i; r + 1 < n; ++r)
                if (std::abs(m[r][i]) > std::abs(m[pivot][i])) pivot = r;
            std::swap(m[i], m[pivot]);
            if (!(std::abs(m[i][i]) > 1e-30)) flat = true;
            for (std::size_t r = 0; r + 1 < n; ++r) {
                if (r == i || flat) continue;
                const double by = m[r][i] / m[i][i];
                for (std::size_t c = 0; c < 4; ++c) m[r][c] -= by * m[i][c];
            }
        }
        if (flat) continue;
        std::array<double, 4> share{};
        double first = 1;
        bool inside = true;
        for (std::size_t i = 1; i < n; ++i) {
            const double x = m[i - 1][3] / m[i - 1][i - 1];
            share[of[i]] = x;
            first -= x;
            inside = inside && x >= 0;
        }
        share[of[0]] = first;
        if (!inside || first < 0) continue;
        DVec3 at{};
        for (std::size_t k = 0; k < p.size(); ++k) at += p[k] * share[k];
        if (dot(at, at) < least) least = dot(at, at), best = at, weight = share;
    }
    return best;
}

/// The distance from above: the nearest point of a - b to the origin (Gilbert, Johnson and Keerthi 1988, with nearest_of as its
/// simplex solver). What it finds is proven by `along`, or is a point of a - b.
inline double distance(const Judged& a, const Judged& b, DVec3* from_b = nullptr) {
    if (!b.triangle && std::holds_alternative<Plane>(b.geometry))
        return std::max(0.0, rough_separation(a, b));
    std::vector<DVec3> points{a.support({1, 0, 0}) - b.support({-1, 0, 0})};
    DVec3 v = points[0];
    for (int round = 0; round < 200; ++round) {
        const DVec3 s = a.support(-v) - b.support(v);
        const double square = dot(v, v), gap = square - dot(v, s);
        if (gap <= 1e-12 * square || square < 1e-18 ||
            std::find(points.begin(), points.end(), s) != points.end())
            break;
        points.push_back(s);
        std::array<double, 4> weight{};
        const DVec3 next = nearest_of(points, weight);
        if (!(dot(next, next) < square)) break;
        v = next;
        std::vector<DVec3> kept;
        for (std::size_t k = 0; k < points.size(); ++k)
            if (weight[k] > 0) kept.push_back(points[k]);
        if (kept.size() == 4) break; // the origin is inside
        points = kept;
    }
    if (from_b) *from_b = v;
    return length(v);
}

/// How far a point is from the line that a shape's middle is swept along.
inline double distance_of(const DVec3& from, const DVec3& way, const DVec3& p) {
    const double square = dot(way, way), share = square > 0 ? dot(p - from, way) / square : 0;
    return length(p - (from + way * std::clamp(share, 0.0, 1.0)));
}

/// Whether the spheres around two are apart.
inline bool far_apart(const Judged& a, const Judged& b, double slack = 0) {
    return distance_of(a.middle, a.way, b.middle) > a.reach + b.reach + slack;
}

/// Whether a direction is found in which two are apart, or nearly: a proof, as all of both lie on its two sides. The cheap guesses
/// come first.
inline bool seem_apart(const Judged& a, const Judged& b, double slack) {
    const bool plane = !b.triangle && std::holds_alternative<Plane>(b.geometry);
    if (plane) return rough_separation(a, b) > -slack;
    if (far_apart(a, b)) return true;
    if (b.triangle)
        for (const DVec3& up : {b.up(), -b.up()})
            if (along(a, b, up) > -slack) return true;
    DVec3 from_b{};
    distance(a, b, &from_b);
    if (length(from_b) > 0 && along(a, b, -normalized(from_b)) > -slack) return true;
    return rough_separation(a, b) > -slack;
}

/// The same for a swept shape: the nearest points of both are those at one of its ends, or lie across the way.
inline bool sweep_seems_apart(const Judged& swept, const Judged& b, double slack) {
    if (!b.triangle && std::holds_alternative<Plane>(b.geometry)) return rough_separation(swept, b) > -slack;
    if (far_apart(swept, b)) return true;
    if (b.triangle)
        for (const DVec3& up : {b.up(), -b.up()})
            if (along(swept, b, up) > -slack) return true;
    // across the way: from one direction to the best of those around it, by ever smaller steps
    const DVec3 way = normalized(swept.way),
                u = normalized(cross(way, std::abs(way.x) < 0.6 ? DVec3{1, 0, 0} : DVec3{0, 1, 0})),
                v = cross(way, u);
    const auto across = [&](double angle) {
        return along(swept, b, u * std::cos(angle) + v * std::sin(angle));
    };
    const DVec3 between = b.middle - swept.middle;
    double best = std::atan2(dot(between, v), dot(between, u)), most = across(best);
    for (double step = 0.4; step > 1e-8 && most <= -slack; step *= 0.5)
        for (bool better = true; better && most <= -slack;) {
            better = false;
            for (const double angle : {best - step, best + step})
                if (const double value = across(angle); value > most)
                    most = value, best = angle, better = true;
        }
    if (most > -slack) return true;
    for (const DVec3& to : {DVec3{}, swept.way}) {
        DVec3 from_b{};
        distance(swept.moved(to), b, &from_b);
        if (length(from_b) > 0 && along(swept, b, -normalized(from_b)) > -slack) return true;
    }
    return seem_apart(swept, b, slack);
}

/// Whether two have a point in common, or nearly. `distance` proves it, as a point of each is so near; where it converges too
/// slowly, no direction parts them.
inline bool seem_touching(const Judged& a, const Judged& b, double slack) {
    return distance(a, b) < slack || rough_separation(a, b) < slack;
}

/// The least of a convex function over 0 … 1, and where.
template <class Function>
std::pair<double, double> least_over_line(const Function& f, int rounds) {
    double low = 0, high = 1;
    for (int k = 0; k < rounds; ++k) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    const double at = (low + high) / 2;
    return {at, std::min({f(at), f(0), f(1)})};
}

/// Where a line meets a triangle, as a share of the way.
inline std::optional<double> meets(const std::array<DVec3, 3>& t, const DVec3& from, const DVec3& way) {
    const DVec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double share = dot(n, t[0] - from) / dot(n, way);
    if (!(share >= 0 && share <= 1)) return {};
    const DVec3 p = from + way * share;
    for (std::size_t k = 0; k < 3; ++k)
        if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n) < 0) return {};
    return share;
}

/// Where a line from a point first enters, as a share of the way; how near a miss is to a hit.
struct Entry {
    std::optional<double> share;
    double least = 0; ///< of the level along the line
};
inline Entry entry(const Judged& shape, const DVec3& from, const DVec3& way) {
    const auto f = [&](double t) { return shape.level(from + way * t); };
    auto [at, least] = least_over_line(f, 60);
    if (f(0) <= 0) return {0.0, least};
    if (f(1) < f(at)) at = 1;
    if (f(at) > 0) return {{}, least};
    double low = 0, high = at;
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2;
        (f(middle) > 0 ? low : high) = middle;
    }
    return {high, least};
}

} // namespace scree::bench
