// SPDX-License-Identifier: MIT
// cloth_triangles.cpp — see cloth_triangles.h.
#include "world/cloth_triangles.h"

#include "fabric/intersections.h"

#include <algorithm>
#include <tuple>

namespace scree {

ClothTriangles::ClothTriangles(const World& world, bool colliding) {
    for (const ClothId id : world.cloths()) {
        const ClothDef cloth = world.definition(id);
        if (colliding && !cloth.self_collision) continue;
        parts_.push_back({id, vertices_, triangles_.size() / 3});
        for (const auto& corners : cloth.triangles)
            for (const std::uint32_t v : corners)
                triangles_.push_back(static_cast<std::uint32_t>(vertices_) + v);
        vertices_ += cloth.vertices.size();
    }
    edges_ = edges_of(triangles_);
}

void ClothTriangles::take_positions(const World& world) {
    position_.clear();
    for (const Part& part : parts_)
        for (const Vec3& v : world.vertices(part.cloth)) position_.insert(position_.end(), {v.x, v.y, v.z});
}

std::uint64_t ClothTriangles::intersections(const World& world) {
    take_positions(world);
    return count_intersections(triangles_, edges_, position_, 3);
}

ClothIntersections ClothTriangles::find(const World& world, std::size_t most) {
    take_positions(world);
    ClothIntersections all;
    const auto part_of = [&](std::size_t number, std::size_t Part::* first) {
        return std::prev(std::upper_bound(parts_.begin(), parts_.end(), number,
                                          [&](std::size_t n, const Part& part) { return n < part.*first; }));
    };
    const auto has = [&](std::size_t t, std::uint32_t v) {
        return std::find(&triangles_[3 * t], &triangles_[3 * t] + 3, v) != &triangles_[3 * t] + 3;
    };
    all.count = count_intersections(
        triangles_, edges_, position_, 3, [&](std::uint32_t edge, std::uint32_t triangle) {
            const std::uint32_t a = edges_[2 * edge], b = edges_[2 * edge + 1];
            const auto of = part_of(a, &Part::vertex), hit = part_of(triangle, &Part::triangle);
            std::size_t own = of->triangle;
            while (!has(own, a) || !has(own, b)) ++own;
            const auto within = [](std::size_t number, std::size_t first) {
                return static_cast<std::uint32_t>(number - first);
            };
            all.first.push_back({of->cloth,
                                 hit->cloth,
                                 within(own, of->triangle),
                                 within(triangle, hit->triangle),
                                 {within(a, of->vertex), within(b, of->vertex)}});
        });
    const auto order = [](const ClothIntersection& x) {
        return std::tuple(x.cloth.index, x.edge[0], x.edge[1], x.through.index, x.hit);
    };
    std::sort(all.first.begin(), all.first.end(),
              [&](const ClothIntersection& x, const ClothIntersection& y) { return order(x) < order(y); });
    if (all.first.size() > most) all.first.resize(most);
    return all;
}

ClothIntersections find_cloth_intersections(const World& world, std::size_t most) {
    return ClothTriangles(world, true).find(world, most);
}

} // namespace scree
