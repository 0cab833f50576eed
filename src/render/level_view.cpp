// SPDX-License-Identifier: MIT
// level_view.cpp — see level_view.h.
#include "render/level_view.h"

#include "render/bare_faces.h"
#include "render/shared_corners.h"
#include "scree/level.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace scree::render {

namespace {

constexpr std::uint32_t none = 0xffffffffu;
constexpr double off_grid =
    1 / 16.0; // pixels that rasterisers may move a corner: OpenGL asks for a grid of a sixteenth

/// The opposite of from_map().
DVec3 to_map(Vec3 at, double scale) {
    return {double{at.x} / scale, -double{at.z} / scale, double{at.y} / scale};
}

std::array<float, 3> array_of(DVec3 v) {
    const Vec3 f = narrow(v);
    return {f.x, f.y, f.z};
}

} // namespace

/// Puts faces and patches into parts: by the first cell that shows them, and by material.
struct LevelView::Builder {
    explicit Builder(LevelView& view) : v(view), level(view.level_->level) {}

    void build() {
        find_homes();
        find_polygons();
        // by cell, material, whether coordinates count texels, and whether they are drawn
        std::map<std::tuple<std::uint32_t, std::uint32_t, bool, bool>, std::vector<std::uint32_t>> members;
        const auto faces = static_cast<std::uint32_t>(v.piece_of_face_.size());
        for (std::uint32_t b = 0; b < level.brushes.size(); ++b)
            for (std::uint32_t f = 0; level.brushes[b].solid && f < level.brushes[b].faces.size(); ++f) {
                const std::uint32_t number = v.first_face_[b] + f;
                if (homes[number] == none) continue; // other brushes cover it
                members[{homes[number], level.brushes[b].faces[f].material, level.texels,
                         v.sight_.draws({b, f})}]
                    .push_back(number);
            }
        for (std::uint32_t p = 0; p < level.patches.size(); ++p)
            if (level.patches[p].solid && homes[faces + p] != none)
                members[{homes[faces + p], level.patches[p].material, false, true}].push_back(faces + p);
        std::vector<MeshData> all;
        for (const auto& [key, numbers] : members) {
            data = {};
            bounds = {};
            for (const std::uint32_t number : numbers) {
                (number < faces ? v.piece_of_face_[number] : v.piece_of_patch_[number - faces]) =
                    static_cast<std::uint32_t>(v.pieces_.size());
                if (number < faces) add_face(number);
                else add_piece([&] { add_patch(level.patches[number - faces]); });
            }
            add_tangents(data);
            v.indices_ += data.indices.size();
            v.parts_.push_back({std::get<1>(key), std::get<2>(key), std::get<3>(key), {}, bounds});
            all.push_back(std::move(data));
        }
        // drawn once: copies for many at a time would be of no use
        std::uint32_t mesh = v.meshes_.add_all(all, true).value;
        for (Part& part : v.parts_) part.mesh = {mesh++};
    }

    void find_homes() {
        std::uint32_t faces = 0;
        for (std::uint32_t b = 0; b < level.brushes.size(); ++b) {
            v.first_face_.push_back(faces);
            faces += static_cast<std::uint32_t>(level.brushes[b].faces.size());
        }
        v.piece_of_face_.assign(faces, none);
        v.piece_of_patch_.assign(level.patches.size(), none);
        homes.assign(faces + level.patches.size(), none);
        const auto& cells = v.level_->cells.cells;
        for (std::uint32_t c = 0; c < cells.size(); ++c) {
            for (const LevelCells::Face& face : cells[c].faces)
                homes[v.first_face_[face.brush] + face.face] =
                    std::min(homes[v.first_face_[face.brush] + face.face], c);
            for (const std::uint32_t p : cells[c].patches) homes[faces + p] = std::min(homes[faces + p], c);
        }
    }

    /// What `add` adds to the mesh.
    template <class Add>
    Piece& add_piece(const Add& add) {
        const auto first = static_cast<std::uint32_t>(data.indices.size());
        add();
        v.pieces_.push_back({static_cast<std::uint32_t>(v.parts_.size()), first,
                             static_cast<std::uint32_t>(data.indices.size()) - first});
        return v.pieces_.back();
    }

    void add_corner(DVec3 at, DVec3 normal, std::array<double, 2> uv, double size) {
        MeshVertex vertex;
        vertex.position = array_of(from_map(at, v.scale_));
        vertex.normal = array_of(from_map(normal, 1));
        vertex.uv = {static_cast<float>(uv[0] / size), static_cast<float>(uv[1] / size)};
        bounds.add(Vec3{vertex.position[0], vertex.position[1], vertex.position[2]});
        data.vertices.push_back(vertex);
    }

    /// Of faces that other brushes cover in part only what is bare is drawn: the rest meets what is seen at its edges, and would
    /// show there by rounding.
    void find_polygons() {
        polygons.resize(v.piece_of_face_.size());
        trimmed.resize(polygons.size());
        std::vector<bool> see_through(level.brushes.size(), false);
        for (const LevelCells::Cell& cell : v.level_->cells.cells)
            for (const LevelCells::Face& face : cell.faces)
                if (!cell.outside && !v.sight_.draws(face)) see_through[face.brush] = true;
        const BareFaces faces(level, v.level_->cells, see_through);
        for (std::uint32_t b = 0; b < level.brushes.size(); ++b)
            for (std::uint32_t f = 0; level.brushes[b].solid && f < level.brushes[b].faces.size(); ++f) {
                const std::uint32_t number = v.first_face_[b] + f;
                if (homes[number] == none) continue; // other brushes cover it
                std::vector<LevelPolygon> parts = faces.parts(b, f);
                trimmed[number] = !parts.empty();
                if (parts.empty()) {
                    parts.emplace_back();
                    for (const std::uint32_t corner : level.brushes[b].faces[f].corners)
                        parts[0].push_back(level.brushes[b].vertices[corner]);
                }
                for (const LevelPolygon& part : parts) {
                    polygons[number].emplace_back();
                    for (const DVec3& at : part) polygons[number].back().push_back(corners.add(at));
                }
                if (trimmed[number]) join_convex(polygons[number], corners, level.brushes[b].faces[f].normal);
            }
    }

    void add_face(std::uint32_t number) {
        const auto b = static_cast<std::size_t>(
            std::upper_bound(v.first_face_.begin(), v.first_face_.end(), number) - v.first_face_.begin() - 1);
        const LevelBrush& brush = level.brushes[b];
        const LevelFace& face = brush.faces[number - v.first_face_[b]];
        const double size = level.texels ? usual_texels : 1;
        const FaceTexture texture(brush, face);
        if (trimmed[number]) {
            auto follow = static_cast<std::uint32_t>(polygons[number].size());
            for (const auto& polygon : polygons[number]) {
                Piece& piece = add_piece([&] {
                    add_polygon(polygon, face.normal, size,
                                [&](DVec3 at, std::uint32_t, double) { return texture.at(at); });
                });
                piece.follow = --follow;
                piece.low = piece.high = corners[polygon[0]];
                for (const std::uint32_t corner : polygon)
                    piece.low = min(piece.low, corners[corner]),
                    piece.high = max(piece.high, corners[corner]);
            }
            return;
        }
        const auto count = static_cast<std::uint32_t>(face.corners.size());
        const auto uv = [&](std::uint32_t k) {
            return k % count < face.coordinates.size() ? face.coordinates[k % count]
                                                       : std::array<double, 2>{};
        };
        add_piece([&] {
            add_polygon(polygons[number][0], face.normal, size, [&](DVec3, std::uint32_t k, double t) {
                return std::array{uv(k)[0] + t * (uv(k + 1)[0] - uv(k)[0]),
                                  uv(k)[1] + t * (uv(k + 1)[1] - uv(k)[1])};
            });
        });
    }

    /// A convex one. `uv` is asked for a point, which is on edge k at the share t of it.
    template <class Uv>
    void add_polygon(const std::vector<std::uint32_t>& polygon, DVec3 normal, double size, const Uv& uv) {
        const auto count = static_cast<std::uint32_t>(polygon.size());
        const auto first = static_cast<std::uint32_t>(data.vertices.size());
        std::uint32_t all = 0, apex = none;
        std::array<std::uint32_t, 2> on_edge{}; // corners on the edge before, and on this one
        on_edge[1] = static_cast<std::uint32_t>(corners.between(polygon[count - 1], polygon[0]).size());
        DVec3 middle{};
        std::array<double, 2> middle_uv{};
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t next = polygon[(k + 1) % count], begin = all;
            const DVec3 from = corners[polygon[k]], to = corners[next];
            const auto put = [&](DVec3 at) {
                const double t = length(to - from) > 0 ? length(at - from) / length(to - from) : 0;
                add_corner(at, normal, uv(at, k, t), size);
                ++all;
            };
            put(from);
            for (const std::uint32_t on : corners.between(polygon[k], next)) put(corners[on]);
            on_edge = {on_edge[1], all - begin - 1};
            // no triangle may have all three corners on an edge: they meet where no two others lie on an edge with it
            if (apex == none && on_edge[0] + on_edge[1] == 0) apex = begin;
            if (apex == none && on_edge[1] == 1) apex = begin + 1;
            middle += from / static_cast<double>(count);
            const std::array<double, 2> here = uv(from, k, 0);
            for (std::size_t i = 0; i < 2; ++i) middle_uv[i] += here[i] / static_cast<double>(count);
        }
        const auto triangle = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
            for (const std::uint32_t n : {i, j, k}) data.indices.push_back(first + n);
        };
        if (apex != none) {
            for (std::uint32_t k = 2; k < all; ++k) triangle(apex, (apex + k - 1) % all, (apex + k) % all);
            return;
        }
        // or in the middle
        add_corner(middle, normal, middle_uv, size);
        for (std::uint32_t k = 0; k < all; ++k) triangle(all, k, (k + 1) % all);
    }

    void add_patch(const LevelPatch& patch) {
        std::vector<DVec3> normals(patch.vertices.size());
        for (const auto& t : patch.triangles) {
            const DVec3 across = cross(patch.vertices[t[1]] - patch.vertices[t[0]],
                                       patch.vertices[t[2]] - patch.vertices[t[0]]);
            for (const std::uint32_t k : t) normals[k] += across;
        }
        for (const double side : {1.0, -1.0}) {
            const auto first = static_cast<std::uint32_t>(data.vertices.size());
            for (std::size_t k = 0; k < patch.vertices.size(); ++k)
                add_corner(patch.vertices[k], side * normalized(normals[k]), patch.coordinates[k], 1);
            for (const auto& t : patch.triangles)
                for (const std::size_t i : {0u, side > 0 ? 1u : 2u, side > 0 ? 2u : 1u})
                    data.indices.push_back(first + t[i]);
        }
    }

    LevelView& v;
    const Level& level;
    std::vector<std::uint32_t> homes; ///< cells of faces, then of patches
    SharedCorners corners;
    std::vector<std::vector<std::vector<std::uint32_t>>>
        polygons;              ///< by face: the corners of what is drawn of it
    std::vector<bool> trimmed; ///< by face: other brushes cover a part
    MeshData data;
    Bounds bounds;
};

LevelView::LevelView(const AppearanceLevel& level, MeshStore& meshes)
    : level_(level.level),
      meshes_(meshes),
      scale_(level.scale),
      sight_(*level.level),
      light_sight_(*level.level) {
    Builder(*this).build();
    // corners are drawn in single precision
    double farthest = 0;
    for (const Part& part : parts_)
        for (const float c : {part.bounds.low.x, part.bounds.low.y, part.bounds.low.z, part.bounds.high.x,
                              part.bounds.high.y, part.bounds.high.z})
            farthest = std::max(farthest, std::fabs(double{c}) / double{scale_});
    slack_ = std::min(0.01 + 1e-6 * farthest, 1.0);
    marks_.assign((pieces_.size() + 63) / 64, 0);
    seen_.resize(parts_.size());
    casting_.resize(parts_.size());
    found_.reserve(pieces_.size());
}

Bounds LevelView::bounds(std::uint32_t number) const {
    const Bounds& local = parts_[number].bounds;
    Bounds world;
    for (int i = 0; i < 8; ++i)
        world.add(pose_.position + rotate(pose_.rotation, {i & 1 ? local.high.x : local.low.x,
                                                           i & 2 ? local.high.y : local.low.y,
                                                           i & 4 ? local.high.z : local.low.z}));
    return world;
}

DVec3 LevelView::in_level(Vec3 at) const {
    return to_map(rotate(conjugate(pose_.rotation), at - pose_.position), double{scale_});
}

LevelCamera LevelView::in_level(const Sight& from) const {
    const Quat back = conjugate(pose_.rotation);
    LevelCamera camera;
    camera.eye = in_level(from.eye);
    camera.forward = to_map(rotate(back, from.forward), 1);
    camera.up = to_map(rotate(back, from.up), 1);
    // a little wider than the picture, whose sides are rounded
    camera.tan_x = double{from.tan_x} * 1.0001;
    camera.tan_y = double{from.tan_y} * 1.0001;
    camera.near = std::clamp(double{from.near_plane} / double{scale_} * 1.0001, 0.0, 1e6);
    camera.slack = slack_;
    camera.rounding = std::clamp(double{from.pixel} * off_grid, 0.0, 1.0);
    return camera;
}

/// Pieces that are seen, in their order; false if cells do not say.
bool LevelView::find(LevelVisibility& sight, const Sight& from, LevelCulling culling,
                     std::vector<std::uint32_t>& pieces) {
    pieces.clear();
    const auto usable = [](Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
    if (!opaque_ || !usable(from.eye) || !usable(from.forward) || !(length(from.forward) > 0.5f))
        return false;
    sight.look(in_level(from), culling);
    if (!sight.counters().located) return false;
    std::fill(marks_.begin(), marks_.end(), 0);
    const auto mark = [&](std::uint32_t piece) {
        if (piece == none) return;
        // a face of several pieces may go through many rooms
        const bool one = pieces_[piece].follow == 0;
        for (const std::uint32_t last = piece + pieces_[piece].follow; piece <= last; ++piece)
            if (one || sight.sees(pieces_[piece].low, pieces_[piece].high))
                marks_[piece / 64] |= std::uint64_t{1} << piece % 64;
    };
    for (const auto* faces : {&sight.faces(), &sight.undrawn_faces()})
        for (const LevelCells::Face& face : *faces) mark(piece_of_face_[first_face_[face.brush] + face.face]);
    for (const std::uint32_t p : sight.patches()) mark(piece_of_patch_[p]);
    for (std::uint32_t word = 0; word < marks_.size(); ++word)
        for (std::uint64_t left = marks_[word]; left; left &= left - 1)
            pieces.push_back(64 * word + static_cast<std::uint32_t>(std::countr_zero(left)));
    return true;
}

void LevelView::choose(const std::vector<std::uint32_t>& pieces, std::vector<IndexRange>& ranges) {
    std::fill(ranges.begin(), ranges.end(), IndexRange{});
    for (const std::uint32_t number : pieces) {
        const Piece& piece = pieces_[number];
        const std::uint32_t at = meshes_.choose(parts_[piece.part].mesh, piece.first, piece.count);
        IndexRange& range = ranges[piece.part];
        if (range.count == 0) range.first = at;
        range.count += piece.count;
    }
}

void LevelView::look(const Sight& from, bool closed) {
    located_ = find(sight_, from, closed ? LevelCulling::closed : LevelCulling::portals, found_);
    choose(found_, seen_);
}

bool LevelView::sees(const Bounds& bounds) {
    DVec3 low{}, high{};
    for (int i = 0; i < 8; ++i) {
        const DVec3 at =
            in_level(Vec3{i & 1 ? bounds.high.x : bounds.low.x, i & 2 ? bounds.high.y : bounds.low.y,
                          i & 4 ? bounds.high.z : bounds.low.z});
        low = i == 0 ? at : min(low, at);
        high = i == 0 ? at : max(high, at);
    }
    // what is no number is drawn as it was before
    return !(length(high - low) < 1e9) || sight_.sees(low, high);
}

void LevelView::shine(std::size_t light, std::size_t face, const Sight& from) {
    if (lights_.size() <= light) lights_.resize(light + 1);
    CubeFace& cube = lights_[light][face];
    const bool same = cube.known && cube.from == from && cube.pose.position == pose_.position &&
                      cube.pose.rotation == pose_.rotation;
    if (!same) {
        cube.located = find(light_sight_, from, LevelCulling::portals, cube.pieces);
        cube.from = from;
        cube.pose = pose_;
        cube.known = opaque_;
        cube.version = ++last_version_;
    }
    lit_ = cube.located && opaque_;
    casting_version_ = lit_ ? cube.version : 0;
    choose(cube.pieces, casting_);
}

} // namespace scree::render
