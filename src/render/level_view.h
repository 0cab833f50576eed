// SPDX-License-Identifier: MIT
// level_view.h — a level's faces as meshes of one cell and one material, and which of them a picture needs.
//
// Faces that other brushes cover are in no mesh. A face is part of one mesh, whatever cells it is seen in, so it is drawn once. Each
// frame the faces that are seen through portals are put into the store's list of triangles, in the order of the meshes: pictures
// with and without culling draw faces that lie in one plane in the same order.
#pragma once

#include "render/linear.h"
#include "render/mesh.h"
#include "scree/appearance.h"
#include "scree/level_visibility.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace scree::render {

/// From where a picture, or a face of a light's cube, is taken; in the world's frame.
struct Sight {
    Vec3 eye{}, forward{}, up{}; ///< directions of length 1
    float tan_x = 1, tan_y = 1;  ///< half of the picture's width and height at distance 1
    float near_plane = 0;        ///< m
    float pixel = 0;             ///< its side at distance 1
    friend bool operator==(const Sight&, const Sight&) = default;
};

/// Of a texture's side, where a map counts texels and does not say how many there are: the coordinates of faces are in textures of
/// this size. Those of patches are in textures of any size.
constexpr int usual_texels = 64;

/// Indices that are drawn in place of all of a mesh; count 0: none.
struct IndexRange {
    std::uint32_t first = 0, count = 0;
};

class LevelView {
public:
    struct Part {
        std::uint32_t material = 0; ///< index into AppearanceLevel::paints
        bool texels = false;        ///< its coordinates are in textures of usual_texels
        bool drawn = true;          ///< false: it throws shadows and is not seen
        MeshId mesh{};
        Bounds bounds; ///< in the body's frame
    };
    /// Throws Error for indices that do not fit together.
    LevelView(const AppearanceLevel& level, MeshStore& meshes);
    LevelView(const LevelView&) = delete;
    LevelView& operator=(const LevelView&) = delete;

    const std::vector<Part>& parts() const { return parts_; }
    /// Where the body is.
    void place(const Pose& pose) { pose_ = pose; }
    /// False: faces can be seen through, and cells do not say what is seen.
    void set_opaque(bool opaque) { opaque_ = opaque; }
    Bounds bounds(std::uint32_t part) const;             ///< in the world's frame
    std::size_t index_count() const { return indices_; } ///< of all parts

    /// Finds what is seen, and adds its triangles to the frame's list. `closed`: walls that are not drawn hide what is behind them.
    void look(const Sight& from, bool closed = false);
    /// False: the eye is in a wall or far outside, and cells do not say what is seen.
    bool located() const { return located_; }
    IndexRange seen(std::uint32_t part) const { return seen_[part]; }
    /// Whether something may be seen that is within these bounds of the world's frame; after look(), if located().
    bool sees(const Bounds& bounds);
    const LevelVisibility::Counters& counters() const { return sight_.counters(); }
    std::uint32_t cell_count() const { return static_cast<std::uint32_t>(level_->cells.cells.size()); }

    /// The same for face `face` of the cube around a light with shadows: nothing else can throw a shadow there. Kept while neither
    /// the light nor the level moves.
    void shine(std::size_t light, std::size_t face, const Sight& from);
    bool lit() const { return lit_; } ///< as located(), for the last shine()
    /// Of what casting() has: changes when something else casts there. 0: everything does.
    std::uint32_t casting_version() const { return casting_version_; }
    IndexRange casting(std::uint32_t part) const { return casting_[part]; }

private:
    struct Piece { ///< a face or a patch
        std::uint32_t part = 0, first = 0, count = 0;
    };
    struct CubeFace {
        Sight from{};
        Pose pose{};
        bool known = false, located = false;
        std::uint32_t version = 0;
        std::vector<std::uint32_t> pieces; ///< in order
    };
    struct Builder;
    LevelCamera in_level(const Sight& from) const;
    DVec3 in_level(Vec3 at) const;
    bool find(LevelVisibility& sight, const Sight& from, LevelCulling culling,
              std::vector<std::uint32_t>& pieces);
    void choose(const std::vector<std::uint32_t>& pieces, std::vector<IndexRange>& ranges);

    std::shared_ptr<const CompiledLevel> level_;
    MeshStore& meshes_;
    float scale_;
    double slack_ = 0.01;
    LevelVisibility sight_, light_sight_;
    std::vector<Part> parts_;
    std::vector<Piece> pieces_; ///< part by part
    std::vector<std::uint32_t> first_face_, piece_of_face_, piece_of_patch_;
    std::size_t indices_ = 0;
    Pose pose_{};
    bool opaque_ = true, located_ = false, lit_ = false;
    std::uint32_t casting_version_ = 0, last_version_ = 0;
    std::vector<std::uint64_t> marks_; ///< a bit for each piece
    std::vector<std::uint32_t> found_;
    std::vector<IndexRange> seen_, casting_; ///< by part
    std::vector<std::array<CubeFace, 6>> lights_;
};

} // namespace scree::render
