// SPDX-License-Identifier: MIT
// tree_walk.h — ways through a BoundsTree that look at the nearest first: along a line, and around a point.
#pragma once

#include "collision/bounds_tree.h"
#include "kernels/host_rays.h"
#include "scree/math.h"

#include <bit>
#include <cmath>
#include <limits>

namespace scree {

/// Which of eight keys are no greater than a limit, as bits: branches by each of them would be guessed wrong.
inline std::uint32_t keys_within(const float* key, float limit) {
    std::uint32_t within = 0;
    for (std::uint32_t child = 0; child < 8; ++child) within |= (key[child] <= limit ? 1u : 0u) << child;
    return within;
}

/// Visits proxies, nodes of least key first. keys(node, key) gives a lower bound for each child of a node and infinity for
/// those not to visit; what lies beyond `limit`, which visit(proxy, key) may lower, is left out.
template <class Keys, class Visit>
void walk_nearest(const BoundsTree& tree, const float& limit, const Keys& keys, const Visit& visit) {
    struct Entry {
        float key;
        std::uint32_t level, node;
    };
    Entry stack[8 * PackedTree::most_levels];
    for (const BoundsTree::Layer layer : {BoundsTree::fixed, BoundsTree::moving})
        for (const PackedTree& packed : tree.trees(layer)) {
            if (packed.height == 0) continue;
            std::size_t count = 0;
            stack[count++] = {0, static_cast<std::uint32_t>(packed.height) - 1, 0};
            while (count > 0) {
                const Entry entry = stack[--count];
                if (!(entry.key <= limit)) continue;
                float key[8];
                keys(packed.nodes[packed.first[entry.level] + entry.node], key);
                // farthest first
                std::uint32_t order[8], children = 0;
                for (std::uint32_t met = keys_within(key, limit); met; met &= met - 1) {
                    const auto child = static_cast<std::uint32_t>(std::countr_zero(met));
                    std::uint32_t at = children++;
                    for (; at > 0 && key[order[at - 1]] < key[child]; --at) order[at] = order[at - 1];
                    order[at] = child;
                }
                if (entry.level > 0) {
                    for (std::uint32_t k = 0; k < children; ++k)
                        stack[count++] = {key[order[k]], entry.level - 1, 8 * entry.node + order[k]};
                    continue;
                }
                while (children > 0) {
                    const std::uint32_t child = order[--children];
                    if (key[child] <= limit) visit(packed.proxy[8 * entry.node + child], key[child]);
                }
            }
        }
}

constexpr float tree_rounding = LINE_ROUNDING;

/// Of each child of a node: LINE_NOTHING where it is not met.
inline void node_keys(const ray_kernels::LineWay& way, const BoundsNode& node, float* key) {
    for (int c = 0; c < 8; ++c)
        key[c] = ray_kernels::line_key(&way, node.low[0][c], node.low[1][c], node.low[2][c], node.high[0][c],
                                       node.high[1][c], node.high[2][c]);
}

/// Keys: the share of a translation after which bounds that move with it first meet a child's; they reach from low to high
/// at the start.
class LineKeys {
public:
    LineKeys(const DVec3& low, const DVec3& high, const Vec3& translation)
        : way_(ray_kernels::line_way(ray_kernels::kernel_vector(low), ray_kernels::kernel_vector(high),
                                     translation.x, translation.y, translation.z)) {}
    void operator()(const BoundsNode& node, float* key) const { node_keys(way_, node, key); }

private:
    ray_kernels::LineWay way_;
};

/// Keys: the square of the distance from a point.
class PointKeys {
public:
    explicit PointKeys(const DVec3& point) {
        const double at[3] = {point.x, point.y, point.z};
        for (int axis = 0; axis < 3; ++axis) {
            const double slack = tree_rounding * std::fabs(at[axis]);
            low_[axis] = static_cast<float>(at[axis] - slack);
            high_[axis] = static_cast<float>(at[axis] + slack);
        }
    }
    void operator()(const BoundsNode& node, float* key) const {
        for (int c = 0; c < 8; ++c) {
            float square = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const float below = node.low[axis][c] - high_[axis], above = low_[axis] - node.high[axis][c];
                const float gap = below > above ? below : above;
                square += gap > 0 ? gap * gap : 0;
            }
            key[c] = node.low[0][c] == node.low[0][c] ? square * (1 - 4 * tree_rounding)
                                                      : std::numeric_limits<float>::infinity();
        }
    }

private:
    float low_[3], high_[3];
};

} // namespace scree
