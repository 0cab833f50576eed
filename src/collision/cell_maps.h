// SPDX-License-Identifier: MIT
// cell_maps.h — pairs of boxes that overlap, cell by cell: each cell has a map of its own, sorted along three axes.
//
// What is fixed is in the maps from the beginning; what moves enters and leaves them. Two shapes are a pair while their boxes
// overlap in a cell that both are in. A shape that is everywhere is compared with all others instead. Without cells there is one
// map for the whole world.
#pragma once

#include "collision/sweep_and_prune.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

class CellMaps {
public:
    using Pair = SweepAndPrune::Pair;
    /// A proxy as the maps begin with it.
    struct Entry {
        std::uint32_t proxy;
        DBox box;
        std::span<const std::uint32_t> cells; ///< in order
        bool fixed, moves;
        bool everywhere = false; ///< in no cell, compared with all
    };

    /// Without cells: see SweepAndPrune.
    void rebuild(std::span<const std::uint32_t> proxies, std::span<const std::uint8_t> moves,
                 std::span<const DBox> boxes);
    void rebuild(std::uint32_t cells, std::span<const Entry> entries);
    bool has_cells() const { return has_cells_; }

    /// New bounds of a proxy; with cells also those that it may be in.
    void set(std::uint32_t proxy, const DBox& box);
    void set(std::uint32_t proxy, const DBox& box, std::span<const std::uint32_t> cells);
    /// With cells: a proxy that moves, stands or is everywhere otherwise than before.
    void set_way(const Entry& entry);
    void set_moving(std::uint32_t proxy);

    bool holds(std::uint32_t proxy) const;
    const DBox& box(std::uint32_t proxy) const {
        return has_cells_ ? members_[proxy].box : plain_.box(proxy);
    }
    bool moves(std::uint32_t proxy) const { return members_[proxy].moves; } ///< with cells
    bool is_everywhere(std::uint32_t proxy) const { return members_[proxy].everywhere; }
    std::span<const Pair> pairs() const {
        return has_cells_ ? std::span<const Pair>(pairs_) : plain_.pairs();
    }
    std::span<const std::uint32_t> pairs_of(std::uint32_t proxy) const {
        return has_cells_ ? std::span<const std::uint32_t>(members_[proxy].pairs) : plain_.pairs_of(proxy);
    }
    std::span<const std::uint32_t> began() const {
        return has_cells_ ? std::span<const std::uint32_t>(began_) : plain_.began();
    }
    std::span<const std::uint32_t> ended() const {
        return has_cells_ ? std::span<const std::uint32_t>(ended_) : plain_.ended();
    }
    void clear_changes();
    /// Of a proxy that moves and any other; those that share a cell, once for each; and the cells of proxies that move.
    std::uint64_t all_pairs() const;
    std::uint64_t pairs_in_cells() const;
    std::uint64_t memberships() const;
    std::uint64_t everywhere() const;
    std::uint64_t entered() const { return entered_; } ///< since it was made
    /// Of a proxy, in order.
    std::vector<std::uint32_t> cells_of(std::uint32_t proxy) const;
    bool is_in_cells(std::uint32_t proxy) const { return !members_[proxy].places.empty(); }
    std::uint64_t bytes() const; ///< of maps, lists and pairs, about
    std::span<const std::uint32_t> fixed_in(std::uint32_t cell) const { return fixed_[cell]; }

private:
    struct Place {
        std::uint32_t cell, local; ///< its number in the cell's map
    };
    struct Member {
        bool held = false, fixed = false, moves = false, everywhere = false;
        DBox box{};
        std::vector<Place> places;        ///< in the order of cells
        std::vector<std::uint32_t> pairs; ///< slots
    };
    struct Cell {
        SweepAndPrune map;
        std::vector<std::uint32_t> proxies; ///< of local numbers
        std::vector<std::uint32_t> free;
    };
    struct Known {
        std::uint32_t slot = 0, cells = 0; ///< in how many it is a pair
        bool by_hand = false;              ///< one of them is everywhere
    };

    void put(Member& member, const Entry& entry);
    void leave_all(std::uint32_t proxy);
    void enter(std::uint32_t proxy, std::uint32_t cell, std::vector<Place>& places);
    void leave(const Place& place);
    void absorb(std::uint32_t cell);
    void look_by_hand(std::uint32_t proxy);
    void count_by_hand(std::uint32_t a, std::uint32_t b);
    void change(const ProxyPair& pair, int cells, bool by_hand);

    SweepAndPrune plain_;
    bool has_cells_ = false;
    std::vector<Cell> cells_;
    std::vector<std::vector<std::uint32_t>> fixed_; ///< of a cell: fixed proxies
    std::vector<Member> members_;                   ///< of a proxy
    std::vector<std::uint32_t> proxies_, everywhere_;
    std::vector<Place> spare_places_;        ///< of the proxy that is set
    std::vector<std::uint32_t> spare_cells_; ///< likewise
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> free_;
    PairMap<Known> known_;
    std::vector<std::uint32_t> began_, ended_;
    std::uint64_t entered_ = 0;
};

} // namespace scree
