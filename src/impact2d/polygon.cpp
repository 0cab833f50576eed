// SPDX-License-Identifier: MIT
// polygon.cpp — shapes and masses of polygons of a StagedImpactWorld.
#include "scree/error.h"
#include "scree/staged_impact.h"
#include "text/checks.h"

#include <cmath>

namespace scree {

std::vector<Vec2> regular_polygon(int vertices, float radius) {
    check_within(vertices, 3, 1024, "vertices", "3 to 1024");
    check_positive(radius, "radius");
    std::vector<Vec2> all;
    all.reserve(static_cast<std::size_t>(vertices));
    constexpr double turn = 2 * 3.14159265358979323846;
    for (int k = 0; k < vertices; ++k)
        all.push_back({static_cast<float>(radius * std::cos(turn * k / vertices)),
                       static_cast<float>(radius * std::sin(turn * k / vertices))});
    return all;
}

namespace {

/// Calls `part(cross, a, b)` for the triangles of the origin and each edge.
template <class Part>
void each_triangle(std::span<const Vec2> v, Part part) {
    for (std::size_t k = 0; k < v.size(); ++k) {
        const Vec2 a = v[k], b = v[(k + 1) % v.size()];
        part(static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y, a, b);
    }
}

double doubled_area(std::span<const Vec2> v) {
    double area = 0;
    each_triangle(v, [&](double cross, Vec2, Vec2) { area += cross; });
    if (!(std::abs(area) > 0)) throw Error("the area is 0", "vertices");
    return area;
}

} // namespace

std::vector<Vec2> centred_polygon(std::span<const Vec2> vertices) {
    const double area = doubled_area(vertices);
    double x = 0, y = 0;
    each_triangle(vertices, [&](double cross, Vec2 a, Vec2 b) {
        x += cross * (static_cast<double>(a.x) + b.x) / (3 * area);
        y += cross * (static_cast<double>(a.y) + b.y) / (3 * area);
    });
    std::vector<Vec2> shifted;
    shifted.reserve(vertices.size());
    for (const Vec2 v : vertices)
        shifted.push_back({static_cast<float>(v.x - x), static_cast<float>(v.y - y)});
    return shifted;
}

double polygon_inertia(std::span<const Vec2> vertices, double mass) {
    const double area = doubled_area(vertices);
    double sum = 0;
    each_triangle(vertices, [&](double cross, Vec2 a, Vec2 b) {
        const double ax = a.x, ay = a.y, bx = b.x, by = b.y;
        sum += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by);
    });
    return mass * sum / (6 * area);
}

} // namespace scree
