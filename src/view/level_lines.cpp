// SPDX-License-Identifier: MIT
// level_lines.cpp — see level_lines.h.
#include "view/level_lines.h"

#include "scree/level.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::view {
namespace {

namespace dc = debug_colours;

/// A level's lines in the world.
struct LevelDrawing {
    DebugGeometry& out;
    std::size_t most;
    Pose pose;
    float scale;

    Vec3 in_world(DVec3 at) const { return apply(pose, narrow(from_map(at, double{scale}))); }
    DVec3 to_level(DVec3 turned, double size) const {
        return {turned.x / size, -turned.z / size, turned.y / size};
    }
    void line(DVec3 from, DVec3 to, Colour colour) const {
        if (out.lines.size() >= most) out.truncated = true;
        else out.lines.push_back({in_world(from), in_world(to), colour});
    }
    void outline(const std::vector<DVec3>& corners, Colour colour) const {
        for (std::size_t k = 0; k < corners.size(); ++k)
            line(corners[k], corners[(k + 1) % corners.size()], colour);
    }
    void box(DVec3 low, DVec3 high, Colour colour) const {
        const auto corner = [&](int i) {
            return DVec3{i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
        };
        for (int i = 0; i < 8; ++i)
            for (const int axis : {1, 2, 4})
                if (!(i & axis)) line(corner(i), corner(i | axis), colour);
    }
};

LevelCamera camera_in(const LevelDrawing& level, const Eye& eye, double aspect) {
    const DQuat back = conjugate(wide(level.pose.rotation));
    const double size = double{level.scale};
    LevelCamera camera;
    camera.eye = level.to_level(rotate(back, eye.position - wide(level.pose.position)), size);
    camera.forward = level.to_level(rotate(back, eye.forward()), 1);
    camera.up = level.to_level(rotate(back, eye.up()), 1);
    camera.tan_y = std::tan(eye.fov_y / 2);
    camera.tan_x = camera.tan_y * aspect;
    return camera;
}

/// Boxes a little smaller than the cells, so that neighbours do not share edges.
void draw_cells(const LevelCells& cells, LevelVisibility& sight, const LevelDrawing& d) {
    for (std::uint32_t c = 0; c < cells.cells.size(); ++c) {
        const LevelCells::Cell& cell = cells.cells[c];
        const bool seen = sight.counters().located && !sight.windows(c).empty();
        if (cell.outside && !seen) continue;
        const DVec3 size = cell.high - cell.low, in = min(DVec3{1, 1, 1}, size / 8);
        d.box(cell.low + in, cell.high - in, seen ? number_colour(c) : dc::unseen_cell);
    }
}

/// Outlines; those that something is seen through have their diagonals too.
void draw_portals(const LevelCells& cells, LevelVisibility& sight, const LevelDrawing& d) {
    for (std::uint32_t p = 0; p < cells.portals.size(); ++p) {
        const LevelCells::Portal& portal = cells.portals[p];
        if (portal.twin < p) continue; // the same opening
        const bool seen = sight.passed(p) || sight.passed(portal.twin);
        if (!seen && (cells.cells[portal.from].outside || cells.cells[portal.to].outside)) continue;
        d.outline(portal.corners, seen ? dc::seen_portal : dc::portal);
        if (!seen) continue;
        DVec3 middle{};
        for (const DVec3& corner : portal.corners)
            middle += corner / static_cast<double>(portal.corners.size());
        for (const DVec3& corner : portal.corners) d.line(middle, corner, dc::seen_portal);
    }
}

} // namespace

LevelVisibility& LevelLines::sight_of(const AppearanceLevel& level, std::size_t place) {
    if (known_.size() <= place) known_.resize(place + 1);
    Known& known = known_[place];
    if (known.level != level.level) {
        known.sight = std::make_unique<LevelVisibility>(*level.level);
        known.level = level.level;
    }
    return *known.sight;
}

void LevelLines::add(const Frame& frame, const DebugDraw& draw, const Eye& eye, double aspect,
                     DebugGeometry& out, std::size_t most) {
    if (!draw.cells && !draw.portals) {
        known_.clear();
        return;
    }
    if (!frame.appearance) return;
    for (std::size_t k = 0; k < frame.appearance->levels.size(); ++k) {
        const AppearanceLevel& level = frame.appearance->levels[k];
        if (!level.level) continue;
        const LevelDrawing d{out, most, frame.pose(level.body), level.scale};
        const LevelCamera camera = camera_in(d, eye, aspect);
        if (!is_finite(camera.eye)) continue; // the body has left the world
        LevelVisibility& sight = sight_of(level, k);
        sight.look(camera);
        const LevelCells& cells = level.level->cells;
        if (draw.cells) {
            draw_cells(cells, sight, d);
            const std::uint32_t here = cells.cell_at(camera.eye);
            const Vec3 ahead = narrow(eye.position + eye.forward());
            out.labels.push_back({ahead, here == LevelCells::solid ? "in a wall: nothing is left out"
                                                                   : "cell " + std::to_string(here)});
        }
        if (draw.portals) draw_portals(cells, sight, d);
    }
}

} // namespace scree::view
