// SPDX-License-Identifier: MIT
// gas.cpp — see gas.h: lists of neighbours, events in turn, the beginning and the end.
#include "impact/gas.h"

#include "impact/flight.h"
#include "impact/order.h"
#include "impact/overlap.h"
#include "scree/error.h"
#include "text/checks.h"

#include <bit>
#include <string>
#include <unordered_map>

namespace scree::impact {
namespace {

// pairs in one cell: from so many on the range is halved, down to this share of the smallest radius; a snapshot has fewer
constexpr std::uint64_t crowded_pairs = std::uint64_t{1} << 18, crowded_pairs_each = 32,
                        most_pairs = std::uint64_t{1} << 32;
constexpr double least_range = 0.1;

double component(const DVec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
template <int D>
std::array<double, D> vector(const DVec3& v) {
    if constexpr (D == 2) return {v.x, v.y};
    else return {v.x, v.y, v.z};
}

} // namespace

// lists of neighbours --------------------------------------------------------------------------------------------------

template <int D>
void Gas<D>::add_neighbour(std::uint32_t i, std::uint32_t j) {
    List& list = lists_[i];
    const std::uint32_t count = list.words[0]++ & count_mask;
    if (!(list.words[0] & is_long) && count < list_words - 1) {
        list.words[1 + count] = j;
        return;
    }
    if (!(list.words[0] & is_long)) {
        std::uint32_t place = static_cast<std::uint32_t>(long_.size());
        if (long_free_.empty()) {
            long_.emplace_back();
        } else {
            place = long_free_.back();
            long_free_.pop_back();
        }
        long_[place].assign(list.words + 1, list.words + 1 + count);
        list.words[0] |= is_long;
        list.words[1] = place;
    }
    long_[list.words[1]].push_back(j);
}

template <int D>
void Gas<D>::remove_neighbour(std::uint32_t i, std::uint32_t j) {
    List& list = lists_[i];
    const std::uint32_t count = list.words[0]-- & count_mask;
    if (list.words[0] & is_long) [[unlikely]] {
        std::vector<std::uint32_t>& all = long_[list.words[1]];
        *std::find(all.begin(), all.end(), j) = all.back();
        all.pop_back();
        return;
    }
    std::uint32_t* at = list.words + 1;
    while (*at != j) ++at;
    *at = list.words[count];
}

/// Enters the neighbours of a particle whose home is new. `both_ways`: enters it on their lists, too.
template <int D>
void Gas<D>::search(std::uint32_t i, bool both_ways) {
    find(i, home_[i], [&](std::span<const std::uint32_t> found) { enter(i, found, both_ways); });
    note_walls(i);
}

template <int D>
void Gas<D>::enter(std::uint32_t i, std::span<const std::uint32_t> found, bool both_ways) {
    for (const std::uint32_t j : found) {
        add_neighbour(i, j);
        if (both_ways) add_neighbour(j, i);
    }
}

template <int D>
void Gas<D>::note_walls(std::uint32_t i) {
    List& list = lists_[i];
    list.words[0] = (list.words[0] & ~(0x3fu << wall_shift)) | walls_near(i, home_[i]) << wall_shift;
}

/// Makes the place of a particle its new home, where it has no neighbours yet.
template <int D>
void Gas<D>::move_home(std::uint32_t i) {
    for (const std::uint32_t j : neighbours(i)) remove_neighbour(j, i);
    List& mine = lists_[i];
    if (mine.words[0] & is_long) {
        long_[mine.words[1]].clear();
        long_free_.push_back(mine.words[1]);
    }
    mine.words[0] = 0;
    home_[i] = flying_[i].at;
    cells_.move(i, home_[i], species(flying_[i]).radius);
}

// events ---------------------------------------------------------------------------------------------------------------

template <int D>
void Gas<D>::expect(std::uint32_t i, const Event& next) {
    event(i) = next;
    if (next.partner != no_event) calendar_.push({next.time, i, ids_[i]});
}

template <int D>
template <bool G>
void Gas<D>::predict(std::uint32_t i, double now) {
    expect(i, foresee<G, false>(flying_[i], now, home_[i], lists_[i].words[0] >> wall_shift & 0x3f,
                                neighbours(i), {}));
}

template <int D>
template <bool G>
void Gas<D>::hit(std::uint32_t i, std::uint32_t j, double now, std::vector<Impact>* list) {
    if (ids_[j] < ids_[i]) std::swap(i, j);
    Vector d;
    const bool dissipates = settings_.restitution < 1;
    const double action = collide<G>(flying_[i], flying_[j], dissipates ? &last_impact_[i] : nullptr,
                                     dissipates ? &last_impact_[j] : nullptr, now, d);
    if (action != no_impact) {
        totals.virial += action;
        ++totals.impacts;
        if (list) list->push_back(impact_of(i, j, flying_[i], d, action));
    }
    predict<G>(i, now);
    predict<G>(j, now);
}

template <int D>
template <bool G>
void Gas<D>::hit_wall(std::uint32_t i, std::uint32_t wall, double now, std::vector<Impact>* list) {
    const double impulse = bounce<G>(flying_[i], wall, now);
    ++totals.wall_impacts;
    totals.wall_impulse += impulse;
    if (list) list->push_back(wall_impact_of(i, flying_[i], wall, impulse));
    predict<G>(i, now);
}

template <int D>
template <bool G>
void Gas<D>::process(std::uint32_t i, std::vector<Impact>* list) {
    const Event now = event(i);
    ++totals.events;
    if (is_particle(now.partner)) {
        if (flying_[now.partner].count == now.count) {
            hit<G>(i, now.partner, now.time, list);
            return;
        }
        ++totals.again;
        advance<G>(flying_[i], now.time);
        predict<G>(i, now.time);
    } else if (now.partner == leaves_range) {
        ++totals.searches;
        advance<G>(flying_[i], now.time);
        wrap(flying_[i]);
        move_home(i);
        search(i, true);
        predict<G>(i, now.time);
    } else {
        hit_wall<G>(i, now.partner, now.time, list);
    }
}

/// Lines of the events that come next, in three stages: the particle, its partner and neighbours, those of the partner.
template <int D>
void Gas<D>::fetch_ahead() const {
    if (const Entry* e = calendar_.ahead(9)) fetch_particle(e->slot);
    if (const Entry* e = calendar_.ahead(5)) fetch_around(e->slot);
    if (const Entry* e = calendar_.ahead(2)) fetch_beyond(e->slot);
}

template <int D>
template <bool G>
bool Gas<D>::run_events(double end, std::uint64_t until, std::vector<Impact>* list) {
    const Alive alive{*this};
    const bool large = size() > 2000; // smaller worlds are in the nearest cache
    while (const Entry* next = calendar_.next(alive)) {
        if (next->time > end) break;
        if (totals.events == until) return false;
        const Entry entry = *next;
        calendar_.pop(next);
        if (large) fetch_ahead();
        if (alive(entry)) process<G>(entry.slot, list);
    }
    return true;
}

template <int D>
double Gas<D>::run(double end, std::vector<Impact>* list, TaskSystem* tasks) {
    const std::uint64_t limit =
        settings_.max_events ? totals.events + settings_.max_events : ~std::uint64_t{0};
    const auto workers = static_cast<std::uint64_t>(tasks ? tasks->workers() : 1);
    const bool together = workers >= ahead_threads && size() * workers >= ahead_from;
    const bool done = together ? falls_ ? run_ahead<true>(end, limit, list, *tasks)
                                        : run_ahead<false>(end, limit, list, *tasks)
                      : falls_ ? run_events<true>(end, limit, list)
                               : run_events<false>(end, limit, list);
    if (done) return end;
    // the time of what comes next, not of entries that no longer count: a restored world does not have those
    const Alive alive{*this};
    const Entry* next = calendar_.next(alive);
    while (next && !alive(*next)) {
        calendar_.pop(next);
        next = calendar_.next(alive);
    }
    return next ? std::min(next->time, end) : end;
}

template <int D>
void Gas<D>::set_velocity(std::uint32_t id, const DVec3& velocity, double now) {
    const std::uint32_t i = slots_[id];
    if (falls_) advance<true>(flying_[i], now);
    else advance<false>(flying_[i], now);
    flying_[i].velocity = vector<D>(velocity);
    ++flying_[i].count;
    if (falls_) predict<true>(i, now);
    else predict<false>(i, now);
}

// beginning and end ----------------------------------------------------------------------------------------------------

/// Half the side of the ranges: so large that a particle has a few more neighbours than it touches.
template <int D>
void Gas<D>::choose_range(std::span<const Flight> flights) {
    double radius = 0, largest = 0, volume = 1, sides = 0, shortest_period = never;
    for (const Flight& f : flights) {
        radius += f.particle.radius;
        largest = std::max(largest, f.particle.radius);
    }
    const auto count = static_cast<double>(flights.size());
    const double distance = 2 * radius / count;
    for (int k = 0; k < D; ++k) {
        volume *= upper_[k] - lower_[k];
        sides += upper_[k] - lower_[k];
        if (period_[k] > 0) shortest_period = std::min(shortest_period, period_[k]);
    }
    // the volume where the middle of a neighbour may be: a cube of side w with everything nearer than `distance` (Steiner)
    const double wanted = (D == 2 ? 9.5 : 17.0) * volume / count;
    // by halving: cube roots of libraries differ in bits, and the range has an influence on the rounding of places
    double low = 0, high = 3 * sides;
    for (int k = 0; k < 60; ++k) {
        const double w = 0.5 * (low + high);
        double taken = D == 2 ? w * w + 4 * w * distance + 3.14159265358979 * distance * distance
                              : w * w * w + 6 * w * w * distance +
                                    3 * 3.14159265358979 * w * distance * distance +
                                    4.18879020478639 * distance * distance * distance;
        // of a flat box only a slice
        for (int axis = 0; axis < D; ++axis)
            taken *= std::min(1.0, (upper_[axis] - lower_[axis]) / (w + 2 * distance));
        (taken < wanted ? low : high) = w;
    }
    range_ = std::max(low / 4, 0.02 * distance);
    // differences to the nearest image must stay unique
    if (shortest_period < never) range_ = std::min(range_, (shortest_period / 2 - 2 * largest) / 4);
}

template <int D>
void Gas<D>::store(std::span<const Flight> flights, bool saved, std::uint32_t halvings) {
    const std::size_t count = flights.size();
    flying_ = PageArray<Flying>(count);
    if constexpr (D == 3) events_ = PageArray<Event>(count);
    lists_ = PageArray<List>(count);
    home_ = PageArray<Vector>(count);
    slots_.resize(count);
    ids_ = curve_order<D>(flights, settings_);
    if (settings_.restitution < 1) last_impact_.resize(count);
    std::vector<double> radii(count);
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>
        known; // species by the bits of their radius
    for (std::uint32_t i = 0; i < count; ++i) {
        const Flight& f = flights[ids_[i]];
        slots_[ids_[i]] = i;
        Flying& flying = flying_[i];
        flying.at = vector<D>(f.particle.position);
        flying.velocity = vector<D>(f.particle.velocity);
        flying.time = f.time;
        flying.count = 0;
        home_[i] = vector<D>(f.home);
        radii[i] = f.particle.radius;
        if (settings_.restitution < 1) last_impact_[i] = f.last_impact;
        const Species kind{f.particle.radius, 1 / f.particle.mass, f.particle.mass,
                           f.particle.mass == INFINITY ? 0.0 : 1.0};
        immovable_ |= kind.inverse_mass == 0;
        std::vector<std::uint32_t>& same = known[std::bit_cast<std::uint64_t>(kind.radius)];
        const auto found = std::find_if(same.begin(), same.end(),
                                        [&](std::uint32_t s) { return species_[s].mass == kind.mass; });
        if (found != same.end()) {
            flying.species = *found;
        } else {
            flying.species = static_cast<std::uint32_t>(species_.size());
            if (same.size() < 8) same.push_back(flying.species);
            species_.push_back(kind);
        }
    }
    std::array<bool, D> wraps{};
    Vector size;
    for (int k = 0; k < D; ++k) {
        wraps[k] = period_[k] > 0;
        size[k] = upper_[k] - lower_[k];
    }
    const auto fill_cells = [&](double margin) {
        cells_.reset(radii, margin, lower_, size, wraps);
        for (std::uint32_t i = 0; i < count; ++i) cells_.insert(i, home_[i], radii[i]);
    };
    // before lists, which have all pairs of a crowd
    if (!saved) {
        fill_cells(0);
        refuse_overlaps(radii);
    }
    const double smallest = *std::min_element(radii.begin(), radii.end());
    const auto halve = [&] {
        range_ *= 0.5;
        ++halvings_;
    };
    const auto may_halve = [&] { return range_ > least_range * smallest; };
    while (halvings_ < halvings) {
        if (!may_halve()) refuse(halvings, "halvings of the range", std::to_string(halvings_) + " at most");
        halve();
    }
    for (;; halve()) {
        fill_cells(2 * range_ * (1 + 1e-9));
        const std::uint64_t pairs = cells_.crowding();
        if (saved && pairs > most_pairs)
            throw Error("more particles are in one place than lists can have", "particles");
        // where particles are in a small part of the box, lists for the mean of all of it would be too long
        if (saved || pairs <= crowded_pairs + crowded_pairs_each * count || !may_halve()) break;
    }
    far_ = range_ > 1e4 * smallest;
    for (std::uint32_t i = 0; i < count; ++i) search(i, false);
}

template <int D>
void Gas<D>::refuse_overlaps(const std::vector<double>& radii) const {
    const Overlap worst = deepest_overlap(cells_, std::span<const Vector>(home_.data(), home_.size()), radii,
                                          period_, 1e-9, [&](std::uint32_t i) { return ids_[i]; });
    if (worst.depth > 0)
        throw Error("it overlaps particle " + std::to_string(worst.second) + " by " +
                        std::to_string(worst.depth) + " m: expected particles that touch at most",
                    "particle " + std::to_string(worst.first));
}

template <int D>
Gas<D>::Gas(const ImpactSettings& settings, std::span<const Flight> flights, bool saved, double now,
            std::uint32_t halvings)
    : settings_(settings) {
    for (int k = 0; k < D; ++k) {
        lower_[k] = component(settings.lower, k);
        upper_[k] = component(settings.upper, k);
        const bool wraps = settings.borders[static_cast<std::size_t>(k)] == ImpactBorder::periodic;
        period_[k] = wraps ? upper_[k] - lower_[k] : 0;
        half_[k] = wraps ? period_[k] / 2 : never;
        pull_[k] = component(settings.gravity, k);
        falls_ |= pull_[k] != 0;
    }
    if (flights.empty()) {
        calendar_.reset(0, now, now);
        return;
    }
    choose_range(flights);
    store(flights, saved, halvings);

    // the first events tell how wide the buckets should be; until then all of them wait in one
    const std::uint32_t count = size();
    calendar_.reset(count, now, now);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (saved) {
            const Flight& f = flights[ids_[i]];
            const bool pair = is_particle(f.partner);
            event(i) = {f.partner == no_event ? never : f.event_time, pair ? slots_[f.partner] : f.partner,
                        f.event_holds ? 0u : ~0u}; // counts begin at 0, and none comes so far
        } else if (falls_) {
            predict<true>(i, now);
        } else {
            predict<false>(i, now);
        }
    }
    std::vector<double> times;
    for (std::uint32_t i = 0; i < count; ++i)
        if (event(i).partner != no_event) times.push_back(event(i).time);
    double eighth = now;
    if (!times.empty()) {
        const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 8);
        std::nth_element(times.begin(), place, times.end());
        eighth = *place;
    }
    calendar_.reset(times.size(), now, eighth);
    for (std::uint32_t i = 0; i < count; ++i)
        if (event(i).partner != no_event) calendar_.push({event(i).time, i, ids_[i]});
}

template <int D>
ImpactParticle Gas<D>::particle(std::uint32_t id, double now) const {
    Flying f = flying_[slots_[id]];
    if (falls_) advance<true>(f, now);
    else advance<false>(f, now);
    const Species& kind = species(f);
    return {vec3(f.at), vec3(f.velocity), kind.radius, kind.mass};
}

template <int D>
Flight Gas<D>::flight(std::uint32_t id) const {
    const std::uint32_t i = slots_[id];
    const Flying& f = flying_[i];
    const Event& pending = event(i);
    Flight saved;
    saved.particle = particle(id, f.time);
    saved.time = f.time;
    saved.home = vec3(home_[i]);
    saved.partner = pending.partner;
    saved.event_time = pending.partner == no_event ? 0 : pending.time;
    if (is_particle(pending.partner)) {
        saved.partner = ids_[pending.partner];
        saved.event_holds = flying_[pending.partner].count == pending.count;
    }
    if (settings_.restitution < 1) saved.last_impact = last_impact_[i];
    return saved;
}

template <int D>
double Gas<D>::deepest(double now) const {
    double deepest = 0;
    for (std::uint32_t i = 0; i < size(); ++i) {
        const ImpactParticle a = particle(ids_[i], now);
        for (const std::uint32_t j : neighbours(i)) {
            if (j < i) continue;
            const ImpactParticle b = particle(ids_[j], now);
            double square = 0;
            for (int k = 0; k < D; ++k) {
                const double d = shortest(component(b.position, k) - component(a.position, k), k);
                square += d * d;
            }
            deepest = std::max(deepest, a.radius + b.radius - std::sqrt(square));
        }
    }
    return deepest;
}

template <int D>
std::size_t Gas<D>::bytes() const {
    std::size_t longer = 0;
    for (const auto& list : long_) longer += list.capacity() * 4 + sizeof(std::vector<std::uint32_t>);
    return flying_.bytes() + events_.bytes() + lists_.bytes() + home_.bytes() + cells_.bytes() +
           calendar_.bytes() + longer + species_.capacity() * sizeof(Species) + last_impact_.capacity() * 8 +
           (ids_.capacity() + slots_.capacity() + ahead_.claims.capacity()) * 4 +
           ahead_.plans.capacity() * sizeof(Plan) + ahead_.found.capacity() * sizeof(Found) +
           ahead_.moves.capacity() * sizeof(Move) + ahead_.chains.capacity() * 4 +
           ahead_.marks.capacity() * 8;
}

template class Gas<2>;
template class Gas<3>;
// for ahead.cpp
template void Gas<2>::process<false>(std::uint32_t, std::vector<Impact>*);
template void Gas<2>::process<true>(std::uint32_t, std::vector<Impact>*);
template void Gas<3>::process<false>(std::uint32_t, std::vector<Impact>*);
template void Gas<3>::process<true>(std::uint32_t, std::vector<Impact>*);
template bool Gas<2>::run_events<false>(double, std::uint64_t, std::vector<Impact>*);
template bool Gas<2>::run_events<true>(double, std::uint64_t, std::vector<Impact>*);
template bool Gas<3>::run_events<false>(double, std::uint64_t, std::vector<Impact>*);
template bool Gas<3>::run_events<true>(double, std::uint64_t, std::vector<Impact>*);

} // namespace scree::impact