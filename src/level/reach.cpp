// SPDX-License-Identifier: MIT
// reach.cpp — which empty leaves of a level a player gets to, and why not to others.
#include "scree/level_tree.h"

#include <algorithm>

namespace scree {

LevelReach find_reach(const Map& map, const LevelTree& tree) {
    constexpr std::uint32_t nobody = 0xffffffffu;
    std::vector<bool> seen(tree.leaves.size());
    std::vector<std::uint32_t> order;
    // adds what portals lead to from the leaves in `order`
    const auto spread = [&] {
        for (std::size_t next = 0; next < order.size(); ++next)
            for (const std::uint32_t portal : tree.leaves[order[next]].portals)
                for (const std::uint32_t leaf : tree.portals[portal].leaves)
                    if (!seen[leaf]) seen[leaf] = true, order.push_back(leaf);
    };
    const auto begin = [&](std::uint32_t leaf) {
        if (!tree.leaves[leaf].solid && !seen[leaf]) seen[leaf] = true, order.push_back(leaf);
    };
    LevelReach reach;
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i)
        if (tree.leaves[i].border) begin(i);
    spread();
    reach.outside = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> holder(tree.leaves.size(), nobody); // the first entity in a leaf
    for (std::uint32_t e = 0; e < map.entities.size(); ++e)
        if (const auto origin = map.entities[e].vector("origin"); origin && !map.entities[e].omitted) {
            std::uint32_t& first = holder[tree.leaf_at(*origin)];
            first = std::min(first, e);
        }
    const auto from = [&](const auto& counts) {
        order.clear();
        std::uint32_t count = 0;
        for (const MapEntity& entity : map.entities)
            if (const auto origin = entity.vector("origin");
                origin && !entity.omitted && counts(entity.classname()))
                begin(tree.leaf_at(*origin)), ++count;
        spread();
        return count;
    };
    reach.starts = from([](std::string_view name) {
        return name.starts_with("info_player_") && name != "info_player_intermission"; // that is a camera
    });
    reach.walked = static_cast<std::uint32_t>(order.size());
    from([](std::string_view name) {
        return name == "info_teleport_destination" || name == "misc_teleporter_dest";
    });
    reach.teleported = static_cast<std::uint32_t>(order.size());
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i) {
        order.clear();
        begin(i);
        if (order.empty()) continue;
        spread();
        LevelReach::Pocket pocket;
        pocket.leaves = static_cast<std::uint32_t>(order.size());
        pocket.low = tree.leaves[i].low, pocket.high = tree.leaves[i].high;
        for (const std::uint32_t leaf : order) {
            pocket.volume += tree.leaves[leaf].volume;
            pocket.low = min(pocket.low, tree.leaves[leaf].low);
            pocket.high = max(pocket.high, tree.leaves[leaf].high);
            if (holder[leaf] != nobody)
                pocket.entity = std::min(pocket.entity.value_or(nobody), holder[leaf]);
        }
        reach.pockets.push_back(pocket);
    }
    return reach;
}

} // namespace scree
