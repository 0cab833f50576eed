// SPDX-License-Identifier: MIT
// map_texts.h — small maps as text.
#pragma once

#include "scree/math.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace scree::testing {

/// Three points, clockwise seen from outside.
using PlanePoints = std::array<DVec3, 3>;

inline std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

inline std::string points(const PlanePoints& plane) {
    std::string out;
    for (const DVec3& p : plane) out += "( " + number(p.x) + " " + number(p.y) + " " + number(p.z) + " ) ";
    return out;
}

/// Across `normal`, at `distance` from the origin.
inline PlanePoints plane_at(DVec3 normal, double distance) {
    const DVec3 n = normalized(normal);
    const DVec3 side = std::fabs(n.z) > 0.9 ? DVec3{1, 0, 0} : DVec3{0, 0, 1};
    const DVec3 u = normalized(cross(side, n)), v = cross(n, u), at = distance * n;
    return {at + 64.0 * u, at, at + 64.0 * v};
}

inline std::string face(const PlanePoints& plane, const std::string& end = "wall 0 0 0 1 1") {
    return points(plane) + end + "\n";
}

/// The six planes of a box; clockwise seen from outside.
inline std::vector<PlanePoints> box_planes(DVec3 low, DVec3 high) {
    const DVec3 a = low, b = high;
    return {
        {DVec3{a.x, a.y, a.z}, {a.x, a.y + 1, a.z}, {a.x, a.y, a.z + 1}},
        {DVec3{b.x, b.y, b.z}, {b.x, b.y, b.z + 1}, {b.x, b.y + 1, b.z}},
        {DVec3{a.x, a.y, a.z}, {a.x, a.y, a.z + 1}, {a.x + 1, a.y, a.z}},
        {DVec3{b.x, b.y, b.z}, {b.x + 1, b.y, b.z}, {b.x, b.y, b.z + 1}},
        {DVec3{a.x, a.y, a.z}, {a.x + 1, a.y, a.z}, {a.x, a.y + 1, a.z}},
        {DVec3{b.x, b.y, b.z}, {b.x, b.y + 1, b.z}, {b.x + 1, b.y, b.z}},
    };
}

inline std::string brush(const std::vector<PlanePoints>& planes, const std::string& end = "wall 0 0 0 1 1") {
    std::string out = "{\n";
    for (const PlanePoints& plane : planes) out += face(plane, end);
    return out + "}\n";
}

inline std::string box(DVec3 low, DVec3 high, const std::string& end = "wall 0 0 0 1 1") {
    return brush(box_planes(low, high), end);
}

inline std::string world(const std::string& solids) {
    return "{\n\"classname\" \"worldspawn\"\n" + solids + "}\n";
}

} // namespace scree::testing
