// SPDX-License-Identifier: MIT
// debug_lines.h — debug drawing over a frame: lines, points and labels for contacts, joints, bounds and others.
#pragma once

#include "view/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::view {

/// 0xAABBGGRR, as in the renderer and Dear ImGui.
using Colour = std::uint32_t;
constexpr Colour rgb(unsigned r, unsigned g, unsigned b) { return 0xff000000u | b << 16 | g << 8 | r; }

namespace debug_colours {
constexpr Colour bounds = rgb(110, 130, 160), sleeping_bounds = rgb(80, 84, 92), contact = rgb(255, 210, 70),
                 speculative = rgb(120, 160, 255), normal = rgb(250, 250, 250), force = rgb(255, 120, 60),
                 joint = rgb(90, 220, 140), axis = rgb(60, 180, 255), centre = rgb(250, 80, 160),
                 velocity = rgb(80, 200, 255), spin = rgb(200, 120, 255), hold = rgb(255, 170, 40),
                 leak = rgb(255, 40, 40), unseen_cell = rgb(96, 100, 112), portal = rgb(150, 90, 70),
                 seen_portal = rgb(70, 240, 130), way = rgb(90, 170, 230), way_end = rgb(200, 225, 250),
                 measured_pair = rgb(255, 140, 40), touching_pair = rgb(255, 60, 60),
                 looked_at_pair = rgb(150, 120, 190);
}

struct DebugDraw {
    bool bounds = false, contacts = false, normals = false, forces = false, features = false, joints = false,
         centres = false, velocities = false, names = false, graph_colours = false, tree = false;
    bool detector = false;               ///< of impacts: cells that bodies may enter, their ways, pairs
    bool cells = false, portals = false; ///< of levels, by LevelLines
    bool leaks = true;                   ///< ways out of levels; closed ones have none
    bool sleep = false, islands = false; ///< colours of bodies, not lines
    bool needs_contacts() const {
        return contacts || normals || forces || features || islands || graph_colours;
    }
};

struct DebugLine {
    Vec3 from, to;
    Colour colour;
};
struct DebugPoint {
    Vec3 at;
    Colour colour;
};
struct DebugLabel {
    Vec3 at;
    std::string text;
    std::optional<std::uint32_t> body{}; ///< whose name it is
};
struct DebugGeometry {
    std::vector<DebugLine> lines;
    std::vector<DebugPoint> points;
    std::vector<DebugLabel> labels;
    bool truncated = false; ///< the limit was reached
};

/// At most `most` lines, points and labels each, so that huge scenes stay usable.
DebugGeometry debug_geometry(const Frame& frame, const DebugDraw& draw, std::size_t most = 200'000);

/// The island of each body: moving bodies connected by contacts and joints. Islands are numbered from 0 in the order of their
/// first bodies; a body without a moving neighbour gets its own, a body that does not move none.
constexpr std::uint32_t no_island = 0xffffffffu;
std::vector<std::uint32_t> islands(const Frame& frame);

/// Colours of bodies for sleep or islands; empty when neither is drawn.
std::vector<Colour> body_colours(const Frame& frame, const DebugDraw& draw);
/// A colour for any number; near numbers get different colours.
Colour number_colour(std::uint32_t number);

} // namespace scree::view
