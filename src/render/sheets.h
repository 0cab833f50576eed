// SPDX-License-Identifier: MIT
// sheets.h — surfaces that deform and lines between their vertices, as frames bring them.
#pragma once

#include "render/renderer.h"
#include "scree/appearance.h"
#include "scree/shared_poses.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::render {

class Sheets {
public:
    explicit Sheets(Renderer& renderer) : renderer_(renderer) {}
    Sheets(const Sheets&) = delete;
    Sheets& operator=(const Sheets&) = delete;

    /// Of a new appearance, under technique nodes for what is opaque and what is not. Throws Error for numbers of vertices
    /// that the frame has not, and for textures that are not known.
    void build(const Frame& frame, DescriptionId opaque, DescriptionId transparent);
    void clear();
    /// Takes the vertices, with smooth normals.
    void update(const Frame& frame);
    /// Where the world's device may write the vertices of what was built; null where the renderer has no such memory, or lines need
    /// vertices on the host.
    SharedVertices* share(const Appearance& look);
    /// Where a mesh has no colour of its own.
    void colour(std::uint32_t seed);
    /// Of all vertices, as of the last update.
    const Bounds& bounds() const { return bounds_; }

private:
    struct Sheet {
        std::uint32_t vertex_count = 0;
        std::vector<std::uint32_t> triangles;
        MeshId mesh{};
        std::uint32_t pose = 0, record = 0;
        DescriptionId leaf{};
    };
    void add(const AppearanceMesh& look, const Frame& frame, DescriptionId opaque, DescriptionId transparent);
    void bend(const Sheet& sheet, std::span<const Vec3> vertices, std::span<const Vec3> normals);
    void take_shared(const Frame& frame);

    Renderer& renderer_;
    std::vector<Sheet> sheets_;
    std::vector<Sheet> spare_; ///< of appearances before: meshes of the store are never given back
    std::vector<Vec3> normals_;
    std::unique_ptr<GraphicsBuffer> shared_memory_;
    SharedVertices shared_;
    Bounds bounds_;
};

/// Applies a paint to a material; values left out stay.
void paint(Material& material, const Paint& with);

} // namespace scree::render
