// SPDX-License-Identifier: MIT
// gas.cpp — see gas.h: prediction, impacts and lists of neighbours.
#include "impact/gas.h"

#include "impact/entry.h"
#include "impact/order.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

namespace scree::impact {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double component(const DVec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
template <std::size_t D>
DVec3 vec3(const std::array<double, D>& v) {
    if constexpr (D == 2) return {v[0], v[1], 0};
    else return {v[0], v[1], v[2]};
}
template <int D>
std::array<double, D> vector(const DVec3& v) {
    if constexpr (D == 2) return {v.x, v.y};
    else return {v.x, v.y, v.z};
}
template <std::size_t D>
double product(const std::array<double, D>& a, const std::array<double, D>& b) {
    double sum = a[0] * b[0] + a[1] * b[1];
    if constexpr (D == 3) sum += a[2] * b[2];
    return sum;
}

/// Two numbers in one register.
using Pair = double __attribute__((vector_size(16)));
using PairBits = long long __attribute__((vector_size(16)));
/// Differences to the nearest image.
inline Pair nearest(Pair d, Pair period, Pair half) {
    const auto shift = reinterpret_cast<Pair>(reinterpret_cast<PairBits>(period) & (d > half));
    const auto back = reinterpret_cast<Pair>(reinterpret_cast<PairBits>(period) & (d < -half));
    return d - shift + back;
}

} // namespace

// lists of neighbours --------------------------------------------------------------------------------------------------

template <int D>
std::span<const std::uint32_t> Gas<D>::neighbours(std::uint32_t i) const {
    const List& list = lists_[i];
    const std::uint32_t count = list.words[0] & count_mask;
    if (list.words[0] & is_long) [[unlikely]]
        return {long_[list.words[1]].data(), count};
    return {list.words + 1, count};
}

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

/// Finds the neighbours of a particle whose home is new: all that it may touch while both are in their ranges. `both_ways`: enters
/// it on their lists, too.
template <int D>
void Gas<D>::search(std::uint32_t i, bool both_ways) {
    const double radius = species(flying_[i]).radius;
    const Vector home = home_[i];
    std::uint32_t found[64];
    std::size_t size = 0;
    const auto enter = [&] {
        for (std::size_t k = 0; k < size; ++k) {
            add_neighbour(i, found[k]);
            if (both_ways) add_neighbour(found[k], i);
        }
        size = 0;
    };
    cells_.visit(home, radius, [&](std::uint32_t j) {
        double gap = 0;
        for (int k = 0; k < D; ++k) {
            const double d = std::max(std::abs(shortest(home_[j][k] - home[k], k)) - 2 * range_, 0.0);
            gap += d * d;
        }
        const double sum = radius + species(flying_[j]).radius;
        found[size] = j;
        size += static_cast<std::size_t>(static_cast<int>(gap <= sum * sum * (1 + 1e-9)) &
                                         static_cast<int>(j != i));
        if (size == std::size(found)) enter();
    });
    enter();
    note_walls(i);
}

template <int D>
void Gas<D>::note_walls(std::uint32_t i) {
    const double reach = (species(flying_[i]).radius + range_) * (1 + 1e-9);
    std::uint32_t near = 0;
    for (int k = 0; k < D; ++k) {
        if (period_[k] > 0) continue;
        if (home_[i][k] - reach <= lower_[k]) near |= 1u << (2 * k);
        if (home_[i][k] + reach >= upper_[k]) near |= 2u << (2 * k);
    }
    List& list = lists_[i];
    list.words[0] = (list.words[0] & ~(0x3fu << wall_shift)) | near << wall_shift;
}

// flight ---------------------------------------------------------------------------------------------------------------

template <int D>
void Gas<D>::wrap(Flying& f) {
    for (int k = 0; k < D; ++k) {
        if (!(period_[k] > 0)) continue;
        while (f.at[k] < lower_[k]) f.at[k] += period_[k];
        while (f.at[k] >= upper_[k]) f.at[k] -= period_[k];
    }
}

template <int D>
template <bool G>
void Gas<D>::advance(Flying& f, double now) const {
    const double span = now - f.time;
    const double falls = G ? species(f).falls : 0;
    for (int k = 0; k < D; ++k) {
        if constexpr (G) {
            const double pull = pull_[k] * falls;
            f.at[k] += (f.velocity[k] + 0.5 * pull * span) * span;
            f.velocity[k] += pull * span;
        } else {
            f.at[k] += f.velocity[k] * span;
        }
    }
    f.time = now;
}

/// When a gap in front is gone, at this speed towards its end and this acceleration.
template <int D>
template <bool G>
double Gas<D>::crossing(double gap, double speed, double pull) const {
    if (!(gap > 0)) gap = 0; // rounding
    if constexpr (!G) return speed > 0 ? gap / speed : never;
    if (speed > 0) {
        const double square = speed * speed + 2 * pull * gap;
        return square < 0 ? never : 2 * gap / (speed + std::sqrt(square));
    }
    return pull > 0 ? (std::sqrt(speed * speed + 2 * pull * gap) - speed) / pull : never;
}

/// Neighbours that may be hit before another event. Branches that cannot be foreseen cost more than all the arithmetic here, so
/// nothing branches: a neighbour is written behind the others, and the next one over it unless it counts.
struct Candidates {
    static constexpr std::size_t most = 64;
    std::size_t size = 0;
    double closing[most + 1], gap[most + 1], square[most + 1], time[most + 1];
    std::uint32_t slot[most + 1];

    /// The times: the first root of gap + 2 closing t + square t^2, in the form that does not cancel; never where there is none.
    /// Returns the first of them.
    double solve() {
        closing[size] = -1, gap[size] = never, square[size] = 1; // to make the number even: never
        double first = never;
        for (std::size_t k = 0; k < size; k += 2) {
            double t[2];
            for (std::size_t h = 0; h < 2; ++h) {
                const double ahead = gap[k + h] > 0 ? gap[k + h] : 0;
                const double root = closing[k + h] * closing[k + h] - square[k + h] * ahead;
                t[h] = ahead / (std::sqrt(root > 0 ? root : 0) - closing[k + h]);
                t[h] = root >= 0 ? t[h] : never;
            }
            for (std::size_t h = 0; h < 2; ++h) {
                time[k + h] = t[h];
                first = t[h] < first ? t[h] : first;
            }
        }
        return first;
    }
};

template <int D>
template <bool G>
void Gas<D>::gather(std::uint32_t i, double now, double before, std::span<const std::uint32_t> all,
                    Candidates& near) const {
    const Flying& a = flying_[i];
    const double radius = species(a).radius;
    const Pair at{a.at[0], a.at[1]}, velocity{a.velocity[0], a.velocity[1]}, period{period_[0], period_[1]},
        half{half_[0], half_[1]}, pull{pull_[0], pull_[1]};
    std::size_t size = 0;
    for (const std::uint32_t j : all) {
        const Flying& b = flying_[j];
        const double span = now - b.time;
        Pair d{b.at[0], b.at[1]}, v{b.velocity[0], b.velocity[1]};
        const double falls = G ? species(b).falls : 0;
        if constexpr (G) {
            const Pair its = pull * falls;
            d += (v + 0.5 * its * span) * span;
            v += its * span;
        } else {
            d += v * span;
        }
        d -= at;
        v -= velocity;
        d = nearest(d, period, half);
        const Pair dd = d * d, dv = d * v, vv = v * v;
        double closing = dv[0] + dv[1], gap = dd[0] + dd[1], square = vv[0] + vv[1];
        if constexpr (D == 3) {
            double z = b.at[2], w = b.velocity[2];
            if constexpr (G) {
                z += (w + 0.5 * (pull_[2] * falls) * span) * span;
                w += pull_[2] * falls * span;
            } else {
                z += w * span;
            }
            const Pair zz = nearest(Pair{z - a.at[2], 0}, Pair{period_[2], 0}, Pair{half_[2], never});
            w -= a.velocity[2];
            closing += zz[0] * w;
            gap += zz[0] * zz[0];
            square += w * w;
        }
        const double sum = radius + species(b).radius;
        gap -= sum * sum;
        near.closing[size] = closing;
        near.gap[size] = gap;
        near.square[size] = square;
        near.slot[size] = j;
        // approaching, and fast enough: the gap shrinks by at most -2 closing t
        bool counts = static_cast<int>(closing < 0) & static_cast<int>(gap <= -2 * closing * before);
        if (immovable_) [[unlikely]] {
            counts &= species(a).inverse_mass + species(b).inverse_mass > 0; // otherwise nothing can change
            if constexpr (G) counts &= species(a).falls == species(b).falls; // others: entry_of
        }
        size += counts;
    }
    near.size = size;
}

template <int D>
template <bool G>
void Gas<D>::predict(std::uint32_t i, double now) {
    const Flying& a = flying_[i];
    const double radius = species(a).radius;
    const std::uint32_t walls = lists_[i].words[0] >> wall_shift & 0x3f;
    double best = never;
    std::uint32_t partner = leaves_range;
    const double falls = G ? species(a).falls : 0;
    for (int k = 0; k < D; ++k) {
        const double home = home_[i][k] - a.at[k];
        if constexpr (G) {
            best = std::min(best, crossing<G>(range_ + home, a.velocity[k], pull_[k] * falls));
            best = std::min(best, crossing<G>(range_ - home, -a.velocity[k], -pull_[k] * falls));
        } else {
            // as crossing, without branches; 0 / 0 is not less than anything
            const double gap = std::max(range_ + home * std::copysign(1.0, a.velocity[k]), 0.0);
            const double t = gap / std::abs(a.velocity[k]);
            best = t < best ? t : best;
        }
    }
    if (walls) [[unlikely]]
        for (int k = 0; k < D; ++k) {
            for (int end = 0; end < 2; ++end) {
                if (!(walls >> (2 * k + end) & 1)) continue;
                const double sign = end ? 1 : -1;
                const double gap = end ? upper_[k] - radius - a.at[k] : a.at[k] - radius - lower_[k];
                const double t = crossing<G>(gap, sign * a.velocity[k], sign * pull_[k] * falls);
                if (t < best || (t == best && partner == leaves_range && t < never)) {
                    best = t;
                    partner = Impact::wall + static_cast<std::uint32_t>(2 * k + end);
                }
            }
        }
    std::uint32_t count = 0;
    const std::span<const std::uint32_t> all = neighbours(i);
    for (std::size_t begin = 0; begin < all.size(); begin += Candidates::most) {
        Candidates near;
        gather<G>(i, now, best, all.subspan(begin, std::min(Candidates::most, all.size() - begin)), near);
        const double first = near.solve();
        if (!(first <= best) || first == never) continue;
        for (std::size_t k = 0; k < near.size; ++k) {
            if (near.time[k] != first) continue;
            const std::uint32_t j = near.slot[k];
            if (first == best && partner < no_event - 16 && ids_[partner] < ids_[j]) continue;
            best = first;
            partner = j;
            count = flying_[j].count;
        }
    }
    if (G && immovable_) [[unlikely]]
        for (const std::uint32_t j : all) {
            if (species(flying_[j]).falls == falls) continue;
            const double t = entry_of(i, j, now, best);
            if (!(t <= best) || t == never) continue;
            if (t == best && partner < no_event - 16 && ids_[partner] < ids_[j]) continue;
            best = t;
            partner = j;
            count = flying_[j].count;
        }
    event(i) = {now + best, best < never ? partner : no_event, count};
    if (best < never) calendar_.push({now + best, i, ids_[i]});
}

/// When a particle that falls meets one that does not: their distance is a parabola's, so its square is of the fourth degree.
template <int D>
double Gas<D>::entry_of(std::uint32_t i, std::uint32_t j, double now, double before) const {
    Flying a = flying_[i], b = flying_[j];
    advance<true>(a, now);
    advance<true>(b, now);
    Vector d, v, pull;
    for (int k = 0; k < D; ++k) {
        d[k] = shortest(b.at[k] - a.at[k], k);
        v[k] = b.velocity[k] - a.velocity[k];
        pull[k] = pull_[k] * (species(b).falls - species(a).falls);
    }
    const double sum = species(a).radius + species(b).radius;
    return first_entry({product(d, d) - sum * sum, 2 * product(d, v), product(v, v) + product(d, pull),
                        product(v, pull), 0.25 * product(pull, pull)},
                       before);
}

// events ---------------------------------------------------------------------------------------------------------------

template <int D>
template <bool G>
void Gas<D>::hit(std::uint32_t i, std::uint32_t j, double now, std::vector<Impact>* list) {
    if (ids_[j] < ids_[i]) std::swap(i, j);
    Flying &a = flying_[i], &b = flying_[j];
    advance<G>(a, now);
    advance<G>(b, now);
    Vector d, v;
    for (int k = 0; k < D; ++k) {
        d[k] = shortest(b.at[k] - a.at[k], k);
        v[k] = b.velocity[k] - a.velocity[k];
    }
    const double closing = product(d, v);
    const double light_a = species(a).inverse_mass, light_b = species(b).inverse_mass;
    // what falls leaves what does not at least so fast that it is not back too soon; speeds are times the distance
    double least = 0;
    if (G && immovable_) [[unlikely]] {
        double pull = 0;
        for (int k = 0; k < D; ++k) pull += d[k] * (pull_[k] * (species(b).falls - species(a).falls));
        least = std::max(-0.5 * pull * settings_.contact_time, 0.0);
    }
    if (closing < least) {
        double restitution = settings_.restitution;
        if (restitution < 1) {
            if (now - std::max(last_impact_[i], last_impact_[j]) < settings_.contact_time) restitution = 1;
            // an infinite mass may meet many at a time
            if (light_a > 0) last_impact_[i] = now;
            if (light_b > 0) last_impact_[j] = now;
        }
        const double square = product(d, d);
        double change = -(1 + restitution) * closing;
        if (G) change = std::max(change, least - closing);
        const double action = change / (light_a + light_b); // impulse times distance
        const double scale = action / square;
        for (int k = 0; k < D; ++k) {
            a.velocity[k] -= scale * light_a * d[k];
            b.velocity[k] += scale * light_b * d[k];
        }
        totals.virial += action;
        ++totals.impacts;
        if (list) {
            const double distance = std::sqrt(square);
            const DVec3 normal = vec3(d) / distance;
            list->push_back(
                {now, ids_[i], ids_[j], vec3(a.at) + normal * species(a).radius, normal, action / distance});
        }
    }
    ++a.count;
    ++b.count;
    predict<G>(i, now);
    predict<G>(j, now);
}

template <int D>
template <bool G>
void Gas<D>::hit_wall(std::uint32_t i, std::uint32_t wall, double now, std::vector<Impact>* list) {
    Flying& a = flying_[i];
    advance<G>(a, now);
    const int axis = static_cast<int>((wall - Impact::wall) / 2);
    const double sign = (wall & 1) ? 1 : -1;
    const double speed = sign * a.velocity[axis];
    double back = std::max(settings_.wall_restitution * speed, 0.0);
    // it would be back too soon
    if (G) back = std::max(back, 0.5 * sign * pull_[axis] * species(a).falls * settings_.contact_time);
    a.velocity[axis] = -sign * back;
    ++a.count;
    ++totals.wall_impacts;
    const Species& kind = species(a);
    const double impulse = kind.inverse_mass > 0 ? (speed + back) / kind.inverse_mass : 0;
    totals.wall_impulse += impulse;
    if (list) {
        Vector normal{}, point = a.at;
        normal[static_cast<std::size_t>(axis)] = sign;
        point[static_cast<std::size_t>(axis)] += sign * kind.radius;
        list->push_back({now, ids_[i], wall, vec3(point), vec3(normal), impulse});
    }
    predict<G>(i, now);
}

/// Lines of the events that come next, in three stages: the particle, its partner and neighbours, those of the partner.
template <int D>
void Gas<D>::fetch_ahead() const {
    const auto fetch_list = [&](std::uint32_t i) {
        __builtin_prefetch(&lists_[i].words[0]);
        if constexpr (D == 3) __builtin_prefetch(&lists_[i].words[16]);
    };
    const auto fetch_neighbours = [&](std::uint32_t i) {
        for (const std::uint32_t j : neighbours(i)) __builtin_prefetch(&flying_[j]);
    };
    if (const Entry* e = calendar_.ahead(9)) {
        __builtin_prefetch(&flying_[e->slot]);
        if constexpr (D == 3) __builtin_prefetch(&events_[e->slot]);
        __builtin_prefetch(&home_[e->slot]);
        fetch_list(e->slot);
    }
    if (const Entry* e = calendar_.ahead(5)) {
        const std::uint32_t partner = event(e->slot).partner;
        fetch_neighbours(e->slot);
        if (partner < no_event - 16) {
            __builtin_prefetch(&home_[partner]);
            fetch_list(partner);
        }
    }
    if (const Entry* e = calendar_.ahead(2)) {
        const std::uint32_t partner = event(e->slot).partner;
        if (partner < no_event - 16) fetch_neighbours(partner);
    }
}

template <int D>
template <bool G>
double Gas<D>::run_events(double end, std::vector<Impact>* list) {
    const auto alive = [&](const Entry& e) { return event(e.slot).time == e.time; };
    const std::uint64_t limit =
        settings_.max_events ? totals.events + settings_.max_events : ~std::uint64_t{0};
    const bool large = size() > 2000; // smaller worlds are in the nearest cache
    while (const Entry* next = calendar_.next(alive)) {
        if (next->time > end) break;
        if (totals.events == limit) return std::min(next->time, end);
        const Entry entry = *next;
        calendar_.pop(next);
        if (large) fetch_ahead();
        const std::uint32_t i = entry.slot;
        const Event now = event(i);
        if (now.time != entry.time) continue;
        ++totals.events;
        if (now.partner < no_event - 16) {
            if (flying_[now.partner].count == now.count) {
                hit<G>(i, now.partner, now.time, list);
                continue;
            }
            ++totals.again;
            advance<G>(flying_[i], now.time);
            predict<G>(i, now.time);
        } else if (now.partner == leaves_range) {
            ++totals.searches;
            advance<G>(flying_[i], now.time);
            wrap(flying_[i]);
            for (const std::uint32_t j : neighbours(i)) remove_neighbour(j, i);
            List& mine = lists_[i];
            if (mine.words[0] & is_long) {
                long_[mine.words[1]].clear();
                long_free_.push_back(mine.words[1]);
            }
            mine.words[0] = 0;
            home_[i] = flying_[i].at;
            cells_.move(i, home_[i], species(flying_[i]).radius);
            search(i, true);
            predict<G>(i, now.time);
        } else {
            hit_wall<G>(i, now.partner, now.time, list);
        }
    }
    return end;
}

template <int D>
double Gas<D>::run(double end, std::vector<Impact>* list) {
    return falls_ ? run_events<true>(end, list) : run_events<false>(end, list);
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
void Gas<D>::store(std::span<const Flight> flights) {
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
    cells_.reset(radii, 2 * range_ * (1 + 1e-9), lower_, size, wraps);
    for (std::uint32_t i = 0; i < count; ++i) cells_.insert(i, home_[i], radii[i]);
    for (std::uint32_t i = 0; i < count; ++i) search(i, false);
}

template <int D>
Gas<D>::Gas(const ImpactSettings& settings, std::span<const Flight> flights, bool saved, double now)
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
    store(flights);
    if (!saved) refuse_overlaps();

    // the first events tell how wide the buckets should be; until then all of them wait in one
    const std::uint32_t count = size();
    calendar_.reset(count, now, now);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (saved) {
            const Flight& f = flights[ids_[i]];
            const bool pair = f.partner < no_event - 16;
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
void Gas<D>::refuse_overlaps() const {
    for (std::uint32_t id = 0; id < size(); ++id) {
        const std::uint32_t i = slots_[id];
        for (const std::uint32_t j : neighbours(i)) {
            double square = 0;
            for (int k = 0; k < D; ++k) {
                const double d = shortest(flying_[j].at[k] - flying_[i].at[k], k);
                square += d * d;
            }
            const double sum = species(flying_[i]).radius + species(flying_[j]).radius;
            const double depth = sum - std::sqrt(square);
            if (depth > 1e-9 * sum)
                throw Error("it overlaps particle " + std::to_string(std::max(id, ids_[j])) + " by " +
                                std::to_string(depth) + " m: expected particles that touch at most",
                            "particle " + std::to_string(std::min(id, ids_[j])));
        }
    }
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
    if (pending.partner < no_event - 16) {
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
           (ids_.capacity() + slots_.capacity()) * 4;
}

template class Gas<2>;
template class Gas<3>;

} // namespace scree::impact
