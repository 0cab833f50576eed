// SPDX-License-Identifier: MIT
// level_arrays.cpp — see level_arrays.h.
// compiled alone

#include "fabric/level_arrays.h"

#include <algorithm>
#include <bit>

namespace scree {
namespace {

float bits(std::uint32_t word) { return std::bit_cast<float>(word); }

} // namespace

LevelArrays level_arrays(std::span<const FabricPlan* const> plans, std::span<const std::uint32_t> first,
                         std::uint32_t vertices, std::uint32_t padding) {
    LevelArrays out;
    std::size_t most = 0;
    for (const FabricPlan* plan : plans) most = std::max(most, plan->levels.size());
    if (most == 0) return out;
    const auto rounded = [&](std::uint32_t count) { return (count + padding - 1) / padding * padding; };
    out.first = rounded(vertices + 1);

    // places of each cloth's vertices: at first the cloth, then its levels
    std::vector<std::uint32_t> finer(first.begin(), first.end());
    std::uint32_t end = out.first;
    const auto no_blend = [&](std::uint32_t place) {
        while (out.blend.size() / 8 < place) {
            out.blend.insert(out.blend.end(), 4, bits(vertices));
            out.blend.insert(out.blend.end(), 4, 0.0f);
        }
    };
    for (std::size_t k = 0; k < most; ++k) {
        LevelRange level{end, 0, {}};
        std::vector<std::uint32_t> place(plans.size());
        std::uint32_t colours = 0;
        for (std::size_t c = 0; c < plans.size(); ++c) {
            place[c] = end;
            if (plans[c]->levels.size() <= k) continue;
            const FabricLevel& of = plans[c]->levels[k];
            colours = std::max(colours, of.link_colours);
            no_blend(finer[c]);
            for (const FabricBlend& blend : of.blend) {
                for (const std::uint32_t v : blend.vertex) out.blend.push_back(bits(place[c] + v));
                out.blend.insert(out.blend.end(), blend.weight.begin(), blend.weight.end());
            }
            const auto begin = static_cast<std::uint32_t>(out.part.size() / 2);
            for (const FabricShare& share : of.shares)
                out.part.insert(out.part.end(), {bits(finer[c] + share.vertex), share.weight});
            for (std::size_t v = 0; v < of.vertex.size(); ++v)
                out.mean.insert(out.mean.end(), {bits(first[c] + of.vertex[v]), 1 / of.mass[v],
                                                 bits(begin + of.first_share[v]),
                                                 bits(of.first_share[v + 1] - of.first_share[v])});
            end += static_cast<std::uint32_t>(of.vertex.size());
        }
        end = rounded(end);
        while (out.first + out.mean.size() / 4 < end)
            out.mean.insert(out.mean.end(), {bits(vertices), 0, 0, 0});
        for (std::uint32_t colour = 0; colour < colours; ++colour) {
            const auto begin = static_cast<std::uint32_t>(out.link.size() / 4);
            for (std::size_t c = 0; c < plans.size(); ++c) {
                if (plans[c]->levels.size() <= k) continue;
                const FabricLevel& of = plans[c]->levels[k];
                for (std::size_t i = 0; i < of.links.size(); ++i)
                    if (of.link_colour[i] == colour)
                        out.link.insert(out.link.end(), {bits(place[c] + of.links[i].vertex[0]),
                                                         bits(place[c] + of.links[i].vertex[1]),
                                                         of.links[i].rest, of.links[i].compliance});
            }
            while (out.link.size() / 4 % padding)
                for (const float word : {bits(vertices), bits(vertices), 0.0f, 0.0f})
                    out.link.push_back(word);
            level.links.push_back({begin, static_cast<std::uint32_t>(out.link.size() / 4) - begin});
        }
        level.count = end - level.first;
        finer = std::move(place);
        out.levels.push_back(std::move(level));
    }
    no_blend(end);
    out.count = end - out.first;
    return out;
}

} // namespace scree
