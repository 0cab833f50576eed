// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h.
#include "impact2d/checks.h"

#include "text/checks.h"

#include <cmath>

namespace scree::impact2d {
namespace {

constexpr double far = 1e6;

void check_each(const Vec2& v, const std::string& where) {
    check_within(v.x, -far, far, where + ".x", "-1e6 to 1e6");
    check_within(v.y, -far, far, where + ".y", "-1e6 to 1e6");
}

void check_mass(float mass, bool moves, const std::string& where) {
    if (mass != INFINITY) check_within(mass, 1e-6, 1e6, where + ".mass", "1e-6 to 1e6, or infinity");
    else if (moves) refuse(mass, where + ".mass", "a finite mass of a body that moves");
}

/// The one that is used; beyond, single precision does not hold its inverse and what impulses make of it.
void check_inertia(const StagedPolygon& p, const std::string& where) {
    constexpr float least = 1e-24f, most = 1e19f;
    if (p.inertia != 0)
        check_within(p.inertia, least, most, where + ".inertia", "0 (homogeneous), or 1e-24 to 1e19");
    else if (std::isfinite(p.mass))
        check_within(static_cast<float>(polygon_inertia(p.vertices, p.mass)), least, most,
                     where + ".vertices", "a moment of inertia of 1e-24 to 1e19 of the body");
}

Vec2 moves(const Vec2& v) { return {v.x != 0 ? 1.0f : 0.0f, v.y != 0 ? 1.0f : 0.0f}; }

} // namespace

StagedCircle under_way(StagedCircle circle) {
    circle.velocity = moves(circle.velocity);
    return circle;
}

StagedPolygon under_way(StagedPolygon polygon) {
    polygon.position = {};
    polygon.angle = 0;
    polygon.velocity = moves(polygon.velocity);
    polygon.angular_velocity = polygon.angular_velocity != 0 ? 1.0f : 0.0f;
    return polygon;
}

void check(const StagedImpactSettings& s) {
    check_within(s.tolerance, 1e-6f, 0.1f, "tolerance", "1e-6 to 0.1");
    check_within(s.restitution, 0, 1, "restitution", "0 to 1");
    check_within(s.limit, 1e-3, far, "limit", "0.001 to 1e6");
    check_within(s.max_passes, 1, 1'000'000, "max_passes", "1 to 1000000");
    check_one_of(s.response, StagedResponse::summed, "response", "together or summed");
    check_one_of(s.overlap, StagedOverlap::one_way, "overlap", "axes, vertices or one_way");
    check_one_of(s.bisection, StagedBisection::printed, "bisection", "passes, one_pass or printed");
}

void check(const StagedCircle& c, const StagedImpactSettings& s, const std::string& where) {
    check_each(c.position, where + ".position");
    check_each(c.velocity, where + ".velocity");
    check_within(c.radius, 2 * s.tolerance, far, where + ".radius", "twice the tolerance to 1e6");
    check_mass(c.mass, c.velocity.x != 0 || c.velocity.y != 0, where);
    const double most = s.centre_walls ? s.limit : s.limit - c.radius;
    const double slack = 1e-5 * s.limit; // the rounding of a circle that touches the wall
    check_within(c.position.x, -most - slack, most + slack, where + ".position.x", "a place in the room");
    check_within(c.position.y, -most - slack, most + slack, where + ".position.y", "a place in the room");
}

void check(const StagedPolygon& p, const std::string& where) {
    check_each(p.position, where + ".position");
    check_each(p.velocity, where + ".velocity");
    check_within(p.angle, -4096, 4096, where + ".angle", "-4096 to 4096 rad");
    check_within(p.angular_velocity, -1000, 1000, where + ".angular_velocity", "-1000 to 1000 rad a step");
    check_mass(p.mass, p.velocity.x != 0 || p.velocity.y != 0 || p.angular_velocity != 0, where);
    const std::size_t count = p.vertices.size();
    check_within(static_cast<double>(count), 3, 1024, where + ".vertices", "3 to 1024 vertices");
    double area = 0, x = 0, y = 0, size = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string at = where + ".vertices[" + std::to_string(k) + "]";
        check_each(p.vertices[k], at);
        const Vec2 a = p.vertices[k], b = p.vertices[(k + 1) % count], c = p.vertices[(k + 2) % count];
        const double turn = (static_cast<double>(b.x) - a.x) * (static_cast<double>(c.y) - b.y) -
                            (static_cast<double>(b.y) - a.y) * (static_cast<double>(c.x) - b.x);
        if (!(turn > 0))
            refuse(turn, where + ".vertices[" + std::to_string((k + 1) % count) + "]",
                   "a left turn of a convex polygon, counter-clockwise");
        const double cross = static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
        area += cross / 2;
        x += cross * (static_cast<double>(a.x) + b.x) / 6;
        y += cross * (static_cast<double>(a.y) + b.y) / 6;
        size = std::max(size, std::hypot(static_cast<double>(a.x), static_cast<double>(a.y)));
        if (k > 0 && k + 1 < count) { // a star turns left at every corner, but more than once
            const Vec2 o = p.vertices[0];
            const double fan = (static_cast<double>(a.x) - o.x) * (static_cast<double>(b.y) - o.y) -
                               (static_cast<double>(a.y) - o.y) * (static_cast<double>(b.x) - o.x);
            if (!(fan > 0)) refuse(fan, at, "a convex polygon that goes round once");
        }
    }
    const double off = std::hypot(x / area, y / area);
    if (off > 1e-4 * size)
        refuse(off, where + ".vertices", "the centre of mass at the origin (see centred_polygon)");
    check_inertia(p, where);
}

void check_all(std::span<const StagedCircle> circles, const StagedImpactSettings& settings) {
    for (std::size_t k = 0; k < circles.size(); ++k)
        check(circles[k], settings, "circles[" + std::to_string(k) + "]");
}

void check_all(std::span<const StagedPolygon> polygons) {
    for (std::size_t k = 0; k < polygons.size(); ++k)
        check(polygons[k], "polygons[" + std::to_string(k) + "]");
}

} // namespace scree::impact2d
