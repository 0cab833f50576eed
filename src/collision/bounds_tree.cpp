// SPDX-License-Identifier: MIT
// bounds_tree.cpp — see bounds_tree.h.

#include "collision/bounds_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scree {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float farthest = 1e30f; // centres beyond are moved here for ordering
constexpr std::uint32_t chunk_of_centres = 2048;

// marks may be set by several threads at once; they only ever write 1
void mark(std::uint8_t& flag) {
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&flag, std::uint8_t{1}, __ATOMIC_RELAXED);
}

void write_child(BoundsNode& node, std::uint32_t child, const float* low, const float* high) {
    for (int axis = 0; axis < 3; ++axis) {
        node.low[axis][child] = low[axis];
        node.high[axis][child] = high[axis];
    }
}

void empty_child(BoundsNode& node, std::uint32_t child) {
    constexpr float nothing[3] = {nan, nan, nan};
    write_child(node, child, nothing, nothing);
}

void empty(BoundsNode& node) {
    for (std::uint32_t child = 0; child < 8; ++child) empty_child(node, child);
}

// half the surface, 0 for what is empty or without bound: those say nothing about a tree's quality
double surface(const float* low, const float* high) {
    const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    const float area = x * y + y * z + z * x;
    return area < farthest ? static_cast<double>(area) : 0.0;
}

// The comparisons keep what is there when the child is NaN, so empty places do not count.
#if defined(__SSE2__)

float least(__m128 v) {
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    v = _mm_min_ss(v, _mm_shuffle_ps(v, v, 1));
    return _mm_cvtss_f32(v);
}

float greatest(__m128 v) {
    v = _mm_max_ps(v, _mm_movehl_ps(v, v));
    v = _mm_max_ss(v, _mm_shuffle_ps(v, v, 1));
    return _mm_cvtss_f32(v);
}

void enclose(const BoundsNode& node, float* low, float* high) {
    const __m128 above = _mm_set1_ps(infinity), below = _mm_set1_ps(-infinity);
    for (int axis = 0; axis < 3; ++axis) {
        // min and max give their second operand when either is NaN
        const __m128 l = _mm_min_ps(_mm_load_ps(node.low[axis]), above);
        low[axis] = least(_mm_min_ps(_mm_load_ps(node.low[axis] + 4), l));
        const __m128 h = _mm_max_ps(_mm_load_ps(node.high[axis]), below);
        high[axis] = greatest(_mm_max_ps(_mm_load_ps(node.high[axis] + 4), h));
    }
}

// least and greatest coordinates; the fourth lane is of no use
template <class Centre>
void span_of(const Centre* centres, std::uint32_t n, float* low, float* high) {
    __m128 l = _mm_loadu_ps(centres[0].at), h = l;
    for (std::uint32_t i = 1; i < n; ++i) {
        const __m128 quad = _mm_loadu_ps(centres[i].at);
        l = _mm_min_ps(quad, l);
        h = _mm_max_ps(quad, h);
    }
    _mm_storeu_ps(low, l);
    _mm_storeu_ps(high, h);
}

/// Bounds to ask for, spread over the lanes.
class Probe {
public:
    explicit Probe(const float* bounds) {
        for (int axis = 0; axis < 3; ++axis) {
            low_[axis] = _mm_set1_ps(bounds[axis]);
            high_[axis] = _mm_set1_ps(bounds[4 + axis]);
        }
    }
    /// One bit for each child that overlaps.
    unsigned overlaps(const BoundsNode& node) const { return half(node, 0) | half(node, 4) << 4; }

private:
    unsigned half(const BoundsNode& node, int at) const {
        const __m128 x = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node.low[0] + at), high_[0]),
                                    _mm_cmple_ps(low_[0], _mm_load_ps(node.high[0] + at)));
        const __m128 y = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node.low[1] + at), high_[1]),
                                    _mm_cmple_ps(low_[1], _mm_load_ps(node.high[1] + at)));
        const __m128 z = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node.low[2] + at), high_[2]),
                                    _mm_cmple_ps(low_[2], _mm_load_ps(node.high[2] + at)));
        return static_cast<unsigned>(_mm_movemask_ps(_mm_and_ps(_mm_and_ps(x, y), z)));
    }
    __m128 low_[3], high_[3];
};

#else

void enclose(const BoundsNode& node, float* low, float* high) {
    for (int axis = 0; axis < 3; ++axis) {
        float l = infinity, h = -infinity;
        for (int child = 0; child < 8; ++child) {
            l = node.low[axis][child] < l ? node.low[axis][child] : l;
            h = node.high[axis][child] > h ? node.high[axis][child] : h;
        }
        low[axis] = l;
        high[axis] = h;
    }
}

template <class Centre>
void span_of(const Centre* centres, std::uint32_t n, float* low, float* high) {
    for (int axis = 0; axis < 3; ++axis) low[axis] = high[axis] = centres[0].at[axis];
    for (std::uint32_t i = 1; i < n; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const float at = centres[i].at[axis];
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
}

class Probe {
public:
    explicit Probe(const float* bounds) : bounds_(bounds) {}
    unsigned overlaps(const BoundsNode& node) const {
        unsigned mask = 0;
        for (unsigned child = 0; child < 8; ++child) {
            unsigned all = 1;
            for (int axis = 0; axis < 3; ++axis)
                all &= static_cast<unsigned>(node.low[axis][child] <= bounds_[4 + axis]) &
                       static_cast<unsigned>(bounds_[axis] <= node.high[axis][child]);
            mask |= all << child;
        }
        return mask;
    }

private:
    const float* bounds_;
};

#endif

/// work(begin, end, chunk) for chunks of `grain` items.
template <class Work>
void each_chunk(TaskSystem* tasks, std::uint32_t items, std::uint32_t grain, const Work& work) {
    const auto chunk = [&](int c) {
        const std::uint32_t begin = static_cast<std::uint32_t>(c) * grain;
        work(begin, std::min(items, begin + grain), static_cast<std::uint32_t>(c));
    };
    const auto chunks = static_cast<int>((items + grain - 1) / grain);
    if (tasks && chunks > 1) return tasks->run(chunks, std::cref(chunk));
    for (int c = 0; c < chunks; ++c) chunk(c);
}

// writes a node's bounds into its parent; returns by how much the surface of the leaves grew
double refit(PackedTree& tree, int level, std::uint32_t i) {
    float low[3], high[3];
    enclose(tree.nodes[tree.first[level] + i], low, high);
    BoundsNode& parent = tree.nodes[tree.first[level + 1] + i / 8];
    const std::uint32_t child = i % 8;
    double grown = 0;
    if (level == 0) {
        float old_low[3], old_high[3];
        for (int axis = 0; axis < 3; ++axis) {
            old_low[axis] = parent.low[axis][child];
            old_high[axis] = parent.high[axis][child];
        }
        grown -= surface(old_low, old_high);
    }
    if (low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]) {
        write_child(parent, child, low, high);
        if (level == 0) grown += surface(low, high);
    } else {
        empty_child(parent, child);
    }
    return grown;
}

// nodes begin ... end - 1 of a level, where marked; their parents are marked in turn
double refit_marked(PackedTree& tree, int level, std::uint32_t begin, std::uint32_t end) {
    std::uint8_t* stale = tree.stale.data() + tree.first[level];
    end = std::min(end, tree.count[level]);
    double grown = 0;
    for (std::uint32_t i = begin; i < end;) {
        std::uint64_t eight = 0;
        if (i + 8 <= end) {
            std::memcpy(&eight, stale + i, 8);
            if (eight == 0) {
                i += 8;
                continue;
            }
        }
        const std::uint32_t stop = std::min(i + 8, end);
        for (; i < stop; ++i) {
            if (stale[i] == 0) continue;
            stale[i] = 0;
            if (level + 1 == tree.height) continue;
            grown += refit(tree, level, i);
            tree.stale[tree.first[level + 1] + i / 8] = 1;
        }
    }
    return grown;
}

// Leaves and their parents are looked at only below marked nodes of level 2, so that an unchanged tree costs a byte
// for every 512 proxies. These pieces are refitted side by side.
void refit_all_marked(PackedTree& tree, TaskSystem* tasks, std::vector<double>& grown) {
    constexpr std::uint32_t grain = 4;
    if (tree.height > 2) {
        const std::uint8_t* stale = tree.stale.data() + tree.first[2];
        grown.assign(tree.count[2], 0);
        each_chunk(tasks, tree.count[2], grain, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
            for (std::uint32_t i = begin; i < end; ++i) {
                if (stale[i] == 0) continue;
                grown[i] = refit_marked(tree, 0, 64 * i, 64 * i + 64);
                refit_marked(tree, 1, 8 * i, 8 * i + 8);
            }
        });
        for (const double piece : grown) tree.surface += piece;
    }
    for (int level = tree.height > 2 ? 2 : 0; level < tree.height; ++level)
        tree.surface += refit_marked(tree, level, 0, tree.count[level]);
    tree.least_surface = std::max(std::min(tree.least_surface, tree.surface), tree.surface_floor);
}

bool worn(const PackedTree& tree) {
    return tree.surface > 1.5 * tree.least_surface || tree.slots > 2 * tree.alive + 64;
}

void mark_leaf(PackedTree& tree, std::uint32_t leaf) {
    if (tree.height == 0) return; // not built yet
    mark(tree.stale[leaf]);
    if (tree.height > 2) mark(tree.stale[tree.first[2] + leaf / 64]);
}

void forget(PackedTree& tree) {
    tree.nodes.clear();
    tree.proxy.clear();
    tree.stale.clear();
    tree.height = 0;
    tree.slots = tree.alive = tree.sorted = 0;
    tree.surface = tree.least_surface = tree.surface_floor = 0;
}

// room for a slot behind the last; the levels above the leaves go until the next build
std::uint32_t add_slot(PackedTree& tree) {
    const std::uint32_t slot = tree.slots++;
    if (tree.height != 0) {
        tree.height = 0;
        tree.nodes.resize(tree.count[0]);
    }
    if (slot % 8 == 0) {
        tree.nodes.emplace_back();
        empty(tree.nodes.back());
        tree.proxy.resize(tree.proxy.size() + 8, BoundsTree::no_proxy);
    }
    return slot;
}

// the levels above freshly written leaves
void build_levels(PackedTree& tree, TaskSystem* tasks, std::vector<double>& surfaces) {
    tree.height = 0;
    std::uint32_t total = 0;
    for (std::uint32_t n = tree.slots / 8;; n = (n + 7) / 8) {
        tree.first[tree.height] = total;
        tree.count[tree.height] = n;
        ++tree.height;
        total += n;
        if (n == 1) break;
    }
    tree.nodes.resize(total);
    tree.stale.assign(total, 0);
    tree.surface = 0;
    constexpr std::uint32_t grain = 64;
    for (int level = 0; level + 1 < tree.height; ++level) {
        const std::uint32_t parents = tree.count[level + 1];
        surfaces.assign((parents + grain - 1) / grain, 0);
        each_chunk(tasks, parents, grain, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t chunk) {
            for (std::uint32_t i = begin; i < end; ++i) {
                empty(tree.nodes[tree.first[level + 1] + i]);
                const std::uint32_t last = std::min(8 * i + 8, tree.count[level]);
                for (std::uint32_t child = 8 * i; child < last; ++child)
                    surfaces[chunk] += refit(tree, level, child);
            }
        });
        for (const double piece : surfaces) tree.surface += piece;
    }
    tree.least_surface = tree.surface;
    tree.surface_floor = 1e-6 * tree.surface;
}

/// Results of a query, appended to the caller's vector in large pieces.
struct Found {
    explicit Found(std::vector<std::uint32_t>& to) : out(to) {}
    void flush() {
        out.insert(out.end(), proxies.begin(), proxies.begin() + count);
        count = 0;
    }
    std::vector<std::uint32_t>& out;
    std::array<std::uint32_t, 256> proxies;
    std::uint32_t count = 0;
};

// One step for each child, written out: compilers do not unroll the loop at -O2.
template <class Step>
void for_eight(Step step) {
    step(0u);
    step(1u);
    step(2u);
    step(3u);
    step(4u);
    step(5u);
    step(6u);
    step(7u);
}

// How many children are hit is hard to foresee; writing all eight and counting the right ones is faster than a branch
// that goes wrong.
void query_tree(const PackedTree& tree, const Probe& probe, Found& found) {
    if (tree.height == 0) return;
    struct Visit {
        std::uint32_t node;
        int level;
    };
    // seven siblings wait on every level, and up to eight places behind are written in vain
    std::array<Visit, 8 * PackedTree::most_levels + 8> stack;
    const BoundsNode* nodes = tree.nodes.data();
    std::uint32_t depth = 1;
    stack[0] = {0, tree.height - 1};
    while (depth > 0) {
        const Visit at = stack[--depth];
        const unsigned hits = probe.overlaps(nodes[tree.first[at.level] + at.node]);
        if (at.level == 0) {
            if (found.count > found.proxies.size() - 8) found.flush();
            const std::uint32_t* proxy = tree.proxy.data() + 8 * std::size_t{at.node};
            std::uint32_t count = found.count;
            for_eight([&](unsigned child) {
                found.proxies[count] = proxy[child];
                count += hits >> child & 1;
            });
            found.count = count;
        } else {
            for_eight([&](unsigned child) {
                stack[depth] = {8 * at.node + child, at.level - 1};
                depth += hits >> child & 1;
            });
        }
        // the one after the next is on its way while the next is looked at
        if (depth > 1) {
            const Visit later = stack[depth - 2];
            const char* node = reinterpret_cast<const char*>(nodes + tree.first[later.level] + later.node);
            __builtin_prefetch(node);
            __builtin_prefetch(node + 64);
            __builtin_prefetch(node + 128);
        }
    }
}

} // namespace

/// Several threads write the same, and mostly it is there already.
void BoundsTree::note_change() {
    for (std::uint8_t* flag : {&changed_, &pending_})
        if (!__atomic_load_n(flag, __ATOMIC_RELAXED))
            __atomic_store_n(flag, std::uint8_t{1}, __ATOMIC_RELAXED);
}

void BoundsTree::insert(std::uint32_t proxy, Layer layer, const float* bounds) {
    assert(!holds(proxy));
    note_change();
    if (proxy >= place_.size()) place_.resize(std::size_t{proxy} + 1, no_proxy);
    const unsigned part = 2 * layer + 1;
    PackedTree& young = parts_[part];
    const std::uint32_t slot = add_slot(young);
    young.proxy[slot] = proxy;
    write_child(young.nodes[slot / 8], slot % 8, bounds, bounds + 4);
    ++young.alive;
    place_[proxy] = part << 30 | slot;
}

void BoundsTree::remove(std::uint32_t proxy) {
    assert(holds(proxy));
    note_change();
    PackedTree& tree = parts_[place_[proxy] >> 30];
    const std::uint32_t slot = place_[proxy] & 0x3fffffffu;
    empty_child(tree.nodes[slot / 8], slot % 8);
    tree.proxy[slot] = no_proxy;
    mark_leaf(tree, slot / 8);
    --tree.alive;
    place_[proxy] = no_proxy;
}

void BoundsTree::set(std::uint32_t proxy, const float* bounds) {
    assert(holds(proxy));
    note_change();
    PackedTree& tree = parts_[place_[proxy] >> 30];
    const std::uint32_t slot = place_[proxy] & 0x3fffffffu;
    write_child(tree.nodes[slot / 8], slot % 8, bounds, bounds + 4);
    mark_leaf(tree, slot / 8);
}

void BoundsTree::clear() {
    note_change();
    for (PackedTree& tree : parts_) forget(tree);
    place_.clear();
}

void BoundsTree::update(TaskSystem* tasks) {
    if (!pending_) return;
    pending_ = 0;
    changed_ = 1;
    for (unsigned part = 0; part < 4; part += 2) {
        PackedTree &old = parts_[part], &young = parts_[part + 1];
        // one insertion costs a share of the young tree each time, and of the old one when they are joined; a young
        // tree of the order of the root of the old keeps both small
        const double share = std::sqrt(static_cast<double>(old.alive));
        const bool join = young.alive > 64 + 4 * share;
        refit_all_marked(old, tasks, surfaces_);
        if (young.built()) refit_all_marked(young, tasks, surfaces_);
        if (join || worn(old)) {
            gathered_.clear();
            gather(old);
            gather(young);
            forget(young);
            build(part, tasks);
            ++builds_;
        } else if (!young.built() || worn(young)) {
            gathered_.clear();
            gather(young);
            build(part + 1, tasks);
        }
    }
}

void BoundsTree::query(const float* bounds, unsigned layer_mask, std::vector<std::uint32_t>& out) const {
    const Probe probe(bounds);
    Found found(out);
    for (unsigned part = 0; part < 4; ++part) {
        assert(parts_[part].built());
        if ((layer_mask >> (part / 2) & 1) != 0) query_tree(parts_[part], probe, found);
    }
    found.flush();
}

std::size_t BoundsTree::memory() const {
    std::size_t bytes = place_.capacity() * sizeof(std::uint32_t) + gathered_.capacity() * sizeof(Gathered) +
                        (centres_.capacity() + spare_.capacity()) * sizeof(Centre) + bins_.capacity();
    for (const PackedTree& tree : parts_)
        bytes += tree.nodes.capacity() * sizeof(BoundsNode) + tree.proxy.capacity() * sizeof(std::uint32_t) +
                 tree.stale.capacity();
    return bytes;
}

// building ------------------------------------------------------------------------------------------------------------

void BoundsTree::gather(const PackedTree& from) {
    for (std::uint32_t slot = 0; slot < from.slots; ++slot) {
        if (from.proxy[slot] == no_proxy) continue;
        const BoundsNode& leaf = from.nodes[slot / 8];
        Gathered& item = gathered_.emplace_back();
        item.proxy = from.proxy[slot];
        float longest = 0;
        for (int axis = 0; axis < 3; ++axis) {
            item.low[axis] = leaf.low[axis][slot % 8];
            item.high[axis] = leaf.high[axis][slot % 8];
            const float side = item.high[axis] - item.low[axis];
            longest = side > longest ? side : longest;
        }
        std::memcpy(&item.size_class, &longest, sizeof longest);
        item.size_class >>= 23;
    }
}

void BoundsTree::build(unsigned part, TaskSystem* tasks) {
    PackedTree& tree = parts_[part];
    forget(tree);
    if (gathered_.empty()) return;
    const auto n = static_cast<std::uint32_t>(gathered_.size());
    const std::uint32_t small = order_gathered(tasks);
    // the large ones begin in a leaf of their own
    const std::uint32_t gap = small < n ? (8 - small % 8) % 8 : 0;
    tree.slots = (n + gap + 7) / 8 * 8;
    tree.alive = n;
    tree.sorted = tree.slots;
    tree.nodes.resize(tree.slots / 8);
    tree.proxy.assign(tree.slots, no_proxy);
    if (gap != 0) empty(tree.nodes[small / 8]);
    empty(tree.nodes.back());
    each_chunk(tasks, n, chunk_of_centres, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Gathered& item = gathered_[centres_[i].item];
            const std::uint32_t slot = i < small ? i : i + gap;
            write_child(tree.nodes[slot / 8], slot % 8, item.low, item.high);
            tree.proxy[slot] = item.proxy;
            place_[item.proxy] = part << 30 | slot;
        }
    });
    build_levels(tree, tasks, surfaces_);
}

/// Fills centres_ in the order of the leaves; returns how many come before the large ones.
std::uint32_t BoundsTree::order_gathered(TaskSystem* tasks) {
    const auto n = static_cast<std::uint32_t>(gathered_.size());
    // bounds over eight times larger than nine tenths of all would enlarge the nodes of their neighbours
    std::array<std::uint32_t, 256> histogram{};
    for (const Gathered& item : gathered_) ++histogram[item.size_class];
    std::uint32_t usual = 0;
    for (std::uint32_t below = 0; usual < 255; ++usual) {
        below += histogram[usual];
        if (std::uint64_t{below} * 10 >= std::uint64_t{n} * 9) break;
    }
    std::uint32_t small = 0;
    for (std::uint32_t c = 0; c < 256 && c <= usual + 3; ++c) small += histogram[c];

    centres_.resize(n);
    if (spare_.size() < n) {
        spare_.resize(n);
        bins_.resize(n);
    }
    std::uint32_t next[2] = {0, small};
    for (std::uint32_t i = 0; i < n; ++i) {
        const Gathered& item = gathered_[i];
        Centre& centre = centres_[next[item.size_class > usual + 3 ? 1 : 0]++];
        centre.item = i;
        for (int axis = 0; axis < 3; ++axis) {
            const float at = 0.5f * item.low[axis] + 0.5f * item.high[axis];
            // of no bounds or of one side only
            centre.at[axis] = at > farthest ? farthest : at < -farthest ? -farthest : at == at ? at : 0.0f;
        }
    }
    order_together({0, small}, tasks);
    order_together({small, n - small}, tasks);
    return small;
}

namespace {

/// How many of n come into the first half: nodes end there.
std::uint32_t first_half(std::uint32_t n) {
    std::uint32_t node = 8; // proxies below one child
    while (node < (n + 7) / 8) node *= 8;
    return (n + node - 1) / node / 2 * node;
}

int longest_axis(const float* low, const float* high) {
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
        if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    return longest;
}

// places along an axis
constexpr std::uint32_t most_bins = 256;
std::uint32_t bins_for(std::uint32_t n) { return n < 1024 ? 64 : most_bins; }
float bins_a_metre(std::uint32_t n, float low, float high) {
    return (static_cast<float>(bins_for(n)) - 0.5f) / (high - low);
}

/// Counts by place and notes it.
template <class Centre>
void count_bins(const Centre* centres, std::uint32_t n, int axis, float low, float scale,
                std::uint8_t* bin_of, std::uint32_t* histogram) {
    for (std::uint32_t i = 0; i < n; ++i) {
        const auto bin = static_cast<std::int32_t>((centres[i].at[axis] - low) * scale);
        bin_of[i] = static_cast<std::uint8_t>(bin);
        ++histogram[static_cast<std::size_t>(bin)];
    }
}

/// Moves what is surely below or above `bin`, and the rest between, each to its next place.
template <class Centre>
void move_apart(const Centre* centres, std::uint32_t n, const std::uint8_t* bin_of, std::uint32_t bin,
                std::uint32_t* next, Centre* to) {
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t own = bin_of[i];
        to[next[static_cast<std::uint32_t>(own >= bin) + static_cast<std::uint32_t>(own > bin)]++] =
            centres[i];
    }
}

template <class Centre>
void select_exactly(Centre* centres, std::uint32_t n, std::uint32_t middle, int axis) {
    std::nth_element(centres, centres + middle, centres + n, [axis](const Centre& a, const Centre& b) {
        return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.item < b.item;
    });
}

} // namespace

/// Halves again and again, at places where nodes end, along the longest axis of the centres.
void BoundsTree::order(Range range) {
    while (range.n > 8) {
        const std::uint32_t middle = halve(range);
        order({range.begin, middle});
        range = {range.begin + middle, range.n - middle};
    }
}

/// The same; the large ranges are halved by several threads at once, the many small ones that follow by one each.
void BoundsTree::order_together(Range range, TaskSystem* tasks) {
    constexpr std::uint32_t worth_tasks = 4096, worth_all = 8192, ranges = 64;
    if (!tasks || range.n < worth_tasks) return order(range);
    ranges_.assign(1, range);
    while (ranges_.size() < ranges && ranges_[0].n > 1024) {
        halves_.resize(2 * ranges_.size());
        const auto put = [&](std::size_t k, std::uint32_t middle) {
            const Range whole = ranges_[k];
            halves_[2 * k] = {whole.begin, middle};
            halves_[2 * k + 1] = {whole.begin + middle, whole.n - middle};
        };
        if (ranges_[0].n >= worth_all)
            for (std::size_t k = 0; k < ranges_.size(); ++k) put(k, halve_together(ranges_[k], *tasks));
        else
            each_chunk(tasks, static_cast<std::uint32_t>(ranges_.size()), 1,
                       [&](std::uint32_t k, std::uint32_t, std::uint32_t) { put(k, halve(ranges_[k])); });
        ranges_.swap(halves_);
    }
    each_chunk(tasks, static_cast<std::uint32_t>(ranges_.size()), 1,
               [&](std::uint32_t k, std::uint32_t, std::uint32_t) { order(ranges_[k]); });
}

/// The ones of least coordinate along the longest axis come first; returns how many.
std::uint32_t BoundsTree::halve(Range range) {
    const std::uint32_t n = range.n;
    if (n <= 8) return n;
    Centre* centres = centres_.data() + range.begin;
    const std::uint32_t middle = first_half(n);
    float low[4], high[4];
    span_of(centres, n, low, high);
    const int axis = longest_axis(low, high);
    const float scale = bins_a_metre(n, low[axis], high[axis]);
    if (!(scale < farthest)) { // all in one place, or nearly
        select_exactly(centres, n, middle, axis);
        return middle;
    }
    // count by place, then move in one pass what is surely below or above; the rest is one bin
    std::array<std::uint32_t, most_bins> histogram;
    std::fill_n(histogram.begin(), bins_for(n), 0u);
    std::uint8_t* bin_of = bins_.data() + range.begin;
    count_bins(centres, n, axis, low[axis], scale, bin_of, histogram.data());
    std::uint32_t bin = 0, below = 0;
    while (below + histogram[bin] <= middle) below += histogram[bin++];
    std::uint32_t next[3] = {0, below, below + histogram[bin]};
    Centre* moved = spare_.data() + range.begin;
    move_apart(centres, n, bin_of, bin, next, moved);
    std::memcpy(centres, moved, n * sizeof(Centre));
    if (middle != below) select_exactly(centres + below, histogram[bin], middle - below, axis);
    return middle;
}

/// As halve, with the same result.
std::uint32_t BoundsTree::halve_together(Range range, TaskSystem& tasks) {
    const std::uint32_t n = range.n;
    Centre* centres = centres_.data() + range.begin;
    const std::uint32_t middle = first_half(n);
    const std::uint32_t chunks = (n + chunk_of_centres - 1) / chunk_of_centres;
    spans_.resize(chunks);
    histograms_.resize(chunks);
    each_chunk(&tasks, n, chunk_of_centres, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t c) {
        span_of(centres + begin, end - begin, spans_[c].data(), spans_[c].data() + 4);
    });
    std::array<float, 8> all = spans_[0];
    for (const std::array<float, 8>& of : spans_)
        for (std::size_t k = 0; k < 4; ++k) {
            all[k] = of[k] < all[k] ? of[k] : all[k];
            all[4 + k] = of[4 + k] > all[4 + k] ? of[4 + k] : all[4 + k];
        }
    const int axis = longest_axis(all.data(), all.data() + 4);
    const float low = all[static_cast<std::size_t>(axis)];
    const float scale = bins_a_metre(n, low, all[4 + static_cast<std::size_t>(axis)]);
    if (!(scale < farthest)) {
        select_exactly(centres, n, middle, axis);
        return middle;
    }
    std::uint8_t* bin_of = bins_.data() + range.begin;
    each_chunk(&tasks, n, chunk_of_centres, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t c) {
        histograms_[c].fill(0);
        count_bins(centres + begin, end - begin, axis, low, scale, bin_of + begin, histograms_[c].data());
    });
    const auto in_bin = [&](std::uint32_t bin) {
        std::uint32_t sum = 0;
        for (const auto& histogram : histograms_) sum += histogram[bin];
        return sum;
    };
    std::uint32_t bin = 0, below = 0, here = in_bin(0);
    while (below + here <= middle) {
        below += here;
        here = in_bin(++bin);
    }
    // from here on the first three of each histogram are where its chunk begins to write
    std::uint32_t next[3] = {0, below, below + here};
    for (auto& histogram : histograms_) {
        std::uint32_t counts[3] = {0, histogram[bin], 0};
        for (std::uint32_t k = 0; k < bin; ++k) counts[0] += histogram[k];
        for (std::uint32_t k = bin + 1; k < most_bins; ++k) counts[2] += histogram[k];
        for (int k = 0; k < 3; ++k)
            histogram[static_cast<std::size_t>(k)] = std::exchange(next[k], next[k] + counts[k]);
    }
    Centre* moved = spare_.data() + range.begin;
    each_chunk(&tasks, n, chunk_of_centres, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t c) {
        move_apart(centres + begin, end - begin, bin_of + begin, bin, histograms_[c].data(), moved);
    });
    each_chunk(&tasks, n, chunk_of_centres, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
        std::memcpy(centres + begin, moved + begin, (end - begin) * sizeof(Centre));
    });
    if (middle != below) select_exactly(centres + below, here, middle - below, axis);
    return middle;
}

} // namespace scree
