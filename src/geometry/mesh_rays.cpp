// SPDX-License-Identifier: MIT
// mesh_rays.cpp — where rays meet a mesh: a tree of eight children a node, four triangles a leaf.
//
// The mesh's own tree is made for boxes and halves the triangles; rays gain by one with small bounds, made when the first one comes. The
// corners of a leaf's triangles are beside each other. Floats with room for their rounding choose the leaves; the triangles are met
// in double precision, four at a time, so that what is met does not depend on the tree.
// compiled alone

#include "collision/tree_walk.h"
#include "geometry/mesh_geometry.h"
#include "geometry/shape_parts.h"
#include "kernels/mesh_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace scree {

struct MeshRayTree {
    static constexpr std::uint32_t leaf = 0x80000000u, block_size = 4;

    struct Node {
        BoundsNode bounds;                       ///< not scaled
        std::array<std::uint32_t, 8> child = {}; ///< a node, or a block of triangles with the bit `leaf`
    };
    struct alignas(64) Block {
        float corner[3][3][block_size];   ///< not scaled: corner, axis, triangle; an empty place is NaN
        std::uint32_t number[block_size]; ///< of the triangle
    };
    std::vector<Node> nodes; ///< the first is the root
    std::vector<Block> blocks;

    explicit MeshRayTree(const MeshGeometry& mesh);
};

namespace {

// building -------------------------------------------------------------------------------------------------------------

struct Box3 {
    float low[3] = {infinite, infinite, infinite}, high[3] = {-infinite, -infinite, -infinite};

    void add(const Box3& other) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], other.low[axis]);
            high[axis] = std::max(high[axis], other.high[axis]);
        }
    }
    float middle(int axis) const { return 0.5f * low[axis] + 0.5f * high[axis]; }
    /// Half of it.
    float surface() const {
        const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
        return x >= 0 ? x * y + y * z + z * x : 0;
    }

private:
    static constexpr float infinite = std::numeric_limits<float>::infinity();
};

/// A tree of two children a node whose splits make the surfaces of their bounds small (MacDonald and Booth 1990, in bins as Wald
/// 2007), and from it one of eight.
class Builder {
public:
    Builder(const MeshGeometry& mesh, MeshRayTree& out) : mesh_(mesh), out_(out) {
        items_.resize(mesh.triangle_count());
        for (std::uint32_t t = 0; t < items_.size(); ++t) {
            items_[t].triangle = t;
            for (int c = 0; c < 3; ++c) {
                const Vec3 v = mesh.vertices[mesh.triangle(t)[c]];
                items_[t].bounds.add({.low = {v.x, v.y, v.z}, .high = {v.x, v.y, v.z}});
            }
        }
        pairs_.reserve(items_.size());
        split(0, static_cast<std::uint32_t>(items_.size()), 0);
        out_.nodes.reserve(pairs_.size() / 4 + 1);
        out_.blocks.reserve(items_.size() / 2 + 1);
        const std::uint32_t root = 0;
        if (pairs_[0].count) add_node(&root, 1);
        else open(0);
    }

private:
    static constexpr std::uint32_t bins = 16, most_depth = 32;
    struct Item {
        Box3 bounds;
        std::uint32_t triangle;
    };
    struct Pair {
        Box3 bounds;
        std::uint32_t left = 0, right = 0;
        std::uint32_t first = 0, count = 0; ///< items of a leaf
    };
    struct Split {
        int axis = -1;
        std::uint32_t bin = 0;
        double cost = std::numeric_limits<double>::infinity();
    };
    /// Blocks that a leaf would fill.
    static double blocks_of(std::uint32_t count) {
        const std::uint32_t blocks = (count + MeshRayTree::block_size - 1) / MeshRayTree::block_size;
        return blocks;
    }
    static std::uint32_t bin_of(const Item& item, int axis, const Box3& centres) {
        const float width = centres.high[axis] - centres.low[axis];
        const float at = (item.bounds.middle(axis) - centres.low[axis]) / width * static_cast<float>(bins);
        return at < bins - 1 ? static_cast<std::uint32_t>(at) : bins - 1;
    }

    Split best_split(std::uint32_t begin, std::uint32_t end, const Box3& centres) const {
        Split best;
        for (int axis = 0; axis < 3; ++axis) {
            if (!(centres.high[axis] - centres.low[axis] > 0)) continue;
            std::array<Box3, bins> bounds;
            std::array<std::uint32_t, bins> count{};
            for (std::uint32_t k = begin; k < end; ++k) {
                const std::uint32_t bin = bin_of(items_[k], axis, centres);
                bounds[bin].add(items_[k].bounds);
                ++count[bin];
            }
            std::array<double, bins> right{}; ///< cost of this bin and those behind
            Box3 sum;
            std::uint32_t n = 0;
            for (std::uint32_t bin = bins; bin-- > 1;) {
                sum.add(bounds[bin]);
                n += count[bin];
                right[bin] = double{sum.surface()} * blocks_of(n);
            }
            sum = {};
            n = 0;
            for (std::uint32_t bin = 0; bin + 1 < bins; ++bin) {
                sum.add(bounds[bin]);
                n += count[bin];
                if (n == 0 || n == end - begin) continue;
                const double cost = double{sum.surface()} * blocks_of(n) + right[bin + 1];
                if (cost < best.cost) best = {axis, bin, cost};
            }
        }
        return best;
    }
    std::uint32_t split(std::uint32_t begin, std::uint32_t end, std::uint32_t depth) {
        const auto at = static_cast<std::uint32_t>(pairs_.size());
        pairs_.emplace_back();
        Box3 centres;
        for (std::uint32_t k = begin; k < end; ++k) {
            pairs_[at].bounds.add(items_[k].bounds);
            Box3 centre;
            for (int axis = 0; axis < 3; ++axis)
                centre.low[axis] = centre.high[axis] = items_[k].bounds.middle(axis);
            centres.add(centre);
        }
        if (end - begin <= MeshRayTree::block_size) {
            pairs_[at].first = begin, pairs_[at].count = end - begin;
            return at;
        }
        const auto first = items_.begin() + begin, last = items_.begin() + end;
        std::uint32_t middle =
            (begin + end) / 2; // where no split is better than another, or too many were uneven
        const Split best = depth < most_depth ? best_split(begin, end, centres) : Split{};
        if (best.axis >= 0)
            middle = begin + static_cast<std::uint32_t>(std::partition(first, last,
                                                                       [&](const Item& item) {
                                                                           return bin_of(item, best.axis,
                                                                                         centres) <= best.bin;
                                                                       }) -
                                                        first);
        const std::uint32_t left = split(begin, middle, depth + 1), right = split(middle, end, depth + 1);
        pairs_[at].left = left, pairs_[at].right = right;
        return at;
    }

    /// Opens the largest of a node's descendants until there are eight.
    std::uint32_t open(std::uint32_t n) {
        std::uint32_t part[8] = {pairs_[n].left, pairs_[n].right};
        std::uint32_t parts = 2;
        while (parts < 8) {
            std::uint32_t widest = parts;
            for (std::uint32_t k = 0; k < parts; ++k)
                if (!pairs_[part[k]].count && (widest == parts || pairs_[part[k]].bounds.surface() >
                                                                      pairs_[part[widest]].bounds.surface()))
                    widest = k;
            if (widest == parts) break;
            const std::uint32_t opened = part[widest];
            part[widest] = pairs_[opened].left;
            part[parts++] = pairs_[opened].right;
        }
        return add_node(part, parts);
    }
    std::uint32_t add_node(const std::uint32_t* part, std::uint32_t parts) {
        const auto at = static_cast<std::uint32_t>(out_.nodes.size());
        out_.nodes.emplace_back();
        for (std::uint32_t k = 0; k < 8; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                const float nothing = std::numeric_limits<float>::quiet_NaN();
                out_.nodes[at].bounds.low[axis][k] = k < parts ? pairs_[part[k]].bounds.low[axis] : nothing;
                out_.nodes[at].bounds.high[axis][k] = k < parts ? pairs_[part[k]].bounds.high[axis] : nothing;
            }
            if (k >= parts) continue;
            const Pair& pair = pairs_[part[k]];
            const std::uint32_t child = pair.count ? add_block(pair.first, pair.count) : open(part[k]);
            out_.nodes[at].child[k] = child;
        }
        return at;
    }
    std::uint32_t add_block(std::uint32_t first, std::uint32_t count) {
        MeshRayTree::Block& block = out_.blocks.emplace_back();
        for (std::uint32_t k = 0; k < MeshRayTree::block_size; ++k) {
            const std::uint32_t triangle = items_[first + std::min(k, count - 1)].triangle;
            const std::uint32_t* words = mesh_.triangle(triangle);
            block.number[k] = words[3] & MESH_NUMBER;
            for (int c = 0; c < 3; ++c) {
                const Vec3 v = mesh_.vertices[words[c]];
                const float at[3] = {v.x, v.y, v.z};
                for (int axis = 0; axis < 3; ++axis)
                    block.corner[c][axis][k] = k < count ? at[axis] : std::numeric_limits<float>::quiet_NaN();
            }
        }
        return MeshRayTree::leaf | static_cast<std::uint32_t>(out_.blocks.size() - 1);
    }

    const MeshGeometry& mesh_;
    MeshRayTree& out_;
    std::vector<Item> items_;
    std::vector<Pair> pairs_;
};

// rays -----------------------------------------------------------------------------------------------------------------

using namespace ray_kernels;

typedef float Floats __attribute__((vector_size(4 * MeshRayTree::block_size)));
typedef double Doubles __attribute__((vector_size(8 * MeshRayTree::block_size)));

/// The distance of each triangle of a block that the line meets, negative or NaN of the others.
inline void meet(const MeshRayTree::Block& block, const RayShear& shear, const double* scale,
                 const double* origin, double* distance, double* behind) {
    const std::uint32_t axis[3] = {shear.x, shear.y, shear.z};
    Doubles corner[3][3], far, back;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            Floats at;
            std::memcpy(&at, block.corner[c][axis[k]], sizeof at);
            corner[c][k] = __builtin_convertvector(at, Doubles) * scale[axis[k]] - origin[axis[k]];
        }
    shear_meet(shear.sx, shear.sy, shear.along, corner[0], corner[1], corner[2], &far, &back);
    std::memcpy(distance, &far, sizeof far);
    std::memcpy(behind, &back, sizeof back);
}

struct MeshMet {
    double distance = -1; ///< negative: nothing
    bool behind = false;
    std::uint32_t block = 0, place = 0, number = 0;
};

/// What is visited soon.
inline void fetch_ahead(const MeshRayTree& tree, std::uint32_t node) {
#if defined(__GNUC__)
    const auto* at = node & MeshRayTree::leaf
                         ? reinterpret_cast<const char*>(&tree.blocks[node & ~MeshRayTree::leaf])
                         : reinterpret_cast<const char*>(&tree.nodes[node]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
#else
    (void)tree, (void)node;
#endif
}

/// `holds` is asked about triangles that are nearer than those before.
template <class Holds>
inline MeshMet walk(const MeshRayTree& tree, const MeshGeometry& mesh, const Vec3& by, const RayLine& line,
                    double most, const Holds& holds) {
    double end = most;
    const LineWay way = query_mesh_way(line, kernel_vector(wide(by)), kernel_vector(wide(mesh.low)),
                                       kernel_vector(wide(mesh.high)), &end);
    const RayShear shear = shear_of(line.direction);
    const double scale[3] = {by.x, by.y, by.z};
    const double origin[3] = {line.origin.x, line.origin.y, line.origin.z};

    MeshMet best;
    float limit = 1; // share of `end`
    struct Entry {
        float key;
        std::uint32_t node;
    };
    Entry stack[8 * 64];
    std::uint32_t count = 0;
    Entry entry{0, 0};
    for (;;) {
        if (!(entry.node & MeshRayTree::leaf)) {
            const MeshRayTree::Node& node = tree.nodes[entry.node];
            float key[8];
            node_keys(way, node.bounds, key);
            // farthest first
            const std::uint32_t first = count;
            for (std::uint32_t met = keys_within(key, limit); met; met &= met - 1) {
                const auto child = static_cast<std::uint32_t>(std::countr_zero(met));
                const Entry next{key[child], node.child[child]};
                fetch_ahead(tree, next.node);
                std::uint32_t at = count++;
                for (; at > first && stack[at - 1].key < next.key; --at) stack[at] = stack[at - 1];
                stack[at] = next;
            }
        } else {
            const std::uint32_t number = entry.node & ~MeshRayTree::leaf;
            const MeshRayTree::Block& block = tree.blocks[number];
            double distance[MeshRayTree::block_size], behind[MeshRayTree::block_size];
            meet(block, shear, scale, origin, distance, behind);
            for (std::uint32_t k = 0; k < MeshRayTree::block_size; ++k) {
                if (!(distance[k] >= 0 && distance[k] <= most) ||
                    (best.distance >= 0 && distance[k] > best.distance))
                    continue;
                if (behind[k] > 0 && !mesh.options.two_sided) continue;
                if (distance[k] == best.distance && block.number[k] > best.number) continue;
                const MeshMet met{distance[k], behind[k] > 0, number, k, block.number[k]};
                if (!holds(met)) continue;
                best = met;
                limit = static_cast<float>(distance[k] / end) * (1 + LINE_ROUNDING);
            }
        }
        do {
            if (count == 0) return best;
            entry = stack[--count];
        } while (!(entry.key <= limit));
    }
}

// the same in wider instructions, which give the same bits
#if defined(__x86_64__) && defined(__GNUC__)
template <class Holds>
[[gnu::target("avx2"), gnu::flatten]] MeshMet walk_wide(const MeshRayTree& tree, const MeshGeometry& mesh,
                                                        const Vec3& by, const RayLine& line, double most,
                                                        const Holds& holds) {
    return walk(tree, mesh, by, line, most, holds);
}
bool has_wide() { return __builtin_cpu_supports("avx2"); }
#else
template <class Holds>
MeshMet walk_wide(const MeshRayTree& tree, const MeshGeometry& mesh, const Vec3& by, const RayLine& line,
                  double most, const Holds& holds) {
    return walk(tree, mesh, by, line, most, holds);
}
bool has_wide() { return false; }
#endif

RayEntry entry_of(const MeshRayTree& tree, const Vec3& by, const MeshMet& met) {
    if (!(met.distance >= 0)) return no_entry();
    const MeshRayTree::Block& block = tree.blocks[met.block];
    const auto corner = [&](int c) {
        const auto& at = block.corner[c];
        return kernel_vector(scaled({at[0][met.place], at[1][met.place], at[2][met.place]}, by));
    };
    const real3 front = triangle_front(corner(0), corner(1), corner(2));
    return {true, met.distance, met.behind ? -front : front, met.number};
}

template <class Holds>
RayEntry first_entry(const Mesh& mesh, const RayLine& line, double most, const Holds& holds) {
    if (!mesh) return no_entry();
    static const bool wide = has_wide();
    const MeshGeometry& g = mesh.geometry();
    std::call_once(g.rays.made, [&] { g.rays.tree = std::make_shared<const MeshRayTree>(g); });
    const MeshRayTree& tree = *g.rays.tree;
    const Vec3 by = mesh.scale();
    const auto met_holds = [&](const MeshMet& met) { return holds(tree, by, met); };
    return entry_of(tree, by,
                    wide ? walk_wide(tree, g, by, line, most, met_holds)
                         : walk(tree, g, by, line, most, met_holds));
}

} // namespace

MeshRayTree::MeshRayTree(const MeshGeometry& mesh) { Builder(mesh, *this); }

RayEntry mesh_entry(const Mesh& mesh, const RayLine& line, double most) {
    return first_entry(mesh, line, most,
                       [](const MeshRayTree&, const Vec3&, const MeshMet&) { return true; });
}
RayEntry mesh_entry(const Mesh& mesh, const RayLine& line, double most,
                    const std::function<bool(const RayEntry&)>& holds) {
    return first_entry(mesh, line, most, [&](const MeshRayTree& tree, const Vec3& by, const MeshMet& met) {
        return holds(entry_of(tree, by, met));
    });
}

} // namespace scree
