// SPDX-License-Identifier: MIT
// leak.cpp — ways from entities to the outside of a level.
#include "scree/level_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace scree {
namespace {

/// The distance of the closest two parallel lines that hold the polygon between them: one of them runs along an edge.
double width_of(const LevelTree::Portal& portal) {
    double width = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < portal.corners.size(); ++k) {
        const DVec3 from = portal.corners[k], along = portal.corners[(k + 1) % portal.corners.size()] - from;
        const DVec3 across = normalized(cross(portal.normal, along));
        if (dot(across, across) == 0) continue; // an edge that rounding has left without length
        double reach = 0;
        for (const DVec3& corner : portal.corners)
            reach = std::max(reach, std::fabs(dot(across, corner - from)));
        width = std::min(width, reach);
    }
    return std::isfinite(width) ? width : 0;
}

} // namespace

std::optional<LevelLeak> find_leak(const Map& map, const LevelTree& tree) {
    constexpr std::uint32_t unknown = 0xffffffffu, border = 0xfffffffeu;
    // the portal that leads towards the outside, for each leaf that has a way there; nearest leaves first
    std::vector<std::uint32_t> way(tree.leaves.size(), unknown), order;
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i)
        if (tree.leaves[i].border) {
            way[i] = border;
            order.push_back(i);
        }
    const auto other = [&](std::uint32_t portal, std::uint32_t leaf) {
        const auto& leaves = tree.portals[portal].leaves;
        return leaves[0] == leaf ? leaves[1] : leaves[0];
    };
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const std::uint32_t portal : tree.leaves[order[next]].portals) {
            const std::uint32_t leaf = other(portal, order[next]);
            if (way[leaf] != unknown) continue;
            way[leaf] = portal;
            order.push_back(leaf);
        }
    for (std::uint32_t e = 0; e < map.entities.size(); ++e) {
        const MapEntity& entity = map.entities[e];
        if (entity.omitted || !entity.brushes.empty() || !entity.patches.empty()) continue;
        const auto origin = entity.vector("origin");
        if (!origin) continue;
        std::uint32_t leaf = tree.leaf_at(*origin);
        if (tree.leaves[leaf].solid || way[leaf] == unknown) continue;
        LevelLeak leak;
        leak.entity = e;
        leak.path.push_back(*origin);
        for (; way[leaf] != border; leaf = other(leak.portals.back(), leaf)) {
            leak.portals.push_back(way[leaf]);
            leak.path.push_back(tree.portals[way[leaf]].centre);
            const double width = width_of(tree.portals[way[leaf]]);
            leak.narrowest = leak.portals.size() == 1 ? width : std::min(leak.narrowest, width);
        }
        leak.path.push_back((tree.leaves[leaf].low + tree.leaves[leaf].high) / 2);
        return leak;
    }
    return std::nullopt;
}

std::string lin_text(const LevelLeak& leak) {
    std::string out;
    for (const DVec3& at : leak.path) {
        char line[160];
        std::snprintf(line, sizeof line, "%.6f %.6f %.6f\n", at.x, at.y, at.z);
        std::replace(line, line + sizeof line, ',', '.'); // some locales write 0,5
        out += line;
    }
    return out;
}

} // namespace scree
