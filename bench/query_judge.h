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

    Judged(const std::array<DVec3, 3>& corners, std::uint32_t which) : triangle(corners), number(which) {}
    Judged(const Geometry& shape, const DPose& at) : geometry(shape), pose(at) {
        const Hull* hull = std::get_if<Hull>(&geometry);
        if (!hull) return;
        for (const auto& face : hull->faces()) {
            const DVec3 a = wide(hull->vertices()[face[0]]), b = wide(hull->vertices()[face[1]]),
                        c = wide(hull->vertices()[face[2]]);
            normals.push_back(normalized(cross(b - a, c - a)));
            offsets.push_back(dot(normals.back(), a));
        }
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
    const auto middle = [](const Judged& shape) {
        return shape.triangle
                   ? ((*shape.triangle)[0] + (*shape.triangle)[1] + (*shape.triangle)[2]) * (1.0 / 3)
                   : shape.pose.position;
    };
    DVec3 best = normalized(middle(b) - middle(a));
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

/// The distance from above, to a share of it: the nearest point of a - b to the origin by the pairwise Frank-Wolfe method
/// (Lacoste-Julien and Jaggi 2015), which moves weight from the farthest of the points in use to the nearest there is.
inline double distance(const Judged& a, const Judged& b, DVec3* from_b = nullptr) {
    if (!b.triangle && std::holds_alternative<Plane>(b.geometry))
        return std::max(0.0, rough_separation(a, b));
    std::vector<DVec3> points;
    std::vector<double> weight;
    points.push_back(a.support({1, 0, 0}) - b.support({-1, 0, 0}));
    weight.push_back(1);
    DVec3 v = points[0];
    for (int round = 0; round < 300; ++round) {
        const DVec3 s = a.support(-v) - b.support(v);
        const double square = dot(v, v), gap = square - dot(v, s);
        if (gap <= 1e-13 + 1e-9 * square || square < 1e-16) break;
        std::size_t away = 0, toward = points.size();
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (dot(points[k], v) > dot(points[away], v)) away = k;
            if (points[k] == s) toward = k;
        }
        const DVec3 step = s - points[away];
        const double share = std::clamp(-dot(v, step) / dot(step, step), 0.0, weight[away]);
        if (!(share > 0)) break;
        if (toward == points.size()) points.push_back(s), weight.push_back(0);
        weight[toward] += share;
        weight[away] -= share;
        if (weight[away] <= 0) {
            points[away] = points.back(), points.pop_back();
            weight[away] = weight.back(), weight.pop_back();
        }
        v = {};
        for (std::size_t k = 0; k < points.size(); ++k) v += points[k] * weight[k];
    }
    if (from_b) *from_b = v;
    return length(v);
}

/// Whether a direction is found in which two are apart, or nearly.
inline bool seem_apart(const Judged& a, const Judged& b, double slack) {
    if (rough_separation(a, b) > -slack) return true;
    if (!b.triangle && std::holds_alternative<Plane>(b.geometry)) return false;
    DVec3 from_b{};
    distance(a, b, &from_b);
    return length(from_b) > 0 && along(a, b, -normalized(from_b)) > -slack;
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
