// SPDX-License-Identifier: MIT
// cloth_triangles.cpp — see cloth_triangles.h.
#include "world/cloth_triangles.h"

#include "fabric/intersections.h"

namespace scree {

ClothTriangles::ClothTriangles(const World& world) {
    for (const ClothId id : world.cloths()) {
        const ClothDef cloth = world.definition(id);
        for (const auto& corners : cloth.triangles)
            for (const std::uint32_t v : corners)
                triangles_.push_back(static_cast<std::uint32_t>(vertices_) + v);
        vertices_ += cloth.vertices.size();
    }
    edges_ = edges_of(triangles_);
}

std::uint64_t ClothTriangles::intersections(const World& world) {
    position_.clear();
    for (const ClothId id : world.cloths())
        for (const Vec3& v : world.vertices(id)) position_.insert(position_.end(), {v.x, v.y, v.z});
    return count_intersections(triangles_, edges_, position_, 3);
}

} // namespace scree
