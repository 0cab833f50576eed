// SPDX-License-Identifier: MIT
// impacts.cpp — from event to event: the queue of pairs, and impulses (impacts.h).

#include "rigid/impacts.h"

#include "rigid/events.h"
#include "rigid/parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scree {

namespace {

constexpr double longest_flight = 1.0 / 60; // s, for contacts at rest
// A body with more impacts in a flight does not bounce, then does not move any more until the flight ends: so work is bounded.
constexpr std::uint32_t tired_after = 256, halted_after = 1024, measured_most = 20000;
constexpr std::uint32_t busy_after = 8; // impacts in a flight, above which contacts part in the time of one
constexpr std::uint32_t pressed_after = 32; // likewise, above which all that it touches is answered together
constexpr std::uint32_t crushed_after =
    4; // impacts that no impulses answer, above which it waits for the flight's end
constexpr double unanswered = 0.1;    // m/s, by which the last sweep over such rows still changes speeds
constexpr double idle = 1e-9;         // m/s, slower is no approach
constexpr double beside = 1e-6;       // m/s: rounding of points is less
constexpr double impact_share = 0.5;  // of the tolerance, to which shapes fly before they are answered
constexpr double close_share = 0.25;  // likewise, below which they come closer by steps of
constexpr double least_way = 0.125;   // likewise
constexpr double pressed_share = 100; // of the tolerance: piles that fall overlap by half of it for a moment
constexpr std::size_t most_pressed = 24; // bodies that are answered together
constexpr std::uint32_t grain = 32;      // pairs that a thread measures at a time

std::uint64_t name_of(const ProxyPair& pair) { return std::uint64_t{pair.first} << 32 | pair.second; }

double approach_of(std::span<const PushedBody> bodies, const ContactRow& row) {
    return -dot(relative_speed(bodies, row), row.normal);
}
/// Of rows that touch: the one whose bodies approach each other fastest there.
const ContactRow& fastest(std::span<const PushedBody> bodies, std::span<const ContactRow> rows) {
    return *std::max_element(rows.begin(), rows.end(), [&](const ContactRow& l, const ContactRow& r) {
        return approach_of(bodies, l) < approach_of(bodies, r);
    });
}

} // namespace

void Impacts::step(float dt) {
    const auto flights = std::max(1, static_cast<int>(std::ceil(double{dt} / longest_flight - 1e-3)));
    p_.counters.impact = {};
    cell_count_ = {};
    overlap_ = {};
    p_.last_h = 0; // no impulses are carried over
    for (int k = 0; k < flights; ++k) fly(dt / static_cast<float>(flights), double{dt} * k / flights);
}

void Impacts::fly(float dt, double began) {
    const WorldSettings& settings = p_.world.settings;
    tolerance_ = double{settings.impact_tolerance};
    end_ = double{dt};
    began_ = began;
    // bounces within a flight, or as low as the tolerance, are rest
    const double g = length(wide(settings.gravity));
    slow_ = std::max(double{settings.restitution_threshold},
                     std::min(0.5 * g * end_, std::sqrt(20 * g * tolerance_)));
    // then what approaches slowly could be left to the next flight for ever
    short_ = slow_ * end_ < least_way * tolerance_;
    load_bodies(dt);
    place_boxes();
    queue_.clear();
    near_.assign(boxes_.pairs().size(), {});
    to_measure_.clear();
    ImpactCounters& count = p_.counters.impact;
    count.pairs = std::max(count.pairs, boxes_.all_pairs());
    cell_count_.in_cells = std::max(cell_count_.in_cells, boxes_.pairs_in_cells());
    const StepArena::Scope scope(arena_);
    ArenaVector<std::uint32_t> slots(&arena_);
    for (std::uint32_t slot = 0; slot < near_.size(); ++slot)
        if (boxes_.pairs()[slot].alive) slots.push_back(slot);
    sort_for_filter(slots);
    for (const std::uint32_t slot : slots) look_at_pair(slot, 0);
    // the first distances are independent of each other
    p_.crew.each(static_cast<std::uint32_t>(to_measure_.size()), grain,
                 [&](std::uint32_t begin, std::uint32_t end, int) {
                     for (std::uint32_t k = begin; k < end; ++k) measure(to_measure_[k], 0);
                 });
    count.measured += to_measure_.size();
    find_overlaps();
    settle();
    for (const std::uint32_t slot : to_measure_) requeue(slot, 0);
    for (std::uint32_t b = 0; b < flyers_.size(); ++b)
        if (flyers_[b].landed) changed(b, 0);
    if (short_) queue_what_is_close();
    run_queue();
    store_bodies();
    p_.world.callbacks.moved = p_.world.callbacks.unseen = true;
}

/// Impacts leave no overlaps, piles that fall small ones: bodies that are deeper in each other were put there, or are crushed.
void Impacts::find_overlaps() {
    if (overlap_.pairs > 0) return; // of this step's first flight that has any
    const double deep = (p_.world.steps == 0 && began_ == 0 ? 1 : pressed_share) * tolerance_;
    ProxyPair deepest{};
    double depth = 0;
    for (const std::uint32_t slot : to_measure_) {
        const double own = -near_[slot].gap.distance;
        if (!(own > deep)) continue;
        ++overlap_.pairs;
        const ProxyPair pair = boxes_.pairs()[slot].of;
        if (own < depth || (own == depth && name_of(pair) > name_of(deepest))) continue;
        deepest = pair;
        depth = own;
    }
    if (overlap_.pairs == 0) return;
    const auto ends =
        std::minmax(p_.world.shapes.record[deepest.first].body, p_.world.shapes.record[deepest.second].body);
    overlap_.a = ends.first, overlap_.b = ends.second, overlap_.depth = depth;
}

/// The user's filter is asked in the order of shapes: slots depend on the past.
void Impacts::sort_for_filter(std::span<std::uint32_t> slots) const {
    if (!p_.world.callbacks.filter) return;
    const std::span<const CellMaps::Pair> pairs = boxes_.pairs();
    std::sort(slots.begin(), slots.end(),
              [&](std::uint32_t l, std::uint32_t r) { return name_of(pairs[l].of) < name_of(pairs[r].of); });
}

/// A new pair: whether it counts, and when it may meet. Those that are near are measured later, by all threads, if the flight has
/// just begun.
void Impacts::look_at_pair(std::uint32_t slot, double time) {
    if (near_.size() <= slot) near_.resize(std::size_t{slot} + 1);
    const ProxyPair pair = boxes_.pairs()[slot].of;
    Near& near = near_[slot] = {};
    ++p_.counters.impact.candidates;
    near.wanted = wanted_pair(p_.world, pair.first, pair.second);
    if (near.wanted && p_.world.callbacks.filter)
        near.wanted = p_.ask([&] { return p_.world.callbacks.filter(p_.world, pair.first, pair.second); });
    if (!near.wanted) return;
    if (time > 0) {
        estimate(slot, time);
        return;
    }
    if (!may_meet(pair, 0)) return;
    const double far = far_bound(moving(pair.first, 0), moving(pair.second, 0), tolerance_);
    if (!(far > 0)) to_measure_.push_back(slot);
    else if (far < end_) queue_.put(slot, name_of(pair), far);
    p_.counters.impact.queued += far < end_;
}

/// How much closer a pair may come before it is looked at again: to half of the tolerance, or half of what is left.
double Impacts::allowed_way(double distance) const {
    if (distance > tolerance_) return distance - impact_share * tolerance_;
    return distance > close_share * tolerance_ ? 0.5 * distance : least_way * tolerance_;
}

/// Shapes that are closer to each other than an impact leaves them and have no event in this flight: theirs is its beginning.
void Impacts::queue_what_is_close() {
    for (std::uint32_t slot = 0; slot < near_.size(); ++slot) {
        const CellMaps::Pair& pair = boxes_.pairs()[slot];
        const Near& near = near_[slot];
        if (pair.alive && near.wanted && near.measured && !queue_.holds(slot) &&
            near.gap.distance <= impact_share * tolerance_)
            queue_.put(slot, name_of(pair.of), 0);
    }
}

/// The pair's next time, by the gap that it was measured with at this time.
void Impacts::requeue(std::uint32_t slot, double time) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const Gap& gap = near_[slot].gap;
    const double ahead = approach_bound(moving(pair.first, time), moving(pair.second, time), gap.normal,
                                        allowed_way(gap.distance), end_ - time);
    if (time + ahead < end_ && ahead < end_ - time) queue_.put(slot, name_of(pair), time + ahead);
    else queue_.remove(slot);
}

/// The pair's next time after the motion of one of the two changed.
void Impacts::estimate(std::uint32_t slot, double time) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    if (!near_[slot].wanted) return;
    if (!may_meet(pair, time)) {
        near_[slot].measured = false;
        queue_.remove(slot);
        return;
    }
    const double far = far_bound(moving(pair.first, time), moving(pair.second, time), tolerance_);
    if (far > 0) {
        near_[slot].measured = false;
        if (time + far < end_) queue_.put(slot, name_of(pair), time + far);
        else queue_.remove(slot);
        return;
    }
    if (!near_[slot].measured || near_[slot].when != time) {
        measure(slot, time);
        ++p_.counters.impact.measured;
    }
    requeue(slot, time);
}

void Impacts::take_changes(double time) {
    for (const std::uint32_t slot : boxes_.ended())
        if (!boxes_.pairs()[slot].alive) queue_.remove(slot);
    // slots may be used again while pairs are looked at
    const StepArena::Scope scope(arena_);
    ArenaVector<std::uint32_t> began(boxes_.began().begin(), boxes_.began().end(), &arena_);
    boxes_.clear_changes();
    std::erase_if(began, [&](std::uint32_t slot) { return !boxes_.pairs()[slot].alive; });
    sort_for_filter(began);
    for (const std::uint32_t slot : began) {
        queue_.remove(slot);
        to_measure_.clear();
        look_at_pair(slot, time);
        for (const std::uint32_t near : to_measure_) estimate(near, time);
    }
}

/// A body moves otherwise from this time on: its boxes, and all of its pairs and no others.
void Impacts::changed(std::uint32_t b, double time) {
    set_out_[b] = flyers_[b];
    for (std::uint32_t s = p_.world.bodies.record[b].first_shape; s != none;
         s = p_.world.shapes.record[s].next)
        if (boxes_.holds(s)) set_way(s, time);
    take_changes(time);
    for (std::uint32_t s = p_.world.bodies.record[b].first_shape; s != none;
         s = p_.world.shapes.record[s].next)
        if (boxes_.holds(s))
            for (const std::uint32_t slot : boxes_.pairs_of(s)) estimate(slot, time);
}

void Impacts::run_queue() {
    while (!queue_.empty() && queue_.top().time < end_) {
        const PairQueue::Entry next = queue_.top();
        const ProxyPair pair = boxes_.pairs()[next.slot].of;
        for (const std::uint32_t s : {pair.first, pair.second}) {
            Flyer& flyer = flyers_[p_.world.shapes.record[s].body];
            flyer.turn.advance(next.time - flyer.turned_from);
        }
        measure(next.slot, next.time);
        ++p_.counters.impact.measured;
        bool tired = false;
        // pairs that stay farther apart do not count, as filters may have left them out
        const bool close = near_[next.slot].gap.distance <= near_share * tolerance_;
        for (const std::uint32_t s : {pair.first, pair.second}) {
            const std::uint32_t b = p_.world.shapes.record[s].body;
            if (!close || !p_.movable(b) || flyers_[b].halted || ++flyers_[b].measured <= measured_most)
                continue;
            halt(b, next.time);
            tired = true;
        }
        if (tired) continue;
        if (near_[next.slot].gap.distance > tolerance_ || !answer(next.slot, next.time))
            requeue(next.slot, next.time);
    }
}

/// Waits for the end of the flight where it is; others bounce off it as off a wall.
void Impacts::halt(std::uint32_t b, double time) {
    Flyer& flyer = flyers_[b];
    move_to(flyer, time);
    flyer.kept_velocity = flyer.velocity, flyer.kept_spin = flyer.spin;
    flyer.velocity = flyer.pull = flyer.inverse_mass = {};
    flyer.halted = true;
    set_spin(b, {});
    ++p_.counters.impact.halted;
    p_.counters.impact.left_over = std::max(p_.counters.impact.left_over, static_cast<float>(end_ - time));
    changed(b, time);
}

/// A sleeping body that is hit moves from now on, with its island.
void Impacts::wake(std::uint32_t body, double time) {
    p_.wake_body(body);
    for (std::uint32_t k = 0; k < p_.awake_count; ++k) {
        const std::uint32_t b = p_.awake[k];
        if (flyers_[b].moves) continue;
        load_body(b, time);
        set_spin(b, flyers_[b].spin);
        set_out_[b] = flyers_[b];
        flyers_[b].landed = true; // what it rested on bears it until the next flight
        for (std::uint32_t s = p_.world.bodies.record[b].first_shape; s != none;
             s = p_.world.shapes.record[s].next)
            if (boxes_.holds(s)) boxes_.set_moving(s);
    }
    // the lists are those of a world in which it moves
    for (std::size_t k = 0; k < proxies_.size(); ++k)
        moves_[k] = flyers_[p_.world.shapes.record[proxies_[k]].body].moves;
    take_changes(time);
}

/// After an impact without a bounce: the contact bears what pulls one body towards another that does not give way.
void Impacts::land(std::uint32_t a, std::uint32_t b, const DVec3& normal) {
    const auto firm = [&](std::uint32_t body) {
        return flyers_[body].landed || flyers_[body].inverse_mass == DVec3{};
    };
    const double closing = dot(flyers_[a].pull - flyers_[b].pull, normal);
    if (!(closing > 0)) return;
    const bool firm_b = firm(b);
    if (firm_b && !(flyers_[a].inverse_mass == DVec3{})) {
        flyers_[a].pull -= normal * closing;
        flyers_[a].landed = true;
    } else if (firm(a) && !(flyers_[b].inverse_mass == DVec3{})) {
        flyers_[b].pull += normal * closing;
        flyers_[b].landed = true;
    }
}

/// How fast two shapes approach each other where they touch. The nearest points join the others if they are faster: then they do
/// not lie between these.
double Impacts::approach_at(Touch& touch, const Gap& gap, const PushedBody& a, const PushedBody& b) {
    const auto approach = [&](const DVec3& point) {
        return -dot(b.speed_at(point) - a.speed_at(point), touch.normal);
    };
    double fastest = approach(touch.point[0]);
    for (int k = 1; k < touch.count; ++k) fastest = std::max(fastest, approach(touch.point[k]));
    const DVec3 nearest = (gap.on_a + gap.on_b) * 0.5;
    const double own = approach(nearest);
    if (!(own > fastest + beside) || touch.count == 4) return fastest;
    touch.point[touch.count] = nearest;
    touch.separation[touch.count++] = gap.distance;
    return own;
}

/// Two shapes that touch: an impulse where they approach each other. Whether there was one.
bool Impacts::answer(std::uint32_t slot, double time) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const std::uint32_t ends[2] = {p_.world.shapes.record[pair.first].body,
                                   p_.world.shapes.record[pair.second].body};
    Touch touch = touch_of(slot, time, tolerance_);
    for (const std::uint32_t b : ends) move_to(flyers_[b], time);
    const double approach =
        std::max(0.0, approach_at(touch, near_[slot].gap, pushed(ends[0]), pushed(ends[1])));
    if (!(approach > idle)) return false;
    bool tired = false, pushed_any = false;
    for (const std::uint32_t b : ends) {
        if (p_.world.bodies.record[b].asleep) wake(b, time);
        if (!p_.movable(b) || flyers_[b].halted) continue;
        pushed_any = true;
        const std::uint32_t count = ++flyers_[b].impacts;
        tired = tired || count > tired_after;
        if (count <= halted_after) continue;
        halt(b, time);
        return true;
    }
    if (!pushed_any) {
        queue_.remove(slot); // one has halted, and the other is not pushed: nothing parts them in this flight
        return true;
    }
    push_apart(slot, time, touch, approach > slow_, tired);
    return true;
}

/// The motion that an answer left a body, which is where it was.
void Impacts::push_to(std::uint32_t b, const PushedBody& pushed) {
    if (!p_.movable(b) || flyers_[b].halted) return;
    flyers_[b].velocity = pushed.velocity;
    set_spin(b, pushed.spin);
}

void Impacts::push_apart(std::uint32_t slot, double time, const Touch& touch, bool bounces, bool tired) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    const std::uint32_t ends[2] = {p_.world.shapes.record[pair.first].body,
                                   p_.world.shapes.record[pair.second].body};
    const Contact mixed = materials(slot);
    bounces = bounces && !(tired && mixed.restitution < 1); // what keeps its energy does not tire
    std::array<PushedBody, 2> bodies{pushed(ends[0]), pushed(ends[1])};
    const StepArena::Scope scope(arena_);
    ArenaVector<ContactRow> rows(&arena_);
    const std::uint32_t busy = std::max(flyers_[ends[0]].impacts, flyers_[ends[1]].impacts);
    if (busy > pressed_after && answer_together(slot, time, end_ / busy)) return;
    const double flight = short_ ? longest_flight : end_,
                 parting_time = busy > busy_after ? end_ / busy : flight;
    for (int k = 0; k < touch.count; ++k) {
        rows.push_back(row_of(touch, k, mixed));
        // what has come too close parts as slowly as a flight allows, or as the next impact: one that rolls on a rim would sink in
        const double missing = (short_ ? close_share : impact_share) * tolerance_ - touch.separation[k];
        if (missing > 0)
            rows.back().target = std::min(missing / parting_time, double{p_.world.settings.push_speed});
    }
    const ContactRow told = fastest(bodies, rows);
    const ImpactAnswer answered = answer_impact(bodies, rows, bounces ? double{mixed.restitution} : 0);
    ++p_.counters.impact.impacts;
    tell(slot, time, told, answered);
    for (std::size_t k = 0; k < 2; ++k) push_to(ends[k], bodies[k]);
    if (!bounces || !(mixed.restitution > 0)) land(ends[0], ends[1], touch.normal);
    for (const std::uint32_t b : ends)
        if (p_.movable(b) && !flyers_[b].halted) changed(b, time);
}

/// The pairs that touch a body and those that they press it against, at a time: pair by pair each impulse would undo the others.
void Impacts::find_pressed(std::uint32_t slot, double time) {
    pressed_.clear();
    pressed_bodies_.clear();
    const auto name = [&](std::uint32_t of) { return name_of(boxes_.pairs()[of].of); };
    const auto sort_by_name = [&](std::vector<std::uint32_t>& slots) {
        std::sort(slots.begin(), slots.end(),
                  [&](std::uint32_t l, std::uint32_t r) { return name(l) < name(r); });
    };
    const auto take = [&](std::uint32_t shape) {
        const std::uint32_t b = p_.world.shapes.record[shape].body;
        if (std::find(pressed_bodies_.begin(), pressed_bodies_.end(), b) == pressed_bodies_.end())
            pressed_bodies_.push_back(b);
    };
    take(boxes_.pairs()[slot].of.first);
    take(boxes_.pairs()[slot].of.second);
    for (std::size_t next = 0; next < pressed_bodies_.size() && pressed_bodies_.size() < most_pressed;
         ++next) {
        const std::uint32_t b = pressed_bodies_[next];
        if (!p_.movable(b) || flyers_[b].halted || flyers_[b].impacts <= busy_after) continue;
        for (std::uint32_t s = p_.world.bodies.record[b].first_shape; s != none;
             s = p_.world.shapes.record[s].next) {
            if (!boxes_.holds(s)) continue;
            // pairs of a shape are in no order, and not all may find a place
            by_name_.assign(boxes_.pairs_of(s).begin(), boxes_.pairs_of(s).end());
            sort_by_name(by_name_);
            for (const std::uint32_t other : by_name_) {
                const ProxyPair pair = boxes_.pairs()[other].of;
                if (!near_[other].wanted || !may_meet(pair, time) ||
                    far_bound(moving(pair.first, time), moving(pair.second, time), tolerance_) > 0)
                    continue;
                measure(other, time);
                ++p_.counters.impact.measured;
                if (near_[other].gap.distance > tolerance_) continue;
                pressed_.push_back(other);
                take(pair.first), take(pair.second);
            }
        }
    }
    // in an order that depends on neither slots nor the way here
    sort_by_name(pressed_);
    pressed_.erase(std::unique(pressed_.begin(), pressed_.end()), pressed_.end());
    std::sort(pressed_bodies_.begin(), pressed_bodies_.end());
}

/// Whether a body of the pair has been crushed often enough to wait for the end of the flight.
bool Impacts::halt_crushed(std::uint32_t slot, double time) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    bool any = false;
    for (const std::uint32_t s : {pair.first, pair.second}) {
        const std::uint32_t b = p_.world.shapes.record[s].body;
        if (!p_.movable(b) || flyers_[b].halted || ++flyers_[b].crushed <= crushed_after) continue;
        halt(b, time);
        any = true;
    }
    return any;
}

/// An impact of a body that others press: all of its contacts at once, without a bounce. False where it touches one alone.
bool Impacts::answer_together(std::uint32_t slot, double time, double parting_time) {
    find_pressed(slot, time);
    if (pressed_.size() < 2) return false;
    const StepArena::Scope scope(arena_);
    ArenaVector<PushedBody> bodies(&arena_);
    for (const std::uint32_t b : pressed_bodies_) {
        move_to(flyers_[b], time);
        bodies.push_back(pushed(b));
    }
    const auto place = [&](std::uint32_t shape) {
        const std::uint32_t b = p_.world.shapes.record[shape].body;
        return static_cast<std::uint32_t>(
            std::lower_bound(pressed_bodies_.begin(), pressed_bodies_.end(), b) - pressed_bodies_.begin());
    };
    ArenaVector<ContactRow> rows(&arena_);
    std::size_t own_begin = 0, own_end = 0; // rows of this pair
    for (const std::uint32_t each : pressed_) {
        const Touch touch = touch_of(each, time, tolerance_);
        const Contact mixed = materials(each);
        if (each == slot) own_begin = rows.size();
        for (int k = 0; k < touch.count; ++k) {
            ContactRow row = row_of(touch, k, mixed);
            row.a = place(boxes_.pairs()[each].of.first), row.b = place(boxes_.pairs()[each].of.second);
            const double missing = impact_share * tolerance_ - touch.separation[k];
            if (missing > 0)
                row.target = std::min(missing / parting_time, double{p_.world.settings.push_speed});
            rows.push_back(row);
        }
        if (each == slot) own_end = rows.size();
    }
    const std::span<const ContactRow> own(rows.data() + own_begin, own_end - own_begin);
    ContactRow told;
    ImpactAnswer answered;
    if (!own.empty()) {
        told = fastest(bodies, own);
        answered.approach = std::max(0.0, approach_of(bodies, told));
    }
    // between things that do not give way impulses grow with each sweep: nothing parts these bodies, so they wait
    RowsReport report = solve_rows(bodies, rows, true, 200, 1e-9, true, &arena_);
    if (report.change > unanswered) report = solve_rows(bodies, rows, true, 400, 1e-9, true, &arena_);
    if (report.change > unanswered && halt_crushed(slot, time)) return true;
    ++p_.counters.impact.impacts;
    for (const ContactRow& row : own) answered.impulse += row.impulse;
    tell(slot, time, told, answered);
    for (std::size_t k = 0; k < bodies.size(); ++k) push_to(pressed_bodies_[k], bodies[k]);
    const ArenaVector<std::uint32_t> all(pressed_bodies_.begin(), pressed_bodies_.end(), &arena_);
    for (const std::uint32_t b : all)
        if (p_.movable(b) && !flyers_[b].halted) changed(b, time);
    return true;
}

void Impacts::tell(std::uint32_t slot, double time, const ContactRow& row, const ImpactAnswer& answered) {
    const ProxyPair pair = boxes_.pairs()[slot].of;
    if (!((p_.traits[pair.first] | p_.traits[pair.second]) & SHAPE_TELLS_HITS)) return;
    if (!(answered.approach > double{p_.world.settings.hit_speed})) return;
    const TouchPair told = touch_pair(p_.world, pair.first, pair.second, 0);
    p_.world.events.hits.push_back({told.first, told.second, told.first_body, told.second_body,
                                    narrow(row.point), narrow(row.normal),
                                    static_cast<float>(answered.approach),
                                    static_cast<float>(answered.impulse), static_cast<float>(began_ + time)});
}

} // namespace scree
