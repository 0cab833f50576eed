// SPDX-License-Identifier: MIT
// impact_rest.cpp — contacts at rest of Solver::impact: one train of micro-impulses, answered together when a flight begins.
//
// Bodies that slowly touch would have infinitely many impacts. Instead what pulls them in this flight is added to their velocities
// and all of their contacts answer it at once; who is borne flies straight on. Contacts keep three quarters of the tolerance.

#include "rigid/impacts.h"
#include "rigid/parts.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

constexpr double rest_share = 0.75; // of the tolerance, which resting shapes are apart
constexpr double near_share = 4;    // farther points do not touch
constexpr double push_share = 0.2;  // of what is missing, which a flight restores
constexpr int most_sweeps = 400;
constexpr double settled = 1e-10; // m/s

} // namespace

void Impacts::settle(float dt) {
    const double near = near_share * tolerance_, h = double{dt};
    resting_.clear(), rows_.clear();
    resting_at_.assign(flyers_.size(), none);
    const auto place_of = [&](std::uint32_t b) {
        if (resting_at_[b] == none) {
            resting_at_[b] = static_cast<std::uint32_t>(resting_.size());
            resting_.push_back(pushed(b));
            resting_.back().velocity += flyers_[b].pull * h;
        }
        return resting_at_[b];
    };
    // in an order that does not depend on slots, from the ground up: so a stack is answered in few sweeps
    struct Resting {
        double height;
        std::uint64_t name;
        std::uint32_t slot;
    };
    std::vector<Resting> order;
    const DVec3 up = -normalized(wide(p_.world.settings.gravity));
    for (std::uint32_t slot = 0; slot < near_.size(); ++slot) {
        const SweepAndPrune::Pair& pair = boxes_.pairs()[slot];
        if (!pair.alive || !near_[slot].wanted || !near_[slot].measured || near_[slot].gap.distance > near)
            continue;
        order.push_back(
            {dot(near_[slot].gap.on_a, up), std::uint64_t{pair.of.first} << 32 | pair.of.second, slot});
    }
    std::sort(order.begin(), order.end(), [](const Resting& l, const Resting& r) {
        return l.height != r.height ? l.height < r.height : l.name < r.name;
    });
    for (const Resting& each : order) {
        const ProxyPair pair = boxes_.pairs()[each.slot].of;
        const std::uint32_t a = p_.world.shapes.record[pair.first].body,
                            b = p_.world.shapes.record[pair.second].body;
        const Touch touch = touch_of(each.slot, 0, near - near_[each.slot].gap.distance);
        const PushedBody now_a = pushed(a), now_b = pushed(b);
        bool rests = true;
        for (int k = 0; k < touch.count; ++k)
            rests = rests && dot(now_b.speed_at(touch.point[k]) - now_a.speed_at(touch.point[k]),
                                 touch.normal) >= -slow_;
        if (!rests) continue;
        const Contact mixed = materials(each.slot);
        const double rest = rest_share * tolerance_;
        for (int k = 0; k < touch.count; ++k) {
            ContactRow row;
            row.a = place_of(a), row.b = place_of(b);
            row.normal = touch.normal;
            row.point = touch.point[k];
            row.friction = double{mixed.friction};
            row.belt = {mixed.surface_velocity[0], mixed.surface_velocity[1], mixed.surface_velocity[2]};
            const double missing = rest - touch.separation[k];
            row.target = missing > 0
                             ? std::min(push_share * missing / h, double{p_.world.settings.push_speed})
                             : missing / h;
            rows_.push_back(row);
        }
        ++p_.counters.impact.resting;
    }
    if (rows_.empty()) return;
    solve_rows(resting_, rows_, true, most_sweeps, settled);
    std::vector<bool> borne(resting_.size());
    for (const ContactRow& row : rows_)
        if (row.impulse > 0) borne[row.a] = borne[row.b] = true;
    for (std::uint32_t b = 0; b < flyers_.size(); ++b) {
        if (resting_at_[b] == none || !borne[resting_at_[b]] || !p_.movable(b)) continue;
        const PushedBody& rested = resting_[resting_at_[b]];
        flyers_[b].velocity = rested.velocity;
        flyers_[b].spin = rested.spin;
        flyers_[b].pull = {};
        flyers_[b].landed = true;
    }
}

} // namespace scree
