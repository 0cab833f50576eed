// SPDX-License-Identifier: MIT
// separate.cpp — see separate.h.
#include "impact/separate.h"

#include "impact/overlap.h"
#include "scree/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

namespace scree::impact {
namespace {

constexpr double contact =
    0.99e-9;                   // of the distance of the centres: a little less than what Gas calls contact
constexpr double spare = 1e-4; // of that distance: pairs part a little farther, so that passes come to an end
constexpr std::uint32_t most_passes = 2000; // dense ones need hundreds
constexpr std::uint32_t by_mass = 100;      // passes; then a light one at a wall is no reason to stay
constexpr std::uint32_t straight = 64; // after so many a pass goes a little aside, off a line of all centres
constexpr double aside = 0.02;         // of the way
constexpr std::uint64_t most_pairs = 200'000'000, most_pairs_each = 10'000; // that are looked at: the sum

template <int D>
class Separation {
    using Vector = std::array<double, D>;

public:
    Separation(const ImpactSettings& settings, const std::vector<Flight>& flights) {
        Vector size;
        std::array<bool, D> wraps;
        const double low[] = {settings.lower.x, settings.lower.y, settings.lower.z},
                     high[] = {settings.upper.x, settings.upper.y, settings.upper.z};
        for (std::size_t k = 0; k < D; ++k) {
            lower_[k] = low[k], upper_[k] = high[k];
            size[k] = high[k] - low[k];
            wraps[k] = settings.borders[k] == ImpactBorder::periodic;
            period_[k] = wraps[k] ? size[k] : 0;
        }
        for (const Flight& f : flights) {
            const DVec3& p = f.particle.position;
            const double at[] = {p.x, p.y, p.z};
            Vector& mine = at_.emplace_back();
            for (std::size_t k = 0; k < D; ++k) mine[k] = at[k];
            radius_.push_back(f.particle.radius);
            inverse_mass_.push_back(1 / f.particle.mass);
        }
        begin_ = at_;
        moved_.assign(at_.size(), 0);
        cells_.reset(radius_, 0, lower_, size, wraps);
        for (std::uint32_t i = 0; i < at_.size(); ++i) cells_.insert(i, at_[i], radius_[i]);
    }

    ImpactSeparation run() {
        ImpactSeparation done;
        // before anything moves: parting one pair pushes others into each other
        const Overlap worst = deepest_overlap(cells_, std::span<const Vector>(at_), radius_, period_, contact,
                                              [](std::uint32_t i) { return i; });
        done.deepest = deepest_ = worst.depth;
        if (!(worst.depth > 0)) return done;
        first_ = worst.first, second_ = worst.second;
        if (worst.crowded) refuse_pair(no_room);
        std::vector<std::uint32_t> now(at_.size());
        std::iota(now.begin(), now.end(), 0u);
        for (; !now.empty(); now.swap(next_)) {
            if (done.passes == most_passes) refuse_pair(no_room);
            deepest_ = 0;
            next_.clear();
            pass_ = ++done.passes;
            for (const std::uint32_t i : now) part_from_neighbours(i);
            std::sort(next_.begin(), next_.end());
        }
        for (std::uint32_t i = 0; i < at_.size(); ++i) {
            if (at_[i] == begin_[i]) continue;
            ++done.moved;
            done.farthest = std::max(done.farthest, std::sqrt(square_of(between(begin_[i], at_[i]))));
        }
        return done;
    }

    DVec3 place(std::uint32_t i) const {
        if constexpr (D == 2) return {at_[i][0], at_[i][1], 0};
        else return {at_[i][0], at_[i][1], at_[i][2]};
    }

private:
    /// To the nearest image.
    Vector between(const Vector& from, const Vector& to) const {
        Vector d;
        for (std::size_t k = 0; k < D; ++k) d[k] = to[k] - from[k];
        to_nearest(d, period_);
        return d;
    }
    static double square_of(const Vector& d) {
        double sum = 0;
        for (const double x : d) sum += x * x;
        return sum;
    }

    void part_from_neighbours(std::uint32_t i) {
        if (pairs_ > most_pairs + most_pairs_each * at_.size() && deepest_ > 0) refuse_pair(no_room);
        near_.clear();
        // those with smaller numbers that moved have looked at this one, or will
        cells_.visit(at_[i], radius_[i], [&](std::uint32_t j) {
            if (j > i || (j < i && moved_[j] + 1 < pass_)) near_.push_back(j);
        });
        std::sort(near_.begin(), near_.end());
        pairs_ += near_.size();
        for (const std::uint32_t j : near_) part(std::min(i, j), std::max(i, j));
    }

    void part(std::uint32_t i, std::uint32_t j) {
        const double sum = radius_[i] + radius_[j];
        Vector way = between(at_[i], at_[j]);
        const double square = square_of(way);
        if (square >= sum * sum) return;
        double distance = std::sqrt(square);
        const double depth = sum - distance;
        if (!(depth > contact * sum)) return;
        const double light_i = share_of(i), light_j = share_of(j), both = light_i + light_j;
        if (depth > deepest_ || !(both > 0)) deepest_ = depth, first_ = i, second_ = j;
        if (!(both > 0)) refuse_pair("both have infinite masses, and it overlaps");
        if (!(distance > 1e-12 * sum)) {
            way = some_way(i, j);
            distance = std::sqrt(square_of(way));
        } else if (pass_ % straight == 0) {
            const Vector other = some_way(i, j);
            const double scale = aside * distance / std::sqrt(square_of(other));
            for (std::size_t k = 0; k < D; ++k) way[k] += scale * other[k];
        }
        const double scale = (depth + spare * sum) / (distance * both);
        move(i, way, -scale * light_i);
        move(j, way, scale * light_j);
    }

    double share_of(std::uint32_t i) const {
        return pass_ > by_mass && inverse_mass_[i] > 0 ? 1 : inverse_mass_[i];
    }

    /// For two in one place.
    static Vector some_way(std::uint32_t i, std::uint32_t j) {
        std::uint64_t bits = (std::uint64_t{i} << 32 | j) * 0x9e3779b97f4a7c15u;
        Vector way;
        for (double& x : way) {
            bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
            x = static_cast<double>(bits >> 56) - 127.5; // never 0
        }
        return way;
    }

    void move(std::uint32_t i, const Vector& way, double scale) {
        if (scale == 0) return;
        for (std::size_t k = 0; k < D; ++k) {
            double& x = at_[i][k];
            x += scale * way[k];
            if (period_[k] > 0) {
                if (x < lower_[k]) x += period_[k];
                if (x >= upper_[k]) x -= period_[k];
                x = std::clamp(x, lower_[k], upper_[k]); // farther than a period, by the rounding
            } else {
                x = std::max(lower_[k] + radius_[i], std::min(x, upper_[k] - radius_[i]));
            }
        }
        cells_.move(i, at_[i], radius_[i]);
        if (moved_[i] == pass_) return;
        moved_[i] = pass_;
        next_.push_back(i);
    }

    static constexpr const char* no_room = "no room was found for all: it still overlaps";
    [[noreturn]] void refuse_pair(const char* what) const {
        throw Error(std::string(what) + " particle " + std::to_string(second_) + " by " +
                        std::to_string(deepest_) + " m: expected particles that can be moved apart",
                    "particle " + std::to_string(first_));
    }

    Vector lower_, upper_, period_;
    std::vector<Vector> at_, begin_;
    std::vector<double> radius_, inverse_mass_;
    Cells<D> cells_;
    std::vector<std::uint32_t> near_, next_; ///< next_: moved in this pass, to be looked at in the next
    std::vector<std::uint32_t> moved_;       ///< the pass in which a particle last moved
    std::uint32_t pass_ = 0;
    std::uint64_t pairs_ = 0;
    double deepest_ = 0; ///< of this pass, between these two
    std::uint32_t first_ = 0, second_ = 0;
};

template <int D>
ImpactSeparation separate_in(const ImpactSettings& settings, std::vector<Flight>& flights) {
    Separation<D> separation(settings, flights);
    const ImpactSeparation done = separation.run();
    for (std::uint32_t i = 0; i < flights.size(); ++i)
        flights[i].particle.position = flights[i].home = separation.place(i);
    return done;
}

} // namespace

ImpactSeparation separate(const ImpactSettings& settings, std::vector<Flight>& flights) {
    if (flights.empty()) return {};
    return settings.dimensions == 2 ? separate_in<2>(settings, flights) : separate_in<3>(settings, flights);
}

} // namespace scree::impact
