// SPDX-License-Identifier: MIT
// ahead.cpp — events computed ahead of their turn on several threads, and committed in turn by one.
//
// The next events, a batch of them in their order, are computed from the state as it is now; nothing is written but the plans. Then
// the plans are committed in order. A plan holds if nothing that it read was written since: then it is what its event would have
// done in its turn, bit by bit, and only memory is copied. Otherwise the event is processed in its turn, as without threads. So are
// events that came up since and are earlier than the next plan.
//
// What an event of particles i and j reads and writes is i, j and the neighbours of both, and lists of neighbours are symmetric. So
// whatever writes i concerns the plans of i and of neighbours of i, and of no others:
//   - writes of plans are known before: each claims its two particles, and a plan with a neighbour that an earlier one claims is not
//     made at all;
//   - what is processed in turn marks its particles and their neighbours, and plans of marked particles do not hold;
//   - leaving a range changes lists, and reads homes: old neighbours see the claim, new ones are marked, and two new homes within
//     reach of each other do not go together.
#include "impact/flight.h"

#include <bit>
#include <utility>

namespace scree::impact {
namespace {

constexpr std::size_t least_batch = 32, most_batch = 4096, chunk = 16, move_chains = 8192,
                      most_mark_words = 16384;

} // namespace

template <int D>
void Gas<D>::claim(std::uint32_t i, Plan& plan, std::uint32_t number) {
    if (claimed(i, number)) plan.kind = Plan::Kind::in_turn;
    else ahead_.claims[i] = ahead_.base + number;
}

/// Takes the next events out of the calendar. Returns how many.
template <int D>
std::size_t Gas<D>::take_batch(double end) {
    if (ahead_.claims.empty()) {
        ahead_.marks.assign(std::bit_ceil(std::clamp<std::size_t>(size() / 64, 512, most_mark_words)), 0);
        ahead_.chains.assign(move_chains, 0);
        ahead_.plans.resize(most_batch);
        ahead_.found.resize(most_batch);
        ahead_.claims.assign(size(), 0);
        ahead_.wanted = std::clamp<std::size_t>(size() / (D == 2 ? 128 : 256), 2 * least_batch, 1024);
    }
    ahead_.base += most_batch;
    if (ahead_.base > 0xffffffff - 2 * most_batch) {
        std::fill(ahead_.claims.begin(), ahead_.claims.end(), 0u);
        ahead_.base = 1;
    }
    const Alive alive{*this};
    std::uint32_t count = 0;
    while (count < ahead_.wanted) {
        const Entry* next = calendar_.next(alive);
        if (!next || next->time > end) break;
        Plan& plan = ahead_.plans[count];
        plan.entry = *next;
        calendar_.pop(next);
        if (!alive(plan.entry)) continue;
        const Event& now = event(plan.entry.slot);
        plan.partner = is_particle(now.partner) ? now.partner : no_event;
        plan.kind = Plan::Kind::again; // or another: make_plan() sees
        claim(plan.entry.slot, plan, count);
        if (plan.partner != no_event) claim(plan.partner, plan, count);
        ++count;
    }
    return count;
}

template <int D>
void Gas<D>::give_back(std::size_t from, std::size_t count) {
    for (std::size_t k = from; k < count; ++k) calendar_.push(ahead_.plans[k].entry);
}

template <int D>
template <bool G>
void Gas<D>::make_plan(std::uint32_t number, bool lists) {
    using Kind = typename Plan::Kind;
    Plan& plan = ahead_.plans[number];
    if (plan.kind == Kind::in_turn) return;
    plan.kind = Kind::in_turn;
    const auto claimed_of = [&](std::span<const std::uint32_t> all) {
        bool any = false;
        for (const std::uint32_t j : all) any |= claimed(j, number);
        return any;
    };
    const auto walls = [&](std::uint32_t i) { return lists_[i].words[0] >> wall_shift & 0x3f; };
    const std::uint32_t i = plan.entry.slot, j = plan.partner;
    if (claimed_of(neighbours(i))) return;
    const Event now = event(i);
    plan.listed = false;
    if (j != no_event && flying_[j].count == now.count) {
        if (claimed_of(neighbours(j))) return;
        Flying &a = plan.flying[0], &b = plan.flying[1];
        a = flying_[i];
        b = flying_[j];
        const bool dissipates = settings_.restitution < 1;
        double* last[] = {nullptr, nullptr};
        if (dissipates) {
            plan.last[0] = last_impact_[i];
            plan.last[1] = last_impact_[j];
            last[0] = plan.last;
            last[1] = plan.last + 1;
        }
        Vector d;
        const bool ordered = ids_[i] < ids_[j];
        plan.action = ordered ? collide<G>(a, b, last[0], last[1], now.time, d)
                              : collide<G>(b, a, last[1], last[0], now.time, d);
        if (lists && plan.action != no_impact) {
            plan.listed = true;
            plan.impact = ordered ? impact_of(i, j, a, d, plan.action) : impact_of(j, i, b, d, plan.action);
        }
        plan.events[0] = foresee<G, true>(a, now.time, home_[i], walls(i), neighbours(i), {j, &b});
        plan.events[1] = foresee<G, true>(b, now.time, home_[j], walls(j), neighbours(j), {i, &a});
        plan.kind = Kind::hit;
        return;
    }
    Flying& a = plan.flying[0];
    a = flying_[i];
    if (now.partner == leaves_range) {
        advance<G>(a, now.time);
        wrap(a);
        Found& found = ahead_.found[number];
        found.size = 0;
        bool fits = true;
        find(i, a.at, [&](std::span<const std::uint32_t> some) {
            fits &= found.size + some.size() <= std::size(found.slots);
            if (!fits) return;
            std::copy(some.begin(), some.end(), found.slots + found.size);
            found.size += static_cast<std::uint32_t>(some.size());
        });
        const std::span<const std::uint32_t> all(found.slots, found.size);
        if (!fits || claimed_of(all)) return;
        plan.events[0] = foresee<G, false>(a, now.time, a.at, walls_near(i, a.at), all, {});
        plan.kind = Kind::moves;
        return;
    }
    const bool meets_wall = j == no_event;
    if (meets_wall) {
        plan.action = bounce<G>(a, now.partner, now.time);
        plan.listed = lists;
        if (lists) plan.impact = wall_impact_of(i, a, now.partner, plan.action);
    } else {
        advance<G>(a, now.time);
    }
    plan.events[0] = foresee<G, false>(a, now.time, home_[i], walls(i), neighbours(i), {});
    plan.kind = meets_wall ? Kind::wall : Kind::again;
}

/// Whether nothing that a plan read was written since it was made.
template <int D>
bool Gas<D>::holds(std::size_t number) const {
    const Plan& plan = ahead_.plans[number];
    if (plan.kind == Plan::Kind::in_turn) return false;
    const auto marked = [&](std::uint32_t i) { return is_marked(i); };
    if (ahead_.marked) {
        if (marked(plan.entry.slot)) return false;
        if (plan.partner != no_event && marked(plan.partner)) return false;
    }
    if (plan.kind != Plan::Kind::moves) return true;
    const Found& found = ahead_.found[number];
    if (ahead_.marked && std::any_of(found.slots, found.slots + found.size, marked)) return false;
    return ahead_.moves.empty() || !moved_near(plan.flying[0].at, species(plan.flying[0]).radius);
}

/// After a particle has left its range: from this home, in this cell.
template <int D>
void Gas<D>::note_move(std::uint32_t i, const Vector& from, std::uint32_t from_cell) {
    Move m{{from, home_[i]}, species(flying_[i]).radius, {from_cell, cells_.cell_of(i)}, {}};
    for (std::uint32_t k = 0; k < 2; ++k) {
        std::uint32_t& last = ahead_.chains[m.cells[k] % move_chains];
        m.next[k] = last;
        last = static_cast<std::uint32_t>(2 * ahead_.moves.size() + k + 1);
    }
    ahead_.moves.push_back(m);
}

/// Whether a search for the neighbours of this home, which looks into the same cells, would find or miss one that moved in this batch.
template <int D>
bool Gas<D>::moved_near(const Vector& home, double radius) const {
    bool near = false;
    cells_.visit_cells(home, radius, [&](std::size_t cell) {
        for (std::uint32_t at = ahead_.chains[cell % move_chains]; at != 0;) {
            const Move& m = ahead_.moves[(at - 1) / 2];
            const std::uint32_t k = (at - 1) % 2;
            near = near || in_reach(home, m.homes[k], radius + m.radius);
            at = m.next[k];
        }
    });
    return near;
}

/// Does what the event of a plan that holds does.
template <int D>
void Gas<D>::apply(const Plan& plan, std::size_t number, std::vector<Impact>* list) {
    using Kind = typename Plan::Kind;
    const std::uint32_t i = plan.entry.slot, j = plan.partner;
    ++totals.events;
    const auto write = [&](std::uint32_t slot, std::size_t which) {
        // in two dimensions the event is part of it, and expect() writes that
        flying_[slot] = plan.flying[which];
        expect(slot, plan.events[which]);
    };
    switch (plan.kind) {
    case Kind::hit:
        if (plan.action != no_impact) {
            totals.virial += plan.action;
            ++totals.impacts;
        }
        if (settings_.restitution < 1) {
            last_impact_[i] = plan.last[0];
            last_impact_[j] = plan.last[1];
        }
        write(j, 1);
        break;
    case Kind::wall:
        ++totals.wall_impacts;
        totals.wall_impulse += plan.action;
        break;
    case Kind::moves: {
        ++totals.searches;
        const Found& found = ahead_.found[number];
        const Vector from = home_[i];
        const std::uint32_t from_cell = cells_.cell_of(i);
        flying_[i] = plan.flying[0];
        move_home(i);
        note_move(i, from, from_cell);
        enter(i, {found.slots, found.size}, true);
        note_walls(i);
        for (std::uint32_t k = 0; k < found.size; ++k) mark(found.slots[k]);
        ahead_.marked = true;
        break;
    }
    case Kind::again:
        ++totals.again;
        break;
    case Kind::in_turn:
        break; // holds() refuses it
    }
    write(i, 0);
    if (plan.listed) list->push_back(plan.impact);
}

/// Processes an event as without threads, and marks what plans may have read of it.
template <int D>
template <bool G>
void Gas<D>::process_marked(std::uint32_t i, std::vector<Impact>* list) {
    const Event now = event(i);
    const bool moves = now.partner == leaves_range;
    const Vector from = home_[i];
    const std::uint32_t from_cell = cells_.cell_of(i);
    if (moves) mark_around(i);
    process<G>(i, list);
    if (moves) note_move(i, from, from_cell);
    mark_around(i);
    if (is_particle(now.partner)) mark_around(now.partner);
    ahead_.marked = true;
}

/// Lines that the plans after this one will need.
template <int D>
void Gas<D>::fetch_plans(std::size_t number, std::size_t count) const {
    using Kind = typename Plan::Kind;
    if (number + 7 < count) {
        const Plan& plan = ahead_.plans[number + 7];
        if (plan.kind == Kind::in_turn) {
            fetch_particle(plan.entry.slot);
        } else {
            __builtin_prefetch(&flying_[plan.entry.slot], 1);
            calendar_.fetch_bucket(plan.events[0].time);
            if constexpr (D == 3) __builtin_prefetch(&events_[plan.entry.slot], 1);
        }
        if (plan.kind == Kind::moves) {
            const Found& found = ahead_.found[number + 7];
            for (std::uint32_t k = 0; k < found.size; ++k) fetch_list(found.slots[k]);
            fetch_particle(plan.entry.slot);
        } else if (plan.kind == Kind::hit) {
            __builtin_prefetch(&flying_[plan.partner], 1);
            calendar_.fetch_bucket(plan.events[1].time);
            if constexpr (D == 3) __builtin_prefetch(&events_[plan.partner], 1);
        }
    }
    if (number + 4 < count) {
        const Plan& plan = ahead_.plans[number + 4];
        if (plan.kind == Kind::in_turn) {
            fetch_around(plan.entry.slot);
        } else {
            calendar_.fetch_place(plan.events[0].time);
            if (plan.kind == Kind::hit) calendar_.fetch_place(plan.events[1].time);
        }
        if (plan.kind == Kind::moves)
            for (const std::uint32_t j : neighbours(plan.entry.slot)) fetch_list(j);
    }
    if (number + 2 < count && ahead_.plans[number + 2].kind == Kind::in_turn)
        fetch_beyond(ahead_.plans[number + 2].entry.slot);
}

/// Returns false, and puts back what is left, when totals.events is `limit`.
template <int D>
template <bool G>
bool Gas<D>::commit(std::size_t count, std::uint64_t limit, std::vector<Impact>* list, std::size_t& in_turn) {
    if (ahead_.marked) std::fill(ahead_.marks.begin(), ahead_.marks.end(), std::uint64_t{0});
    ahead_.marked = false;
    for (const Move& m : ahead_.moves)
        for (const std::uint32_t cell : m.cells) ahead_.chains[cell % move_chains] = 0;
    ahead_.moves.clear();
    const Alive alive{*this};
    for (std::size_t k = 0; k < count; ++k) {
        const Plan& plan = ahead_.plans[k];
        // what came up since the batch was taken, and is earlier
        for (const Entry* late = calendar_.late(); late && *late < plan.entry; late = calendar_.late()) {
            const Entry entry = *late;
            if (alive(entry) && totals.events == limit) break;
            calendar_.pop(late);
            if (!alive(entry)) continue;
            process_marked<G>(entry.slot, list);
            ++in_turn;
        }
        if (totals.events == limit) {
            give_back(k, count);
            return false;
        }
        fetch_plans(k, count);
        if (holds(k)) {
            apply(plan, k, list);
        } else if (alive(plan.entry)) {
            process_marked<G>(plan.entry.slot, list);
            ++in_turn;
        }
    }
    return true;
}

template <int D>
template <bool G>
bool Gas<D>::run_ahead(double end, std::uint64_t limit, std::vector<Impact>* list, TaskSystem& tasks) {
    for (;;) {
        const std::size_t count = take_batch(end);
        if (count < least_batch) {
            give_back(0, count);
            return run_events<G>(end, limit, list);
        }
        tasks.run(static_cast<int>((count + chunk - 1) / chunk), [&](int task) {
            const std::size_t from = static_cast<std::size_t>(task) * chunk,
                              to = std::min(from + chunk, count);
            const auto fetch = [&](std::size_t k, auto what) {
                if (k < to) (this->*what)(ahead_.plans[k].entry.slot);
            };
            for (std::size_t k = from; k < from + 4; ++k) fetch(k, &Gas::fetch_particle);
            for (std::size_t k = from; k < to; ++k) {
                fetch(k + 4, &Gas::fetch_particle);
                fetch(k + 2, &Gas::fetch_around);
                fetch(k + 1, &Gas::fetch_beyond);
                make_plan<G>(static_cast<std::uint32_t>(k), list != nullptr);
            }
        });
        std::size_t in_turn = 0;
        if (!commit<G>(count, limit, list, in_turn)) return false;

        // longer batches until one event in sixteen is processed in turn
        if (in_turn * 16 > count) ahead_.wanted -= ahead_.wanted / 16;
        else if (count == ahead_.wanted)
            ahead_.wanted = std::min(ahead_.wanted + ahead_.wanted / 16, most_batch);
        if (ahead_.wanted < least_batch) {
            // crowded: without threads for a while
            ahead_.wanted = 2 * least_batch;
            const std::uint64_t stretch = totals.events + 8192;
            if (run_events<G>(end, std::min(limit, stretch), list)) return true;
            if (totals.events == limit) return false;
        }
    }
}

template bool Gas<2>::run_ahead<false>(double, std::uint64_t, std::vector<Impact>*, TaskSystem&);
template bool Gas<2>::run_ahead<true>(double, std::uint64_t, std::vector<Impact>*, TaskSystem&);
template bool Gas<3>::run_ahead<false>(double, std::uint64_t, std::vector<Impact>*, TaskSystem&);
template bool Gas<3>::run_ahead<true>(double, std::uint64_t, std::vector<Impact>*, TaskSystem&);

} // namespace scree::impact
