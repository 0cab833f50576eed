// SPDX-License-Identifier: MIT
// tree_walk.h — ways through a BoundsTree that look at the nearest first: along a line, and around a point.
#pragma once

#include "collision/bounds_tree.h"
#include "scree/math.h"

#include <cmath>
#include <limits>

namespace scree {

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
                for (std::uint32_t child = 0; child < 8; ++child) {
                    if (!(key[child] <= limit)) continue;
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

constexpr float tree_rounding = 4.76837158203125e-7f; // 2^-21: more than a few operations round

/// Keys: the share of a translation after which bounds that move with it first meet a child's; they reach from low to high
/// at the start.
class LineKeys {
public:
    LineKeys(const DVec3& low, const DVec3& high, const Vec3& translation) {
        const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
        const float along[3] = {translation.x, translation.y, translation.z};
        for (int axis = 0; axis < 3; ++axis) {
            const double slack = tree_rounding * (std::fabs(lows[axis]) + std::fabs(highs[axis])) + 1e-30;
            low_[axis] = static_cast<float>(lows[axis] - slack);
            high_[axis] = static_cast<float>(highs[axis] + slack);
            // never infinite: 0 times infinity would be no number
            const float least = 1e-30f;
            const float speed =
                along[axis] < 0 ? std::fmin(along[axis], -least) : std::fmax(along[axis], least);
            inverse_[axis] = 1 / speed;
        }
    }
    void operator()(const BoundsNode& node, float* key) const {
        constexpr float nothing = std::numeric_limits<float>::infinity();
        float enter[8], leave[8];
        for (int c = 0; c < 8; ++c) enter[c] = 0, leave[c] = 1;
        for (int axis = 0; axis < 3; ++axis)
            for (int c = 0; c < 8; ++c) {
                const float a = (node.low[axis][c] - high_[axis]) * inverse_[axis];
                const float b = (node.high[axis][c] - low_[axis]) * inverse_[axis];
                const float first = a < b ? a : b, last = a < b ? b : a;
                enter[c] = first > enter[c] ? first : enter[c];
                leave[c] = last < leave[c] ? last : leave[c];
            }
        for (int c = 0; c < 8; ++c) {
            const bool there = node.low[0][c] == node.low[0][c]; // an empty place is NaN
            key[c] = there && enter[c] * (1 - tree_rounding) <= leave[c] * (1 + tree_rounding)
                         ? enter[c] * (1 - tree_rounding)
                         : nothing;
        }
    }

private:
    float low_[3], high_[3], inverse_[3];
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
