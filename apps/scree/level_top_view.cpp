// SPDX-License-Identifier: MIT
// level_top_view.cpp — see level_top_view.h.
#include "level_top_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

namespace scree {
namespace {

constexpr double width = 1000; // of the picture

class Drawing {
public:
    explicit Drawing(const LevelCells& cells) {
        bool first = true;
        for (const LevelCells::Cell& cell : cells.cells) {
            if (cell.outside) continue;
            low_ = first ? cell.low : min(low_, cell.low);
            high_ = first ? cell.high : max(high_, cell.high);
            first = false;
        }
        if (first) high_ = {1, 1, 1};
        low_ -= DVec3{16, 16, 0};
        high_ += DVec3{16, 16, 0};
        scale_ = width / std::max(high_.x - low_.x, high_.y - low_.y);
        char head[200];
        std::snprintf(head, sizeof head,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
                      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                      scale_ * (high_.x - low_.x), scale_ * (high_.y - low_.y));
        text_ = head;
    }
    void line(DVec3 a, DVec3 b, const char* colour, double thick) {
        char text[200];
        std::snprintf(
            text, sizeof text,
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x(a), y(a), x(b), y(b), colour, thick);
        text_ += text;
    }
    void box(DVec3 low, DVec3 high, const char* colour) {
        char text[200];
        std::snprintf(text, sizeof text,
                      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                      "fill-opacity=\"0.35\"/>\n",
                      x(low), y(high), x(high) - x(low), y(low) - y(high), colour);
        text_ += text;
    }
    void dot_at(DVec3 at) {
        char text[120];
        std::snprintf(text, sizeof text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"red\"/>\n", x(at),
                      y(at));
        text_ += text;
    }
    std::string finished() const { return text_ + "</svg>\n"; }
    double reach() const { return std::max(high_.x - low_.x, high_.y - low_.y); }

private:
    double x(DVec3 at) const { return scale_ * (at.x - low_.x); }
    double y(DVec3 at) const { return scale_ * (high_.y - at.y); }
    DVec3 low_{}, high_{};
    double scale_ = 1;
    std::string text_;
};

void draw_face(Drawing& out, const LevelBrush& brush, const LevelFace& face, const char* colour,
               double thick) {
    if (std::fabs(face.normal.z) > 0.7) return; // floors and ceilings hide the plan
    for (std::size_t k = 0; k < face.corners.size(); ++k)
        out.line(brush.vertices[face.corners[k]], brush.vertices[face.corners[(k + 1) % face.corners.size()]],
                 colour, thick);
}

} // namespace

std::string top_view_svg(const CompiledLevel& level, const LevelCamera& camera) {
    LevelVisibility sight(level);
    sight.look(camera);
    Drawing out(level.cells);
    for (const std::uint32_t c : sight.cells())
        if (!level.cells.cells[c].outside)
            out.box(level.cells.cells[c].low, level.cells.cells[c].high, "#ffd27f");
    for (const LevelCells::Cell& cell : level.cells.cells)
        for (const LevelCells::Face& face : cell.faces)
            if (!cell.outside)
                draw_face(out, level.level.brushes[face.brush],
                          level.level.brushes[face.brush].faces[face.face], "#c0c0c0", 1);
    for (const LevelCells::Face& face : sight.faces())
        draw_face(out, level.level.brushes[face.brush], level.level.brushes[face.brush].faces[face.face],
                  "#202020", 2);
    for (std::uint32_t p = 0; p < level.cells.portals.size(); ++p) {
        const LevelCells::Portal& portal = level.cells.portals[p];
        if (portal.twin < p || level.cells.cells[portal.from].outside) continue;
        const bool seen = sight.passed(p) || sight.passed(portal.twin);
        for (std::size_t k = 0; k < portal.corners.size(); ++k)
            out.line(portal.corners[k], portal.corners[(k + 1) % portal.corners.size()],
                     seen ? "#10a030" : "#b0d8b8", seen ? 2 : 0.7);
    }
    // the sides of the windows, as rays on the ground
    const DVec3 forward = normalized(camera.forward), right = normalized(cross(forward, camera.up));
    std::set<std::pair<double, double>> drawn;
    for (const std::uint32_t c : sight.cells())
        for (const LevelWindow& window : sight.windows(c)) {
            if (!drawn.emplace(window.left, window.right).second) continue;
            for (const double side : {window.left, window.right})
                out.line(camera.eye, camera.eye + out.reach() * normalized(forward + side * right), "#e06060",
                         0.5);
        }
    out.dot_at(camera.eye);
    return out.finished();
}

} // namespace scree
