// SPDX-License-Identifier: MIT
// cloth_triangles.h — the triangles of all cloths of a world as one mesh, to count exactly where they pass through each other.
#pragma once

#include "scree/cloth_intersections.h"
#include "scree/world.h"

#include <cstdint>
#include <vector>

namespace scree {

class ClothTriangles {
public:
    /// `colliding`: of those with self_collision alone.
    explicit ClothTriangles(const World& world, bool colliding = false);
    /// Edges that pass through or touch a triangle of which they are no part. The world's cloths must be those of the beginning.
    std::uint64_t intersections(const World& world);
    ClothIntersections find(const World& world, std::size_t most);
    std::size_t vertices() const { return vertices_; }
    // of all cloths together, as of the last count: three numbers a triangle, two an edge, three a vertex
    const std::vector<std::uint32_t>& triangles() const { return triangles_; }
    const std::vector<std::uint32_t>& edges() const { return edges_; }
    const std::vector<float>& positions() const { return position_; }

private:
    struct Part {
        ClothId cloth;
        std::size_t vertex, triangle; ///< its first ones
    };
    void take_positions(const World& world);

    std::size_t vertices_ = 0;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> triangles_, edges_;
    std::vector<float> position_;
};

} // namespace scree
