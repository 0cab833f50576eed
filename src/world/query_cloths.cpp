// SPDX-License-Identifier: MIT
// query_cloths.cpp — see query_cloths.h.

#include "world/query_cloths.h"

#include "world/query_scene.h"

#include <algorithm>

namespace scree {

std::uint32_t QueryCloths::cloth_of(std::uint32_t proxy) const {
    return static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), proxy) -
                                      first_.begin()) -
           1;
}

MeshTriangle QueryCloths::triangle(const Cloths& cloths, std::uint32_t proxy) const {
    const std::uint32_t c = cloth_of(proxy);
    const ClothRecord& cloth = cloths.record[c];
    MeshTriangle triangle{{}, proxy - first_[c]};
    for (std::size_t k = 0; k < 3; ++k) {
        const float* at = &cloth.position[4 * std::size_t{cloth.definition->triangles[triangle.number][k]}];
        triangle.corner[k] = {at[0], at[1], at[2]};
    }
    return triangle;
}

void QueryCloths::update(const Cloths& cloths) {
    if (!std::exchange(stale_, false)) return;
    std::vector<std::uint32_t> first{0};
    for (const ClothRecord& cloth : cloths.record)
        first.push_back(first.back() +
                        (cloth.alive ? static_cast<std::uint32_t>(cloth.definition->triangles.size()) : 0));
    // the same triangles at other places, mostly
    if (first != first_) tree_.clear();
    first_ = std::move(first);
    for (std::uint32_t t = 0; t < first_.back(); ++t) {
        const MeshTriangle corners = triangle(cloths, t);
        Bounds bounds{corners.corner[0], corners.corner[0]};
        for (const DVec3& corner : corners.corner)
            bounds = {min(bounds.low, corner), max(bounds.high, corner)};
        float box[bounds_stride] = {};
        round_outward(bounds, box);
        if (tree_.holds(t)) tree_.set(t, box);
        else tree_.insert(t, BoundsTree::moving, box);
    }
    tree_.update();
}

} // namespace scree
