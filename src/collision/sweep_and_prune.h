// SPDX-License-Identifier: MIT
// sweep_and_prune.h — pairs of boxes that overlap, kept while boxes change (Cohen, Lin, Manocha, Ponamgi 1995).
//
// The ends of all boxes are sorted along three axes. A box that changes moves its ends by insertion; where a beginning passes an
// end, a pair may begin or cease to overlap. Boxes are those of whole trajectories, so a pair that does not overlap cannot meet.
// One that comes later finds what it overlaps among those of the beginning by priority search trees, one an axis.
#pragma once

#include "collision/bounds.h"
#include "collision/double_box.h"
#include "collision/pair_map.h"
#include "collision/priority_search_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// Proxies are numbered by their owner. Two that do not move are never a pair.
class SweepAndPrune {
public:
    struct Pair {
        ProxyPair of;
        bool alive = false;
    };
    struct Change {
        ProxyPair of;
        bool began;
    };

    /// Forgets everything, then holds these: proxies, whether they move, and their boxes. Pairs are those that overlap.
    void rebuild(std::span<const std::uint32_t> proxies, std::span<const std::uint8_t> moves,
                 std::span<const DBox> boxes);
    /// For entries later on: the proxies of rebuild that do not move are searched by trees from now on. They must not change.
    void plant();
    /// One more; its number is not in use. Finds its pairs by the trees.
    void enter(std::uint32_t proxy, const DBox& box, bool moves);
    void leave(std::uint32_t proxy);
    /// New bounds for a proxy.
    void set(std::uint32_t proxy, const DBox& box);
    /// A proxy that stood still moves from now on.
    void set_moving(std::uint32_t proxy);

    bool holds(std::uint32_t proxy) const { return proxy < at_.size() && at_[proxy] != absent; }
    const DBox& box(std::uint32_t proxy) const { return boxes_[at_[proxy]]; }
    /// Slots of pairs, those that ended among them; a slot is used again.
    std::span<const Pair> pairs() const { return pairs_; }
    /// Slots of the pairs of a proxy, in no order.
    std::span<const std::uint32_t> pairs_of(std::uint32_t proxy) const { return of_[at_[proxy]]; }
    std::size_t pair_count() const { return slots_.size(); }
    /// Slots that began and ended since the last call to clear_changes; one that did both is in both.
    std::span<const std::uint32_t> began() const { return began_; }
    std::span<const std::uint32_t> ended() const { return ended_; }
    /// The same in order, by their proxies.
    std::span<const Change> changes() const { return changes_; }
    void clear_changes() { began_.clear(), ended_.clear(), changes_.clear(); }
    std::uint64_t swaps() const { return swaps_; }       ///< of ends, since it was made
    std::uint64_t compared() const { return compared_; } ///< pairs of boxes, likewise
    /// Pairs of a proxy that moves and any other.
    std::uint64_t all_pairs() const;
    std::uint64_t bytes() const; ///< of its lists and pairs, without trees

private:
    static constexpr std::uint32_t absent = 0xffffffffu;
    struct End {
        double value;
        std::uint32_t of; ///< place of the proxy, shifted by one, and 1 for a high end
    };
    static bool before(const End& a, const End& b) {
        return a.value != b.value ? a.value < b.value : (a.of & 1) < (b.of & 1);
    }
    void move_end(std::size_t axis, std::uint32_t end, double value);
    void look(std::uint32_t a, std::uint32_t b); ///< places: begins or ends their pair
    void begin_pair(std::uint32_t a, std::uint32_t b);
    void end_pair(std::uint32_t slot, std::uint64_t key);
    std::uint64_t key_of(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t new_place(std::uint32_t proxy);
    void find_pairs_of(std::uint32_t place);

    std::vector<std::uint32_t> at_;      ///< of a proxy: its place
    std::vector<std::uint32_t> proxies_; ///< of a place
    std::vector<DBox> boxes_;
    std::vector<std::uint8_t> moves_;
    std::vector<std::vector<std::uint32_t>> of_; ///< slots of a place's pairs
    std::array<std::vector<End>, 3> ends_;
    std::array<std::vector<std::uint32_t>, 3> where_; ///< of an end: its place on the axis
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> free_;
    PairMap<std::uint32_t> slots_;
    std::vector<std::uint32_t> began_, ended_;
    std::vector<Change> changes_;
    std::array<PrioritySearchTree, 3> trees_; ///< of places below planted_ that do not move
    std::uint32_t planted_ = 0;               ///< places of rebuild, once trees are planted
    std::vector<std::uint32_t> others_;       ///< places that are in no tree
    std::vector<std::uint32_t> free_places_;
    DVec3 spread_{}; ///< of the boxes in the trees
    std::uint64_t moving_ = 0, held_ = 0;
    std::uint64_t swaps_ = 0, compared_ = 0;
};

} // namespace scree
