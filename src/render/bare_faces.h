// SPDX-License-Identifier: MIT
// bare_faces.h — the parts of a level's faces that no other brush covers, and their texture.
#pragma once

#include "render/shared_corners.h"
#include "scree/level.h"
#include "scree/level_cells.h"
#include "scree/math.h"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::render {

/// Convex, in units of a map.
using LevelPolygon = std::vector<DVec3>;

/// Looks for the parts of faces that other brushes leave bare.
class BareFaces {
public:
    /// Both outlive this. `see_through`: brushes that hide nothing, since some face of theirs in a room is not drawn.
    BareFaces(const Level& level, const LevelCells& cells, const std::vector<bool>& see_through = {});
    /// Convex polygons; empty if nothing or everything of the face is covered.
    std::vector<LevelPolygon> parts(std::uint32_t brush, std::uint32_t face) const;

private:
    const Level& level_;
    const LevelCells& cells_;
    std::vector<std::uint32_t> by_low_x_; ///< solid brushes
};

/// Joins neighbours that share an edge and together are convex; corners are numbers of `corners`.
void join_convex(std::vector<std::vector<std::uint32_t>>& polygons, const SharedCorners& corners,
                 DVec3 normal);

/// Texture coordinates anywhere on a face.
class FaceTexture {
public:
    FaceTexture(const LevelBrush& brush, const LevelFace& face);
    std::array<double, 2> at(DVec3 point) const;

private:
    DVec3 origin_{}, along_{}, across_{}; ///< dot(along_, point - origin_) is 1 at one corner, 0 at others
    std::array<double, 2> start_{}, to_along_{}, to_across_{}; ///< of the origin, and what is added
};

} // namespace scree::render
