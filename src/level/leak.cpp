// SPDX-License-Identifier: MIT
// leak.cpp — ways from entities to the outside of a level.
#include "scree/level_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

namespace scree {
namespace {

constexpr double far_away = 1e30;
constexpr double near_corner = 1;  // units: what is narrower is a gap, also where a third brush is near
constexpr double off_plane = 1e-4; // units: a portal may lie in the plane of a wall, beside the gap

struct Hit {
    double distance = far_away;
    std::optional<std::uint32_t> brush;
};

/// The first solid leaf on a ray.
Hit first_solid(const LevelTree& tree, DVec3 from, DVec3 along) {
    struct Stretch {
        std::uint32_t at;
        double begin, end;
    };
    std::vector<Stretch> stack{{tree.nodes.empty() ? LevelTree::leaf_bit : 0, 0, far_away}};
    while (!stack.empty()) {
        auto [at, begin, end] = stack.back();
        stack.pop_back();
        while (!(at & LevelTree::leaf_bit)) {
            const LevelTree::Node& node = tree.nodes[at];
            const double height = dot(node.normal, from) - node.distance, speed = dot(node.normal, along);
            const double crossing = speed == 0 ? -1 : -height / speed;
            // the side on which the stretch begins, then the other one
            const double start = height + begin * speed;
            const std::size_t side = start > 0 || (start == 0 && speed > 0) ? 0 : 1;
            if (crossing > begin && crossing < end) {
                stack.push_back({node.children[1 - side], crossing, end});
                end = crossing;
            }
            at = node.children[side];
        }
        const LevelTree::Leaf& leaf = tree.leaves[at & ~LevelTree::leaf_bit];
        if (leaf.solid) return {begin, leaf.brush};
    }
    return {};
}

struct Gap {
    double width = far_away;
    std::array<std::optional<std::uint32_t>, 2> brushes{};
};

/// From brush to brush across the portal: along its plane, at right angles to one of its edges, through its centre. The portal itself
/// may be a small part of the opening.
Gap gap_at(const LevelTree& tree, const LevelTree::Portal& portal) {
    Gap gap;
    for (std::size_t k = 0; k < portal.corners.size(); ++k) {
        const DVec3 edge = portal.corners[(k + 1) % portal.corners.size()] - portal.corners[k];
        const DVec3 across = normalized(cross(portal.normal, edge));
        if (dot(across, across) == 0) continue; // an edge that rounding has left without length
        Hit one, other; // the nearest on either side of the plane; a nudge may lead into a brush
        for (const double side : {off_plane, -off_plane})
            for (Hit* hit : {&one, &other}) {
                const Hit found =
                    first_solid(tree, portal.centre + side * portal.normal, hit == &one ? across : -across);
                if (found.distance > 0 && found.distance < hit->distance) *hit = found;
            }
        const double width = one.distance + other.distance;
        if (width < gap.width) gap = {width, {one.brush, other.brush}};
    }
    return gap;
}

/// Whether the space goes on to both sides of a line from brush to brush, as it does in a narrow gap and not in a corner of a room, where
/// two walls meet.
bool is_between(const LevelTree& tree, DVec3 from, DVec3 to, DVec3 normal) {
    const double width = length(to - from);
    const DVec3 beside = normalized(cross(to - from, normal)), middle = (from + to) / 2;
    return first_solid(tree, middle, beside).distance > 2 * width &&
           first_solid(tree, middle, -beside).distance > 2 * width;
}

/// From brush to brush past a point, by rays in a plane that are a right angle apart or more: brushes that nearly touch with their edges leave an
/// opening that no line across a portal shows. No less than the distance of the brushes.
/// `corners`: those of a room count as well.
Gap gap_around(const LevelTree& tree, DVec3 at, DVec3 across, DVec3 up, bool corners) {
    constexpr std::size_t rays = 16;
    std::array<Hit, rays> hits{};
    std::array<DVec3, rays> along{};
    for (std::size_t i = 0; i < rays; ++i) {
        const double angle = (static_cast<double>(i) + 0.5) * 2 * std::numbers::pi / rays;
        along[i] = std::cos(angle) * across + std::sin(angle) * up;
        hits[i] = first_solid(tree, at, along[i]);
    }
    const DVec3 normal = cross(across, up);
    Gap gap;
    for (std::size_t i = 0; i < rays; ++i)
        for (std::size_t turn = rays / 4; turn <= rays / 2; ++turn) {
            const std::size_t k = (i + turn) % rays;
            const Hit &one = hits[i], &other = hits[k];
            if (!one.brush || !other.brush || *one.brush == *other.brush) continue;
            const double width = one.distance + other.distance;
            if (width > 0 && width < gap.width &&
                (corners || width < near_corner ||
                 is_between(tree, at + one.distance * along[i], at + other.distance * along[k], normal)))
                gap = {width, {one.brush, other.brush}};
        }
    return gap;
}

/// The narrowest on the way from a portal or an entity to the next portal.
Gap gap_before(const LevelTree& tree, DVec3 from, const LevelTree::Portal& portal, bool corners) {
    Gap gap = gap_at(tree, portal);
    const auto take = [&](const Gap& one) {
        if (one.width < gap.width) gap = one;
    };
    for (std::size_t k = 0; k < portal.corners.size(); ++k) {
        const DVec3 edge = portal.corners[(k + 1) % portal.corners.size()] - portal.corners[k];
        const DVec3 across = normalized(cross(portal.normal, edge));
        if (dot(across, across) == 0) continue;
        take(gap_around(tree, portal.centre, across, portal.normal, corners));
    }
    // a gap between two walls that are nearly parallel is a leaf like a sheet, with portals as wide as the walls
    const DVec3 ahead = normalized(portal.centre - from);
    const DVec3 across = normalized(cross(ahead, std::fabs(ahead.z) < 0.7 ? DVec3{0, 0, 1} : DVec3{1, 0, 0}));
    if (dot(across, across) > 0)
        for (const double share : {0.02, 0.25, 0.5, 0.75, 0.98})
            take(gap_around(tree, from + share * (portal.centre - from), across, cross(ahead, across),
                            corners));
    return gap;
}

/// The narrowest on the whole way.
Gap gap_on(const LevelTree& tree, const LevelLeak& leak, bool corners) {
    Gap narrowest;
    for (std::size_t k = 0; k < leak.portals.size(); ++k) {
        const Gap gap = gap_before(tree, leak.path[k], tree.portals[leak.portals[k]], corners);
        if (gap.width < narrowest.width) narrowest = gap;
    }
    return narrowest;
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
        }
        if (!leak.portals.empty()) {
            Gap narrowest = gap_on(tree, leak, false);
            if (!narrowest.brushes[0]) narrowest = gap_on(tree, leak, true);
            if (narrowest.brushes[0]) leak.narrowest = narrowest.width, leak.brushes = narrowest.brushes;
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
        std::replace(line, line + std::strlen(line), ',', '.'); // some locales write 0,5
        out += line;
    }
    return out;
}

} // namespace scree
