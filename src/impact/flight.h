// SPDX-License-Identifier: MIT
// flight.h — how particles of a gas fly, what is foreseen of them and what an impact does to two; for gas.cpp and ahead.cpp.
//
// Nothing here changes a gas. What changes in an event is passed by reference: the gas's own particles, or copies of them while the
// event is computed ahead of its turn. Then a copy stands for its particle wherever the other one looks at it.
#pragma once

#include "impact/entry.h"
#include "impact/gas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::impact {

constexpr double never = std::numeric_limits<double>::infinity();

template <std::size_t D>
DVec3 vec3(const std::array<double, D>& v) {
    if constexpr (D == 2) return {v[0], v[1], 0};
    else return {v[0], v[1], v[2]};
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

// what is near ---------------------------------------------------------------------------------------------------------

/// Hands the neighbours of a particle with this home to enter(span), in turns: all that it may touch while both are in their ranges.
template <int D>
template <class Enter>
void Gas<D>::find(std::uint32_t i, const Vector& home, const Enter& enter) const {
    const double radius = species(flying_[i]).radius;
    std::uint32_t found[64];
    std::size_t size = 0;
    cells_.visit(home, radius, [&](std::uint32_t j) {
        const double sum = radius + species(flying_[j]).radius;
        found[size] = j;
        size += static_cast<std::size_t>(static_cast<int>(in_reach(home, home_[j], sum)) &
                                         static_cast<int>(j != i));
        if (size == std::size(found)) {
            enter(std::span<const std::uint32_t>(found, size));
            size = 0;
        }
    });
    enter(std::span<const std::uint32_t>(found, size));
}

/// Whether two particles with these homes may touch within their ranges.
template <int D>
inline bool Gas<D>::in_reach(const Vector& home, const Vector& other, double sum) const {
    double gap = 0;
    for (int k = 0; k < D; ++k) {
        const double d = std::max(std::abs(shortest(other[k] - home[k], k)) - 2 * range_, 0.0);
        gap += d * d;
    }
    return gap <= sum * sum * (1 + 1e-9);
}

template <int D>
inline std::uint32_t Gas<D>::walls_near(std::uint32_t i, const Vector& home) const {
    const double reach = (species(flying_[i]).radius + range_) * (1 + 1e-9);
    std::uint32_t near = 0;
    for (int k = 0; k < D; ++k) {
        if (period_[k] > 0) continue;
        if (home[k] - reach <= lower_[k]) near |= 1u << (2 * k);
        if (home[k] + reach >= upper_[k]) near |= 2u << (2 * k);
    }
    return near;
}

template <int D>
inline void Gas<D>::fetch_particle(std::uint32_t i) const {
    __builtin_prefetch(&flying_[i]);
    if constexpr (D == 3) __builtin_prefetch(&events_[i]);
    __builtin_prefetch(&home_[i]);
    fetch_list(i);
}
template <int D>
inline void Gas<D>::fetch_around(std::uint32_t i) const {
    const std::uint32_t partner = event(i).partner;
    fetch_neighbours(i);
    if (!is_particle(partner)) return;
    __builtin_prefetch(&home_[partner]);
    fetch_list(partner);
}
template <int D>
inline void Gas<D>::fetch_beyond(std::uint32_t i) const {
    if (is_particle(event(i).partner)) fetch_neighbours(event(i).partner);
}

// flight ---------------------------------------------------------------------------------------------------------------

template <int D>
void Gas<D>::wrap(Flying& f) const {
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
template <bool G, bool Ahead>
void Gas<D>::gather(const Flying& a, double now, double before, std::span<const std::uint32_t> all,
                    const StandIn& other, Candidates& near) const {
    const double radius = species(a).radius;
    const Pair at{a.at[0], a.at[1]}, velocity{a.velocity[0], a.velocity[1]}, period{period_[0], period_[1]},
        half{half_[0], half_[1]}, pull{pull_[0], pull_[1]};
    std::size_t size = 0;
    for (const std::uint32_t j : all) {
        const Flying& b = seen<Ahead>(j, other);
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

/// As Candidates::solve(), where neighbours may be ten thousand radii away: closing^2 - square gap is what two nearly equal numbers of
/// the size of distance^2 leave of radius^2. The same, by the distance at which they would pass each other, does not cancel.
template <int D>
template <bool G, bool Ahead>
double Gas<D>::solve_far(const Flying& a, double now, const StandIn& other, Candidates& near) const {
    double first = never;
    for (std::size_t k = 0; k < near.size; ++k) {
        Flying b = seen<Ahead>(near.slot[k], other);
        advance<G>(b, now);
        Vector d, v;
        for (int axis = 0; axis < D; ++axis) {
            d[axis] = shortest(b.at[axis] - a.at[axis], axis);
            v[axis] = b.velocity[axis] - a.velocity[axis];
        }
        double passing = 0; // (distance times speed)^2
        for (int i = 0; i < D; ++i)
            for (int j = i + 1; j < D; ++j) {
                const double part = d[i] * v[j] - d[j] * v[i];
                passing += part * part;
            }
        const double sum = species(a).radius + species(b).radius;
        const double root = near.square[k] * (sum * sum) - passing;
        near.time[k] = root >= 0 ? std::max(near.gap[k], 0.0) / (std::sqrt(root) - near.closing[k]) : never;
        first = std::min(first, near.time[k]);
    }
    return first;
}

/// The first event of a particle that is up to date, among these neighbours and walls.
template <int D>
template <bool G, bool Ahead>
typename Gas<D>::Event Gas<D>::foresee(const Flying& a, double now, const Vector& home_at,
                                       std::uint32_t walls, std::span<const std::uint32_t> all,
                                       const StandIn& other) const {
    const double radius = species(a).radius;
    double best = never;
    std::uint32_t partner = leaves_range;
    const double falls = G ? species(a).falls : 0;
    for (int k = 0; k < D; ++k) {
        const double home = home_at[k] - a.at[k];
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
    for (std::size_t begin = 0; begin < all.size(); begin += Candidates::most) {
        Candidates near;
        gather<G, Ahead>(a, now, best, all.subspan(begin, std::min(Candidates::most, all.size() - begin)),
                         other, near);
        const double first = far_ ? solve_far<G, Ahead>(a, now, other, near) : near.solve();
        if (!(first <= best) || first == never) continue;
        for (std::size_t k = 0; k < near.size; ++k) {
            if (near.time[k] != first) continue;
            const std::uint32_t j = near.slot[k];
            if (first == best && is_particle(partner) && ids_[partner] < ids_[j]) continue;
            best = first;
            partner = j;
            count = seen<Ahead>(j, other).count;
        }
    }
    if (G && immovable_) [[unlikely]]
        for (const std::uint32_t j : all) {
            const Flying& b = seen<Ahead>(j, other);
            if (species(b).falls == falls) continue;
            const double t = entry_of(a, b, now, best);
            if (!(t <= best) || t == never) continue;
            if (t == best && is_particle(partner) && ids_[partner] < ids_[j]) continue;
            best = t;
            partner = j;
            count = b.count;
        }
    return {now + best, best < never ? partner : no_event, count};
}

/// When a particle that falls meets one that does not: their distance is a parabola's, so its square is of the fourth degree.
template <int D>
double Gas<D>::entry_of(const Flying& first, const Flying& second, double now, double before) const {
    Flying a = first, b = second;
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

// impacts --------------------------------------------------------------------------------------------------------------

/// Brings two particles to the time of their event and lets them collide if they approach; a has the smaller number. `last_a` and
/// `last_b` are the times of their last impacts, null if they do not matter. Returns the impulse times the distance.
template <int D>
template <bool G>
double Gas<D>::collide(Flying& a, Flying& b, double* last_a, double* last_b, double now, Vector& d) const {
    advance<G>(a, now);
    advance<G>(b, now);
    Vector v;
    for (int k = 0; k < D; ++k) {
        d[k] = shortest(b.at[k] - a.at[k], k);
        v[k] = b.velocity[k] - a.velocity[k];
    }
    ++a.count;
    ++b.count;
    const double closing = product(d, v);
    const double light_a = species(a).inverse_mass, light_b = species(b).inverse_mass;
    // what falls leaves what does not at least so fast that it is not back too soon; speeds are times the distance
    double least = 0;
    if (G && immovable_) [[unlikely]] {
        double pull = 0;
        for (int k = 0; k < D; ++k) pull += d[k] * (pull_[k] * (species(b).falls - species(a).falls));
        least = std::max(-0.5 * pull * settings_.contact_time, 0.0);
    }
    if (!(closing < least)) return no_impact;
    double restitution = settings_.restitution;
    if (restitution < 1) {
        if (now - std::max(*last_a, *last_b) < settings_.contact_time) restitution = 1;
        // an infinite mass may meet many at a time
        if (light_a > 0) *last_a = now;
        if (light_b > 0) *last_b = now;
    }
    double change = -(1 + restitution) * closing;
    if (G) change = std::max(change, least - closing);
    const double action = change / (light_a + light_b);
    const double scale = action / product(d, d);
    for (int k = 0; k < D; ++k) {
        a.velocity[k] -= scale * light_a * d[k];
        b.velocity[k] += scale * light_b * d[k];
    }
    return action;
}

/// Brings a particle to a wall and turns it back. Returns the impulse.
template <int D>
template <bool G>
double Gas<D>::bounce(Flying& a, std::uint32_t wall, double now) const {
    advance<G>(a, now);
    const int axis = static_cast<int>((wall - Impact::wall) / 2);
    const double sign = (wall & 1) ? 1 : -1;
    const double speed = sign * a.velocity[axis];
    double back = std::max(settings_.wall_restitution * speed, 0.0);
    // it would be back too soon
    if (G) back = std::max(back, 0.5 * sign * pull_[axis] * species(a).falls * settings_.contact_time);
    a.velocity[axis] = -sign * back;
    ++a.count;
    const Species& kind = species(a);
    return kind.inverse_mass > 0 ? (speed + back) / kind.inverse_mass : 0;
}

/// For the list: of two particles `d` apart.
template <int D>
Impact Gas<D>::impact_of(std::uint32_t i, std::uint32_t j, const Flying& a, const Vector& d,
                         double action) const {
    const double distance = std::sqrt(product(d, d));
    const DVec3 normal = vec3(d) / distance;
    return {a.time, ids_[i], ids_[j], vec3(a.at) + normal * species(a).radius, normal, action / distance};
}
template <int D>
Impact Gas<D>::wall_impact_of(std::uint32_t i, const Flying& a, std::uint32_t wall, double impulse) const {
    const auto axis = static_cast<std::size_t>((wall - Impact::wall) / 2);
    const double sign = (wall & 1) ? 1 : -1;
    Vector normal{}, point = a.at;
    normal[axis] = sign;
    point[axis] += sign * species(a).radius;
    return {a.time, ids_[i], wall, vec3(point), vec3(normal), impulse};
}

} // namespace scree::impact
