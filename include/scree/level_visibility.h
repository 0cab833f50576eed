// SPDX-License-Identifier: MIT
// level_visibility.h — what can be seen from a place in a level: cells through portals, and the faces in them.
//
//     LevelVisibility sight(hall);                          // a CompiledLevel
//     sight.look({.eye = {0, 0, 64}, .forward = {1, 0, 0}});
//     for (const LevelCells::Face& face : sight.faces()) draw(face);
//
// Conservative: what can be seen is never left out. Everything is in the editor's units, z up.
#pragma once

#include "scree/level_cells.h"

#include <cstdint>
#include <vector>

namespace scree {

struct LevelCamera {
    DVec3 eye{}, forward{1, 0, 0},
        up{0, 0, 1};             ///< directions of any length; `up` must not be along `forward`
    double tan_x = 1, tan_y = 1; ///< half of the picture's width and height at distance 1
    double near = 1;             ///< nothing closer is drawn
    /// How far a drawn corner may be from where the level has it.
    double slack = 0.01;
    /// How far, in the picture, a drawn corner may be from where it is seen: x / distance and y / distance. Pictures have corners
    /// on a grid of parts of a pixel, which far away is more than `slack`.
    double rounding = 0;
};

enum class LevelCulling {
    portals, ///< cells that are seen through portals or walls that are not drawn, and of these what is in their windows
    frustum, ///< all faces of solid brushes and patches in the picture's pyramid
    none,    ///< all faces of solid brushes and patches
    /// As `portals`, but walls that are not drawn hide what is behind them. Where one looks at such a wall there is a hole in the
    /// picture; maps of Quake III's family put them where nobody should.
    closed,
};

/// A part of the picture: x / distance and y / distance, where x goes to the right and y up.
struct LevelWindow {
    double left = 0, right = 0, bottom = 0, top = 0;
    bool empty() const { return !(left < right && bottom < top); }
    bool contains(const LevelWindow& other) const {
        return left <= other.left && right >= other.right && bottom <= other.bottom && top >= other.top;
    }
};

class LevelVisibility {
public:
    struct Counters {
        std::uint32_t cells = 0;          ///< that are seen
        std::uint32_t portals_tested = 0; ///< a portal counts for each window through which it is looked at
        std::uint32_t portals_passed = 0;
        std::uint32_t faces_tested = 0;                      ///< a face counts for each cell
        std::uint32_t faces = 0, patches = 0, triangles = 0; ///< that are seen, each once
        /// False: the eye, or a part of the picture's near plane, is in a wall or beyond the space around the level; only the
        /// pyramid is used.
        bool located = false;
    };

    /// The level is used as long as this lives. Throws Error for indices that do not fit together.
    explicit LevelVisibility(const CompiledLevel& level);

    /// Finds what is seen. The first calls may allocate, later ones do not unless more is seen. Throws Error for a camera without
    /// a direction or a picture.
    void look(const LevelCamera& camera, LevelCulling culling = LevelCulling::portals);

    const std::vector<std::uint32_t>& cells() const {
        return seen_;
    } ///< in the order in which they were found
    const std::vector<LevelCells::Face>& faces() const { return faces_; } ///< each once
    /// Whether the face is drawn, wherever it is looked at from: not if its material draws nothing, or stands for the sky and no
    /// closed room sees it.
    bool draws(const LevelCells::Face& face) const { return !face_undrawn_[number_of(face)]; }
    /// Those of walls that draw nothing, such as caulk: they throw shadows, and hide nothing. Without cells also those of clip.
    const std::vector<LevelCells::Face>& undrawn_faces() const { return undrawn_faces_; }
    const std::vector<std::uint32_t>& patches() const { return patches_; }
    /// Parts of the picture through which a cell is seen; none if it is not.
    const std::vector<LevelWindow>& windows(std::uint32_t cell) const { return windows_[cell].all; }
    /// Whether something is seen through a portal, from the cell on the side that it looks to. Not if `located` is false.
    bool passed(std::uint32_t portal);
    /// Whether a box may be seen: it touches a cell that is seen, within one of its windows. Beyond the space around the level there
    /// are no cells: there it is the pyramid that counts.
    bool sees(DVec3 low, DVec3 high);
    const Counters& counters() const { return counters_; }

private:
    struct CellWindows {
        std::vector<LevelWindow> all;
        bool merged = false; ///< there were too many; from now on one holds all
    };
    struct Visit {
        std::uint32_t cell;
        LevelWindow window;
    };
    bool by_portals() const { return culling_ == LevelCulling::portals || culling_ == LevelCulling::closed; }
    DVec3 in_view(DVec3 at) const;
    bool pass(const LevelCells::Portal& portal, const LevelWindow& window, LevelWindow& out);
    /// Stands for all cells: where an opening leads.
    std::uint32_t everywhere() const { return static_cast<std::uint32_t>(level_.cells.cells.size()); }
    bool widen(std::uint32_t cell, LevelWindow& window);
    void enter(std::uint32_t cell, LevelWindow window);
    bool undrawn(std::uint32_t material) const;
    std::uint32_t number_of(const LevelCells::Face& face) const {
        return first_face_[face.brush] + face.face;
    }
    void find_openings();
    bool outside(const std::vector<DVec3>& points, const LevelWindow& window) const;
    bool in_windows(const std::vector<DVec3>& points, std::uint32_t cell) const;
    bool beyond(DVec3 low, DVec3 high) const;
    void find_cells();
    void try_face(const LevelCells::Face& face, std::uint32_t cell);
    void try_patch(std::uint32_t patch, std::uint32_t cell);
    void collect(std::uint32_t cell);
    void collect_all();

    const CompiledLevel& level_;
    LevelCamera camera_{};
    LevelCulling culling_ = LevelCulling::portals;
    DVec3 low_{}, high_{}; ///< of all cells
    DVec3 right_{}, up_{}, forward_{};
    double near_portal_ = 0; ///< closer than this, an opening is all around the eye
    LevelWindow picture_{};
    std::vector<bool> face_undrawn_;
    std::vector<LevelCells::Portal> openings_; ///< faces that are not drawn
    std::vector<std::vector<std::uint32_t>> openings_of_;
    std::vector<CellWindows> windows_; ///< of the cells, then of everywhere()
    std::vector<Visit> stack_;
    std::vector<std::uint32_t> seen_, patches_, touched_;
    std::vector<LevelCells::Face> faces_, undrawn_faces_;
    std::vector<std::uint32_t> first_face_; ///< for each brush, of its faces among all
    std::vector<std::uint32_t> face_stamps_, patch_stamps_;
    std::uint32_t stamp_ = 0;
    std::vector<DVec3> points_, clipped_;
    Counters counters_{};
};

} // namespace scree
