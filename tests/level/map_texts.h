// SPDX-License-Identifier: MIT
// map_texts.h — small maps as text.
#pragma once

#include "scree/math.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
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

/// Boxes, wedges and turned boxes at random, some of them overlapping.
inline std::string heap(unsigned seed, int count) {
    std::mt19937 dice(seed);
    std::uniform_int_distribution<int> place(-256, 256), size(16, 96);
    std::normal_distribution<double> normal;
    std::string out;
    for (int i = 0; i < count; ++i) {
        const DVec3 low{1.0 * place(dice), 1.0 * place(dice), 1.0 * place(dice)};
        std::vector<PlanePoints> planes =
            box_planes(low, low + DVec3{1.0 * size(dice), 1.0 * size(dice), 1.0 * size(dice)});
        if (i % 2 == 0) { // cut off a corner
            PlanePoints cut = plane_at({normal(dice), normal(dice), normal(dice)}, 10);
            for (DVec3& p : cut) p += low + DVec3{20, 20, 20};
            planes.push_back(cut);
        }
        out += brush(planes);
    }
    return out;
}

/// A scene of Solver::impact: the rooms of rooms.map beside it, with balls that fly from the first into the second.
inline std::string impacts_in_rooms(const std::string& cells) {
    return R"({"scree": 1, "kind": "rigid", "title": "balls in rooms", "steps": 1,
"world": {"solver": "impact", "gravity": [0, 0, 0]},
"shapes": [{"name": "rooms", "level": {"file": "rooms.map")" +
           cells + R"(}}, {"name": "ball", "sphere": {"radius": 0.2}}],
"bodies": [{"shape": "rooms", "type": "fixed", "position": [0, 0, 0]},
{"shape": "ball", "position": [3.4, 1, -2], "velocity": [40, 0, 0]},
{"shape": "ball", "position": [2, 1, -2], "velocity": [40, 0, 0]},
{"shape": "ball", "position": [1, 2, -1], "velocity": [4, 0, 0]},
{"shape": "ball", "position": [1.45, 2, -1]}]})";
}

/// Rooms of 128 x 128 x 128 units in rows, with walls of 16 and a door of 32 x 96 between neighbours. The first begins at 0 0 0.
inline std::string room_grid(int columns, int rows) {
    const double pitch = 144, width = pitch * columns, depth = pitch * rows;
    std::string out = box({-16, -16, -16}, {width, depth, 0}) + box({-16, -16, 128}, {width, depth, 144});
    for (int i = 0; i <= columns; ++i)
        for (int k = 0; k < rows; ++k) {
            const double x = pitch * i - 16, y = pitch * k;
            if (i == 0 || i == columns) {
                out += box({x, y, 0}, {x + 16, y + 128, 128});
                continue;
            }
            out += box({x, y, 0}, {x + 16, y + 48, 128}) + box({x, y + 80, 0}, {x + 16, y + 128, 128}) +
                   box({x, y + 48, 96}, {x + 16, y + 80, 128});
        }
    for (int k = 0; k <= rows; ++k)
        for (int i = 0; i < columns; ++i) {
            const double x = pitch * i, y = pitch * k - 16;
            const double end = i + 1 == columns ? x + 144 : x + 128, begin = i == 0 ? x - 16 : x;
            if (k == 0 || k == rows) {
                out += box({begin, y, 0}, {x + 144, y + 16, 128});
                continue;
            }
            out += box({begin, y, 0}, {x + 48, y + 16, 128}) + box({x + 80, y, 0}, {end, y + 16, 128}) +
                   box({x + 48, y, 96}, {x + 80, y + 16, 128});
            if (i > 0) out += box({x - 16, y, 0}, {x, y + 16, 128}); // where four walls meet
        }
    return out;
}

/// A room turned by 30 degrees, with a player in it, whose ceiling was written with two decimals, a hundredth higher at one corner.
inline std::string rounded_room() {
    const auto at = [](double x, double y, double z) {
        return DVec3{0.86 * x - 0.51 * z, y, 0.51 * x + 0.86 * z};
    };
    const auto turned = [&](DVec3 low, DVec3 high, double off = 0) {
        std::vector<PlanePoints> planes = box_planes(low, high);
        for (PlanePoints& plane : planes) {
            for (std::size_t k = 1; k < 3; ++k) plane[k] = plane[0] + 50.0 * (plane[k] - plane[0]);
            for (DVec3& p : plane) p = at(p.x, p.y, p.z);
        }
        planes[4][0].z += off;
        return brush(planes);
    };
    const std::string sides = turned({0, 0, -16}, {64, 64, 0}) + turned({-16, 0, 0}, {0, 64, 64}) +
                              turned({64, 0, 0}, {80, 64, 64}) + turned({0, -16, 0}, {64, 0, 64}) +
                              turned({0, 64, 0}, {64, 80, 64});
    const DVec3 middle = at(32, 32, 32);
    return world(sides + turned({0, 0, 64}, {64, 64, 80}, 0.01)) +
           "{ \"classname\" \"info_player_start\" \"origin\" \"" + number(middle.x) + " " + number(middle.y) +
           " " + number(middle.z) + "\" }\n";
}

} // namespace scree::testing
