// SPDX-License-Identifier: MIT
// visibility.cpp — recursive portals (Luebke and Georges 1995) with windows of the picture.
//
// A cell keeps a few windows. It is visited again only for a window that none of them contains, so that the walk ends though cells
// need not be convex and a way may come back to a cell. A straight ray crosses a portal's plane once, from the side of the
// cell that it leaves; so portals that look away from the eye are never passed.
//
// A wall whose face is not drawn (caulk, or the sky's outside) hides nothing: what is behind it is seen through the face, in
// whatever cell. So such a face is an opening that leads to all cells.
#include "scree/level_visibility.h"

#include "level/material_name.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t most_windows = 8; // of a cell

LevelWindow common(const LevelWindow& a, const LevelWindow& b) {
    return {std::max(a.left, b.left), std::min(a.right, b.right), std::max(a.bottom, b.bottom),
            std::min(a.top, b.top)};
}

LevelWindow around(const LevelWindow& a, const LevelWindow& b) {
    return {std::min(a.left, b.left), std::max(a.right, b.right), std::min(a.bottom, b.bottom),
            std::max(a.top, b.top)};
}

} // namespace

LevelVisibility::LevelVisibility(const CompiledLevel& level) : level_(level) {
    const LevelCells& cells = level.cells;
    std::uint32_t faces = 0;
    for (const LevelBrush& brush : level.level.brushes) {
        first_face_.push_back(faces);
        faces += static_cast<std::uint32_t>(brush.faces.size());
    }
    const auto refused = [](bool fits) {
        if (!fits)
            throw Error("an index is beyond its list: expected cells of this level", "LevelVisibility");
    };
    for (const LevelCells::Cell& cell : cells.cells) {
        for (const std::uint32_t p : cell.portals)
            refused(p < cells.portals.size() && cells.portals[p].to < cells.cells.size());
        for (const LevelCells::Face& face : cell.faces)
            refused(face.brush < level.level.brushes.size() &&
                    face.face < level.level.brushes[face.brush].faces.size());
        for (const std::uint32_t p : cell.patches) refused(p < level.level.patches.size());
    }
    for (const LevelCells::Cell& cell : cells.cells) {
        const bool first = &cell == &cells.cells[0];
        low_ = first ? cell.low : min(low_, cell.low);
        high_ = first ? cell.high : max(high_, cell.high);
    }
    windows_.resize(cells.cells.size() + 1);
    face_stamps_.assign(faces, 0);
    find_openings();
    patch_stamps_.assign(level.level.patches.size(), 0);
}

bool LevelVisibility::undrawn(std::uint32_t material) const {
    return material < level_.level.materials.size() && draws_nothing(level_.level.materials[material]);
}

void LevelVisibility::find_openings() {
    const LevelCells& cells = level_.cells;
    const auto count = static_cast<std::uint32_t>(level_.level.materials.size());
    std::vector<bool> nothing, sky;
    for (std::uint32_t m = 0; m < count; ++m) {
        nothing.push_back(undrawn(m));
        sky.push_back(marks_sky(level_.level.materials[m]));
    }
    for (const LevelBrush& brush : level_.level.brushes)
        for (const LevelFace& face : brush.faces)
            face_undrawn_.push_back(face.material < count && (nothing[face.material] || sky[face.material]));
    for (const LevelCells::Cell& cell : cells.cells)
        for (const LevelCells::Face& face : cell.faces) {
            const std::uint32_t m = level_.level.brushes[face.brush].faces[face.face].material;
            if (!cell.outside && m < count && !nothing[m]) face_undrawn_[number_of(face)] = false;
        }
    // then those of patches
    for (const LevelPatch& patch : level_.level.patches)
        face_undrawn_.push_back(patch.material < count && nothing[patch.material]);
    std::vector<std::uint32_t> opening_of(face_stamps_.size(), LevelCells::solid);
    openings_of_.resize(cells.cells.size());
    for (std::size_t c = 0; c < cells.cells.size(); ++c)
        for (const LevelCells::Face& one : cells.cells[c].faces) {
            if (draws(one)) continue;
            const LevelBrush& brush = level_.level.brushes[one.brush];
            const LevelFace& face = brush.faces[one.face];
            std::uint32_t& number = opening_of[number_of(one)];
            if (number == LevelCells::solid) {
                number = static_cast<std::uint32_t>(openings_.size());
                LevelCells::Portal& opening = openings_.emplace_back();
                opening.normal = face.normal;
                for (const std::uint32_t corner : face.corners)
                    opening.corners.push_back(brush.vertices[corner]);
                opening.distance = dot(opening.normal, opening.corners[0]);
            }
            openings_of_[c].push_back(number);
        }
}

DVec3 LevelVisibility::in_view(DVec3 at) const {
    const DVec3 from = at - camera_.eye;
    return {dot(from, right_), dot(from, up_), dot(from, forward_)};
}

/// The part of the window that is seen through the portal; false if there is none.
bool LevelVisibility::pass(const LevelCells::Portal& portal, const LevelWindow& window, LevelWindow& out) {
    ++counters_.portals_tested;
    const double height = dot(portal.normal, camera_.eye) - portal.distance;
    points_.clear();
    double farthest = 0;
    for (const DVec3& corner : portal.corners) {
        points_.push_back(in_view(corner));
        farthest = std::max(farthest, points_.back().z);
    }
    // looks away, also if its corners are drawn beside where they are
    if (height < -near_portal_ - 2 * camera_.rounding * farthest) return false;
    // what is in front of the eye by more than the slack; the rest is within near_portal_ of the eye or not in the picture
    const double least = camera_.slack;
    bool cut = false, any = false;
    LevelWindow rectangle{};
    const auto add = [&](double x, double y, double z) {
        const double u = x / z, v = y / z, move = camera_.slack / z;
        const double du = move * (1 + std::fabs(u)) + camera_.rounding,
                     dv = move * (1 + std::fabs(v)) + camera_.rounding;
        const LevelWindow one{u - du, u + du, v - dv, v + dv};
        rectangle = any ? around(rectangle, one) : one;
        any = true;
    };
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const DVec3 a = points_[k], b = points_[(k + 1) % points_.size()];
        if (a.z >= least) add(a.x, a.y, a.z);
        else cut = true;
        if ((a.z >= least) == (b.z >= least)) continue;
        const double t = (least - a.z) / (b.z - a.z);
        add(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), least);
    }
    if (cut && height <= near_portal_) {
        out = window;
        return true;
    }
    if (!any) return false;
    out = common(rectangle, window);
    return !out.empty();
}

/// Adds the window to the cell's, or one around it and these; false if one of these contains it.
bool LevelVisibility::widen(std::uint32_t cell, LevelWindow& window) {
    CellWindows& known = windows_[cell];
    for (const LevelWindow& one : known.all)
        if (one.contains(window)) return false;
    if (known.all.empty() && cell != everywhere()) seen_.push_back(cell);
    if (known.merged || known.all.size() == most_windows) {
        for (const LevelWindow& one : known.all) window = around(window, one);
        known.all.clear();
        known.merged = true;
    }
    known.all.push_back(window);
    return true;
}

void LevelVisibility::enter(std::uint32_t cell, LevelWindow window) {
    if (widen(cell, window)) stack_.push_back({cell, window});
}

/// Portals end with the space around the level: past them rays come in anywhere.
bool LevelVisibility::beyond(DVec3 low, DVec3 high) const {
    return low.x < low_.x || low.y < low_.y || low.z < low_.z || high.x > high_.x || high.y > high_.y ||
           high.z > high_.z;
}

void LevelVisibility::find_cells() {
    const LevelCells& cells = level_.cells;
    bool everything = !by_portals();
    if (!everything) {
        // the picture begins at the near plane: all cells that it touches are looked at from within
        DVec3 start[5] = {camera_.eye};
        for (int i = 0; i < 4; ++i)
            start[i + 1] =
                camera_.eye + camera_.near * (forward_ + (i & 1 ? 1 : -1) * camera_.tan_x * right_ +
                                              (i & 2 ? 1 : -1) * camera_.tan_y * up_);
        touched_.clear();
        everything = cells.touched(start, 5, camera_.slack, touched_);
        for (const DVec3& at : start) everything = everything || beyond(at, at);
        counters_.located = !everything;
    }
    if (everything) {
        for (std::uint32_t c = 0; c < cells.cells.size(); ++c) {
            windows_[c].all.push_back(picture_);
            seen_.push_back(c);
        }
        return;
    }
    for (const std::uint32_t c : touched_) enter(c, picture_);
    while (!stack_.empty()) {
        const Visit visit = stack_.back();
        stack_.pop_back();
        LevelWindow through;
        if (visit.cell ==
            everywhere()) { // all cells have this window then, so that their portals lead to nothing new
            for (std::uint32_t c = 0; c < everywhere(); ++c) through = visit.window, widen(c, through);
            continue;
        }
        if (culling_ != LevelCulling::closed)
            for (const std::uint32_t o : openings_of_[visit.cell])
                if (pass(openings_[o], visit.window, through)) enter(everywhere(), through);
        for (const std::uint32_t p : cells.cells[visit.cell].portals) {
            if (!pass(cells.portals[p], visit.window, through)) continue;
            ++counters_.portals_passed;
            enter(cells.portals[p].to, through);
        }
    }
}

/// Whether the points, seen from the eye, are all beyond one side of the window.
bool LevelVisibility::outside(const std::vector<DVec3>& points, const LevelWindow& window) const {
    bool left = true, right = true, below = true, above = true, behind = true;
    const double off = camera_.rounding;
    for (const DVec3& p : points) {
        const double far = camera_.slack;
        left = left && p.x < (window.left - off) * p.z - far * (1 + std::fabs(window.left));
        right = right && p.x > (window.right + off) * p.z + far * (1 + std::fabs(window.right));
        below = below && p.y < (window.bottom - off) * p.z - far * (1 + std::fabs(window.bottom));
        above = above && p.y > (window.top + off) * p.z + far * (1 + std::fabs(window.top));
        behind = behind && p.z < -far;
    }
    return left || right || below || above || behind;
}

bool LevelVisibility::in_windows(const std::vector<DVec3>& points, std::uint32_t cell) const {
    if (culling_ == LevelCulling::none) return true;
    if (cell == LevelCells::solid) return !outside(points, picture_);
    return std::any_of(windows_[cell].all.begin(), windows_[cell].all.end(),
                       [&](const LevelWindow& window) { return !outside(points, window); });
}

void LevelVisibility::try_face(const LevelCells::Face& face, std::uint32_t cell) {
    std::uint32_t& stamp = face_stamps_[number_of(face)];
    if (stamp == stamp_) return;
    ++counters_.faces_tested;
    const LevelBrush& brush = level_.level.brushes[face.brush];
    points_.clear();
    for (const std::uint32_t corner : brush.faces[face.face].corners)
        points_.push_back(in_view(brush.vertices[corner]));
    if (!in_windows(points_, cell)) return;
    stamp = stamp_;
    if (!draws(face)) {
        undrawn_faces_.push_back(face);
        return;
    }
    faces_.push_back(face);
    counters_.triangles += static_cast<std::uint32_t>(points_.size()) - 2;
}

void LevelVisibility::try_patch(std::uint32_t p, std::uint32_t cell) {
    if (patch_stamps_[p] == stamp_) return;
    const LevelPatch& patch = level_.level.patches[p];
    points_.clear();
    for (const DVec3& vertex : patch.vertices) points_.push_back(in_view(vertex));
    if (!in_windows(points_, cell)) return;
    patch_stamps_[p] = stamp_;
    patches_.push_back(p);
    counters_.triangles += static_cast<std::uint32_t>(patch.triangles.size());
}

void LevelVisibility::collect(std::uint32_t c) {
    const LevelCells::Cell& cell = level_.cells.cells[c];
    for (const LevelCells::Face& face : cell.faces) try_face(face, c);
    for (const std::uint32_t p : cell.patches) try_patch(p, c);
}

/// Without cells: from within a wall also faces are seen that are in no cell, because brushes cover them.
void LevelVisibility::collect_all() {
    const Level& level = level_.level;
    for (std::uint32_t b = 0; b < level.brushes.size(); ++b)
        for (std::uint32_t f = 0; level.brushes[b].solid && f < level.brushes[b].faces.size(); ++f)
            try_face({b, f}, LevelCells::solid);
    for (std::uint32_t p = 0; p < level.patches.size(); ++p)
        if (level.patches[p].solid && !face_undrawn_[face_stamps_.size() + p])
            try_patch(p, LevelCells::solid);
}

void LevelVisibility::look(const LevelCamera& camera, LevelCulling culling) {
    check_finite(camera.eye, "LevelCamera::eye");
    for (const double tangent : {camera.tan_x, camera.tan_y})
        check_within(tangent, 1e-6, 1e6, "LevelCamera::tan", "a number from 1e-6 to 1e6");
    check_within(camera.near, 0, 1e6, "LevelCamera::near", "a number from 0 to 1e6");
    check_within(camera.slack, 1e-9, 1, "LevelCamera::slack", "a number from 1e-9 to 1");
    check_within(camera.rounding, 0, 1, "LevelCamera::rounding", "a number from 0 to 1");
    forward_ = normalized(camera.forward);
    right_ = normalized(cross(forward_, camera.up));
    if (!(length(right_) > 0.5))
        throw Error("the directions forward and up are along each other or 0: expected two that differ",
                    "LevelCamera");
    up_ = cross(right_, forward_);
    camera_ = camera;
    culling_ = culling;
    picture_ = {-camera.tan_x, camera.tan_x, -camera.tan_y, camera.tan_y};
    near_portal_ =
        2 * camera.slack * std::sqrt(1 + camera.tan_x * camera.tan_x + camera.tan_y * camera.tan_y);
    for (const std::uint32_t c : seen_) windows_[c].all.clear(), windows_[c].merged = false;
    windows_.back().all.clear(), windows_.back().merged = false;
    seen_.clear();
    faces_.clear();
    undrawn_faces_.clear();
    patches_.clear();
    counters_ = {};
    if (++stamp_ == 0) { // after 2^32 pictures
        std::fill(face_stamps_.begin(), face_stamps_.end(), 0u);
        std::fill(patch_stamps_.begin(), patch_stamps_.end(), 0u);
        stamp_ = 1;
    }
    find_cells();
    if (counters_.located)
        for (const std::uint32_t c : seen_) collect(c);
    else collect_all();
    counters_.cells = static_cast<std::uint32_t>(seen_.size());
    counters_.faces = static_cast<std::uint32_t>(faces_.size());
    counters_.patches = static_cast<std::uint32_t>(patches_.size());
}

bool LevelVisibility::passed(std::uint32_t number) {
    if (!counters_.located || !by_portals()) return false;
    const Counters counted = counters_;
    const LevelCells::Portal& portal = level_.cells.portals[number];
    const std::vector<LevelWindow>& all = windows_[portal.from].all;
    const bool any = std::any_of(all.begin(), all.end(), [&](const LevelWindow& window) {
        LevelWindow through;
        return pass(portal, window, through);
    });
    counters_ = counted;
    return any;
}

bool LevelVisibility::sees(DVec3 low, DVec3 high) {
    DVec3 corners[8];
    points_.clear();
    for (int i = 0; i < 8; ++i) {
        corners[i] = {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
        points_.push_back(in_view(corners[i]));
    }
    if (culling_ == LevelCulling::none) return true;
    if (!counters_.located || beyond(low, high)) return !outside(points_, picture_);
    touched_.clear();
    const bool wall = level_.cells.touched(corners, 8, camera_.slack, touched_);
    if (wall && in_windows(points_, everywhere())) return true; // it may be seen in a wall
    return std::any_of(touched_.begin(), touched_.end(),
                       [&](std::uint32_t c) { return in_windows(points_, c); });
}

} // namespace scree
