// SPDX-License-Identifier: MIT
// cloth_triangles.h — the triangles of all cloths of a world as one mesh, to count exactly where they pass through each other.
#pragma once

#include "scree/world.h"

#include <cstdint>
#include <vector>

namespace scree {

class ClothTriangles {
public:
    explicit ClothTriangles(const World& world);
    /// Edges that pass through or touch a triangle of which they are no part. The world's cloths must be those of the beginning.
    std::uint64_t intersections(const World& world);
    std::size_t vertices() const { return vertices_; }

private:
    std::size_t vertices_ = 0;
    std::vector<std::uint32_t> triangles_, edges_;
    std::vector<float> position_;
};

} // namespace scree
