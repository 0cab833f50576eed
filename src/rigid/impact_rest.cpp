// SPDX-License-Identifier: MIT
// impact_rest.cpp — contacts at rest of Solver::impact: one train of micro-impulses, answered together when a flight begins.
//
// Bodies that slowly touch would have infinitely many impacts. Instead what pulls them in this flight is added to their velocities
// and all of their contacts answer it at once; who is borne flies straight on. Contacts keep half to three quarters of the tolerance.

#include "rigid/impacts.h"
#include "rigid/parts.h"

#include <algorithm>

namespace scree {

namespace {

constexpr double rest_share = 0.75; // of the tolerance, which shapes that come to rest are apart
constexpr double least_share =
    0.5; // closer ones are pushed apart: impacts are found at this distance at least
constexpr double push_share = 0.2; // of what is missing, which a flight restores
constexpr int most_sweeps = 1000;
constexpr double settled = 2e-8; // m/s

} // namespace

/// Pairs that are near, in an order that does not depend on slots: from the ground up, so that a stack is answered in few sweeps.
ArenaVector<std::uint32_t> Impacts::near_slots() {
    struct Placed {
        double height;
        std::uint64_t name;
        std::uint32_t slot;
    };
    ArenaVector<Placed> order(&arena_);
    const DVec3 up = -normalized(wide(p_.world.settings.gravity));
    for (std::uint32_t slot = 0; slot < near_.size(); ++slot) {
        const CellMaps::Pair& pair = boxes_.pairs()[slot];
        const Near& near = near_[slot];
        if (!pair.alive || !near.wanted || !near.measured || near.gap.distance > near_share * tolerance_)
            continue;
        order.push_back({dot(near.gap.on_a, up), std::uint64_t{pair.of.first} << 32 | pair.of.second, slot});
    }
    std::sort(order.begin(), order.end(), [](const Placed& l, const Placed& r) {
        return l.height != r.height ? l.height < r.height : l.name < r.name;
    });
    ArenaVector<std::uint32_t> slots(&arena_);
    slots.reserve(order.size());
    for (const Placed& each : order) slots.push_back(each.slot);
    return slots;
}

/// The body among those at rest, with what pulls it in this flight and the spin of its middle.
std::uint32_t Impacts::rest_place(std::uint32_t b) {
    if (resting_at_[b] == none) {
        resting_at_[b] = static_cast<std::uint32_t>(resting_.size());
        resting_.push_back(pushed(b));
        resting_.back().velocity += flyers_[b].pull * end_;
        resting_.back().spin = middle_spin(b);
    }
    return resting_at_[b];
}

/// The pair's rows, if no point of it approaches fast: that is an impact.
void Impacts::add_resting(std::uint32_t slot) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const std::uint32_t a = p_.world.shapes.record[pair.first].body,
                        b = p_.world.shapes.record[pair.second].body;
    const Touch touch = touch_of(slot, 0, near_share * tolerance_ - near_[slot].gap.distance);
    PushedBody now_a = pushed(a), now_b = pushed(b);
    const auto is_impact = [&] {
        for (int k = 0; k < touch.count; ++k)
            if (dot(now_b.speed_at(touch.point[k]) - now_a.speed_at(touch.point[k]), touch.normal) < -slow_)
                return true;
        return false;
    };
    if (is_impact()) return;
    now_a.spin = middle_spin(a), now_b.spin = middle_spin(b);
    if (is_impact()) return;
    const Contact mixed = materials(slot);
    for (int k = 0; k < touch.count; ++k) {
        ContactRow row = row_of(touch, k, mixed);
        row.a = rest_place(a), row.b = rest_place(b);
        const double left = touch.separation[k] - rest_share * tolerance_,
                     missing = least_share * tolerance_ - touch.separation[k];
        // between the two they stay as they are: a push would go on where nothing pulls them back
        row.target = missing > 0 ? std::min(push_share * missing / end_, double{p_.world.settings.push_speed})
                                 : -std::max(left, 0.0) / end_;
        rows_.push_back(row);
    }
    ++p_.counters.impact.resting;
}

void Impacts::settle() {
    const StepArena::Scope scope(arena_);
    resting_.clear(), rows_.clear();
    resting_at_.assign(flyers_.size(), none);
    for (const std::uint32_t slot : near_slots()) add_resting(slot);
    if (rows_.empty()) return;
    solve_rows(resting_, rows_, true, most_sweeps, settled, true, &arena_);
    ArenaVector<std::uint8_t> borne(resting_.size(), 0, &arena_);
    for (const ContactRow& row : rows_)
        if (row.impulse > 0) borne[row.a] = borne[row.b] = 1;
    for (std::uint32_t b = 0; b < flyers_.size(); ++b) {
        if (resting_at_[b] == none || !borne[resting_at_[b]] || !p_.movable(b)) continue;
        const PushedBody& rested = resting_[resting_at_[b]];
        flyers_[b].velocity = rested.velocity;
        set_spin(b, spin_for_middle(b, rested.spin));
        flyers_[b].pull = {};
        flyers_[b].landed = true;
    }
}

} // namespace scree
