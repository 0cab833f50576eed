// SPDX-License-Identifier: MIT
// rooms_text.h — a map of rooms with doors, of any size.
#pragma once

#include "scree/level.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace scree::bench {

/// Rooms in a square with doors between them, and in each a pillar with eight sides and a crate that is turned.
class RoomsText {
public:
    /// As many rooms in a row as give about this many brushes.
    static int side_for(std::uint64_t brushes) {
        // a room has a floor, a ceiling, two walls of three brushes, a post where walls meet, and two things in it
        return std::max(1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(brushes) / 11))));
    }
    explicit RoomsText(int side) {
        for (int i = 0; i < side; ++i)
            for (int k = 0; k < side; ++k) room(pitch * i, pitch * k, i == 0, k == 0);
        const double end = pitch * side;
        for (int i = 0; i < side; ++i) {
            box({end - 16, pitch * i - 16, 0}, {end, pitch * (i + 1), 128});
            box({pitch * i - 16, end - 16, 0}, {pitch * (i + 1) - 16, end, 128});
        }
    }
    Map map() const { return parse_map("{\n\"classname\" \"worldspawn\"\n" + text_ + "}\n", "rooms"); }

    static constexpr double pitch = 272; // units from room to room: 256 and a wall of 16

private:
    void room(double x, double y, bool first_x, bool first_y) {
        box({x - 16, y - 16, -16}, {x + 256, y + 256, 0});
        box({x - 16, y - 16, 128}, {x + 256, y + 256, 144});
        box({x - 16, y - 16, 0}, {x, y, 128});
        if (first_x) box({x - 16, y, 0}, {x, y + 256, 128});
        else {
            box({x - 16, y, 0}, {x, y + 96, 128});
            box({x - 16, y + 160, 0}, {x, y + 256, 128});
            box({x - 16, y + 96, 96}, {x, y + 160, 128});
        }
        if (first_y) box({x, y - 16, 0}, {x + 256, y, 128});
        else {
            box({x, y - 16, 0}, {x + 96, y, 128});
            box({x + 160, y - 16, 0}, {x + 256, y, 128});
            box({x + 96, y - 16, 96}, {x + 160, y, 128});
        }
        prism({x + 128, y + 128, 0}, 24, 8, 0, 128);
        std::uniform_real_distribution<double> place(40, 90), turn(0, 1.5);
        const double cx = place(dice_), cy = place(dice_), angle = turn(dice_);
        prism({x + cx, y + cy, 0}, 20, 4, angle, 32);
    }
    void face(DVec3 a, DVec3 b, DVec3 c) {
        char line[300];
        std::snprintf(line, sizeof line,
                      "( %.6f %.6f %.6f ) ( %.6f %.6f %.6f ) ( %.6f %.6f %.6f ) wall 0 0 0 1 1\n", a.x, a.y,
                      a.z, b.x, b.y, b.z, c.x, c.y, c.z);
        text_ += line;
    }
    void box(DVec3 low, DVec3 high) {
        const DVec3 a = low, b = high;
        text_ += "{\n";
        face(a, {a.x, a.y + 1, a.z}, {a.x, a.y, a.z + 1});
        face(b, {b.x, b.y, b.z + 1}, {b.x, b.y + 1, b.z});
        face(a, {a.x, a.y, a.z + 1}, {a.x + 1, a.y, a.z});
        face(b, {b.x + 1, b.y, b.z}, {b.x, b.y, b.z + 1});
        face(a, {a.x + 1, a.y, a.z}, {a.x, a.y + 1, a.z});
        face(b, {b.x, b.y + 1, b.z}, {b.x + 1, b.y, b.z});
        text_ += "}\n";
    }
    void prism(DVec3 at, double radius, int sides, double turn, double height) {
        text_ += "{\n";
        face(at, at + DVec3{1, 0, 0}, at + DVec3{0, 1, 0});
        const DVec3 top = at + DVec3{0, 0, height};
        face(top, top + DVec3{0, 1, 0}, top + DVec3{1, 0, 0});
        for (int i = 0; i < sides; ++i) {
            const double angle = turn + 6.283185307179586 * i / sides;
            const DVec3 n{std::cos(angle), std::sin(angle), 0}, along{-n.y, n.x, 0}, on = at + radius * n;
            face(on, on + DVec3{0, 0, 64}, on + 64.0 * along);
        }
        text_ += "}\n";
    }

    std::string text_;
    std::mt19937 dice_{1};
};

} // namespace scree::bench
