// SPDX-License-Identifier: MIT
// bounds_tree.h — a tree of bounds for overlap queries: eight children a node, a static and a moving layer.
//
// A layer is two trees. The old one holds nearly all proxies; those inserted since it was built are in the young one, which
// is small enough to be rebuilt at every update. A tree is packed: every leaf has eight proxies, node i
// of a level has the nodes 8 i ... 8 i + 7 of the level below, so there are no child pointers, and refitting is a loop
// over arrays:
//
//     level 2  [ 0                                  ]
//     level 1  [ 0           | 1           | ...    ]     nodes of level 0 first in memory
//     level 0  [ 0 | 1 | ... | 8 | 9 | ...          ]     leaf i holds the proxies of slots 8 i ... 8 i + 7
//
// Building orders the proxies by splitting at the middle one of the longest axis, so that neither the world's extent
// nor a body far away harms it. A tree is built again when the surface of its leaves has grown by half since then.
// The structure depends on the history; the results of queries do not.
#pragma once

#include "collision/bounds.h"
#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree {

/// The bounds of eight children, one vector instruction for each side: low[axis][child]. An empty place is NaN.
struct alignas(64) BoundsNode {
    float low[3][8];
    float high[3][8];
};

/// One packed tree. Read it from the root, node 0 of level height - 1, down to level 0.
struct PackedTree {
    static constexpr int most_levels = 10;

    std::vector<BoundsNode> nodes;                  ///< all levels, leaves first
    std::array<std::uint32_t, most_levels> first{}; ///< where a level begins in nodes
    std::array<std::uint32_t, most_levels> count{}; ///< nodes of a level
    int height = 0;                                 ///< levels; 0: nothing here
    std::vector<std::uint32_t> proxy;               ///< of every slot of the leaves
    std::vector<std::uint8_t> stale; ///< of every node: a child's bounds changed since the last refit

    std::uint32_t slots = 0;  ///< in use or emptied
    std::uint32_t alive = 0;  ///< slots that hold a proxy
    std::uint32_t sorted = 0; ///< slots that were there at the last build
    double surface = 0;       ///< of all leaves now
    double least_surface = 0; ///< since the last build, but no less than
    double surface_floor = 0; ///< what rounding could leave of it

    bool built() const { return sorted == slots; }
};

/// Memory to work in: a copy of its owner has its own.
template <class T>
struct Uncopied : T {
    Uncopied() = default;
    Uncopied(const Uncopied&) : T() {}
    Uncopied(Uncopied&&) noexcept = default;
    Uncopied& operator=(const Uncopied&) { return *this; }
    Uncopied& operator=(Uncopied&&) noexcept = default;
};

class BoundsTree {
public:
    enum Layer : unsigned { fixed, moving };
    static constexpr unsigned fixed_mask = 1u << fixed, moving_mask = 1u << moving, all_layers = 3;
    static constexpr std::uint32_t no_proxy = 0xffffffffu;

    /// Bounds are as in bounds.h, low not above high. A proxy is inserted once and found after the next update.
    void insert(std::uint32_t proxy, Layer layer, const float* bounds);
    void remove(std::uint32_t proxy);
    /// New bounds. Different proxies may be set by several threads at once, while nothing else is called.
    void set(std::uint32_t proxy, const float* bounds);
    bool holds(std::uint32_t proxy) const { return proxy < place_.size() && place_[proxy] != no_proxy; }
    Layer layer(std::uint32_t proxy) const { return static_cast<Layer>(place_[proxy] >> 31); }
    std::uint32_t size(Layer layer) const { return parts_[2 * layer].alive + parts_[2 * layer + 1].alive; }
    void clear(); ///< keeps the memory

    /// Call before queries, after any change above. The cost grows with the changes, plus a rebuild now and then. The result does
    /// not depend on the tasks, which are null for one thread.
    void update(TaskSystem* tasks = nullptr);

    /// Appends the proxies whose bounds overlap these, each once, in no particular order. Any number of threads.
    void query(const float* bounds, unsigned layer_mask, std::vector<std::uint32_t>& out) const;

    /// For other ways through the tree, rays for one: all trees of a layer together hold its proxies.
    std::span<const PackedTree, 2> trees(Layer layer) const {
        return std::span<const PackedTree, 2>(parts_.data() + 2 * layer, 2);
    }

    std::uint32_t builds() const { return builds_; } ///< of an old tree, since construction
    /// Whether anything has changed since the last call, so that a copy made then is out of date.
    bool take_change() { return std::exchange(changed_, std::uint8_t{0}) != 0; }
    std::size_t memory() const; ///< bytes

private:
    /// A proxy on its way into a tree: where its centre is, and which of gathered_ it is.
    struct Centre {
        float at[3];
        std::uint32_t item;
    };
    struct Gathered {
        float low[3];
        std::uint32_t proxy;
        float high[3];
        std::uint32_t size_class; ///< exponent of the longest side
    };

    /// A run of centres_, and how it is halved.
    struct Range {
        std::uint32_t begin, n;
    };
    void gather(const PackedTree& from);
    void build(unsigned part, TaskSystem* tasks);
    std::uint32_t order_gathered(TaskSystem* tasks);
    std::uint32_t halve(Range range);
    std::uint32_t halve_together(Range range, TaskSystem& tasks);
    void order(Range range);
    void order_together(Range range, TaskSystem* tasks);

    std::array<PackedTree, 4> parts_; ///< 2 layer: old, 2 layer + 1: young
    /// of a proxy: part in the two highest bits, slot
    std::vector<std::uint32_t> place_;
    std::uint32_t builds_ = 0;
    std::uint8_t changed_ = 0; ///< since take_change
    std::uint8_t pending_ = 0; ///< since the last update, which then changes the trees too
    void note_change();

    // while building
    Uncopied<std::vector<Gathered>> gathered_;
    Uncopied<std::vector<Centre>> centres_, spare_;
    Uncopied<std::vector<std::uint8_t>> bins_;
    Uncopied<std::vector<Range>> ranges_, halves_;
    Uncopied<std::vector<std::array<std::uint32_t, 256>>> histograms_; ///< of each chunk
    Uncopied<std::vector<std::array<float, 8>>> spans_;                ///< likewise: low and high
    Uncopied<std::vector<double>> surfaces_;                           ///< changes, of each piece of a tree
};

} // namespace scree
