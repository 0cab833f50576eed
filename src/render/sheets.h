// SPDX-License-Identifier: MIT
// sheets.h — surfaces that deform and lines between their vertices, as frames bring them.
#pragma once

#include "render/level_textures.h"
#include "render/renderer.h"
#include "scree/appearance.h"
#include "scree/shared_poses.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::render {

class Sheets {
public:
    Sheets(Renderer& renderer, LevelTextures& pictures) : renderer_(renderer), pictures_(pictures) {}
    Sheets(const Sheets&) = delete;
    Sheets& operator=(const Sheets&) = delete;

    /// Of a new appearance, under technique nodes for what is opaque and what is not. Throws Error for numbers of vertices
    /// that the frame has not, for texture coordinates that are not as many as the corners, and for
    /// textures that are not known. A picture that cannot be read is told by a warning, and its surface is painted.
    /// `on_host`: what follows bones does so on the host, as the GPU does it.
    void build(const Frame& frame, DescriptionId opaque, DescriptionId transparent, bool on_host = false);
    void clear();
    /// Takes the vertices, with smooth normals.
    void update(const Frame& frame);
    /// Where the world's device may write the vertices of what was built; null where the renderer has no such memory, or lines,
    /// pictures or bones need vertices on the host.
    SharedVertices* share(const Appearance& look);
    /// Where a mesh has no colour of its own.
    void colour(std::uint32_t seed);
    /// Of all vertices, as of the last update.
    const Bounds& bounds() const { return bounds_; }

private:
    struct Sheet {
        std::uint32_t vertex_count = 0;
        std::vector<std::uint32_t> triangles;
        /// As those of the appearance, where there is a picture to show.
        std::vector<std::array<float, 2>> texture_places;
        /// For each vertex of the mesh, which are more along the seams of pictures, that of the appearance; empty: the same.
        std::vector<std::uint32_t> corners;
        std::uint32_t vertex(std::size_t i) const {
            return corners.empty() ? static_cast<std::uint32_t>(i) : corners[i];
        }
        std::shared_ptr<const AppearanceSkin> skin;
        std::vector<Bounds> limbs; ///< by bone of the skin: what follows it, as bound
        MeshId mesh{};
        std::uint32_t pose = 0, record = 0;
        DescriptionId leaf{}, technique{}; ///< the second only above a picture
    };
    void add(const AppearanceMesh& look, const Frame& frame, DescriptionId opaque, DescriptionId transparent);
    void bend(const Sheet& sheet, const Bounds& bounds, std::span<const Vec3> vertices,
              std::span<const Vec3> normals);
    void bind_to_bones(Sheet& sheet);
    void follow(const Sheet& sheet, const Bounds& bounds, std::span<const Vec3> bones);
    void take_shared(const Frame& frame);

    /// With vertices of its own wherever two triangles show different places of a picture at one vertex.
    MeshData mesh_of(Sheet& sheet) const;

    Renderer& renderer_;
    LevelTextures& pictures_;
    std::vector<Sheet> sheets_;
    std::vector<Sheet> spare_; ///< of appearances before: meshes of the store are never given back
    std::vector<Vec3> normals_, followed_, followed_normals_;
    std::vector<std::array<float, 12>> bones_;
    bool on_host_ = false;
    std::unique_ptr<GraphicsBuffer> shared_memory_;
    SharedVertices shared_;
    Bounds bounds_;
};

/// Applies a paint to a material; values left out stay.
void paint(Material& material, const Paint& with);

} // namespace scree::render
