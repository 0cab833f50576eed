// SPDX-License-Identifier: MIT
// priority_search_tree.h — intervals that overlap another, in O(log n + k) (McCreight 1985).
//
// An interval is the point (low, high). Those that overlap [l, r] have low <= r and high >= l. The tree is a heap by `high` and
// divides by `low`: below a node whose high is less than l nothing overlaps, and what lies beyond r is not visited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

class PrioritySearchTree {
public:
    struct Interval {
        double low, high;
        std::uint32_t of;
    };

    void build(std::vector<Interval> intervals) {
        nodes_.clear();
        nodes_.reserve(intervals.size());
        std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
            return a.low != b.low ? a.low < b.low : a.of < b.of;
        });
        root_ = make(intervals.data(), intervals.size());
    }
    std::size_t size() const { return nodes_.size(); }
    /// Calls visit(of) for each that overlaps the closed interval; returns how many nodes it looked at.
    template <class Visit>
    std::size_t overlapping(double low, double high, Visit&& visit) const {
        std::size_t looked = 0;
        look(root_, low, high, visit, looked);
        return looked;
    }

private:
    static constexpr std::uint32_t absent = 0xffffffffu;
    struct Node {
        Interval own;
        double split; ///< the least low of the right side
        std::uint32_t left, right;
    };
    /// Of intervals sorted by their low ends.
    std::uint32_t make(Interval* first, std::size_t count) {
        if (count == 0) return absent;
        Interval* most = std::max_element(
            first, first + count, [](const Interval& a, const Interval& b) { return a.high < b.high; });
        const Interval own = *most;
        std::copy(most + 1, first + count, most); // the others stay sorted
        const std::size_t rest = count - 1, half = rest / 2;
        const auto at = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({own, half < rest ? first[half].low : 0, absent, absent});
        const std::uint32_t left = make(first, half), right = make(first + half, rest - half);
        nodes_[at].left = left, nodes_[at].right = right;
        return at;
    }
    template <class Visit>
    void look(std::uint32_t at, double low, double high, Visit& visit, std::size_t& looked) const {
        while (at != absent) {
            const Node& node = nodes_[at];
            ++looked;
            if (node.own.high < low) return;
            if (node.own.low <= high) visit(node.own.of);
            if (node.right != absent && node.split <= high) look(node.right, low, high, visit, looked);
            at = node.left;
        }
    }

    std::vector<Node> nodes_;
    std::uint32_t root_ = absent;
};

} // namespace scree
