// SPDX-License-Identifier: MIT
// gas.h — hard particles in flight: the pending event of each, and what happens when one comes.
//
// Each particle has a place and a velocity at a time of its own, and one pending event: the first of an impact with a neighbour, an
// impact with a wall, and leaving its range, a square (cube) around the place where its neighbours were last searched. Whoever may
// be touched within both ranges is on its list of neighbours, so that only leaving a range searches cells. After an impact only the
// two particles are predicted anew. A third one whose pending partner was hit notices when its event comes: the partner's count of
// velocities is another. Its event is then searched again, which is early enough, because all its other impacts are later.
//
// A million particles do not fit in a cache, so the layout decides the speed: 64 bytes of a particle are one line, lists another one
// or two, particles are stored in the order of a space-filling curve, and lines are fetched while earlier events are worked on.
// Nothing of that has an influence on results: equal times are ordered by the numbers that users see.
#pragma once

#include "impact/calendar.h"
#include "impact/cells.h"
#include "impact/page_array.h"
#include "scree/impact.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::impact {

/// Partners in events that are no particles. Walls: Impact::wall + 2 axis + (1 at the upper end).
constexpr std::uint32_t leaves_range = 0xffffffff, no_event = 0xfffffffe;

/// A particle as it is saved.
struct Flight {
    ImpactParticle particle;          ///< at `time`
    double time = 0;                  ///< s
    DVec3 home{};                     ///< the middle of its range
    double event_time = 0;            ///< s
    std::uint32_t partner = no_event; ///< by its number
    bool event_holds = true;          ///< the partner was not hit since
    double last_impact = -1e300;
};

struct Totals {
    std::uint64_t impacts = 0, wall_impacts = 0, events = 0, searches = 0, again = 0;
    double virial = 0;       ///< J, since the averages began
    double wall_impulse = 0; ///< N s, since the averages began
};

struct Candidates;

template <int D>
class Gas {
public:
    /// Searches all events anew at time `now`, or continues with those saved. Throws Error if particles overlap.
    Gas(const ImpactSettings& settings, std::span<const Flight> flights, bool saved, double now);

    /// Processes the events up to `end` and returns the time reached: earlier only after settings.max_events events.
    double run(double end, std::vector<Impact>* list);
    void set_velocity(std::uint32_t id, const DVec3& velocity, double now);

    std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }
    ImpactParticle particle(std::uint32_t id, double now) const;
    Flight flight(std::uint32_t id) const;
    double deepest(double now) const; ///< overlap, m
    Totals totals;
    std::size_t bytes() const;

private:
    using Vector = std::array<double, D>;
    static constexpr std::uint32_t list_words = D == 2 ? 16 : 32;

    struct Event {
        double time;
        std::uint32_t partner; ///< slot, or one of the constants above
        std::uint32_t count;   ///< of the partner when this was predicted
    };
    // one cache line each; in two dimensions the event fits in
    struct alignas(64) Flying2 {
        Vector at, velocity;
        double time;
        std::uint32_t species, count; ///< count: of velocities so far
        Event event;
    };
    struct alignas(64) Flying3 {
        Vector at, velocity;
        double time;
        std::uint32_t species, count;
    };
    using Flying = std::conditional_t<D == 2, Flying2, Flying3>;
    static_assert(sizeof(Flying) == 64);
    struct Species {
        double radius, inverse_mass,
            mass;     ///< the mass as it was given: the inverse of the inverse may differ
        double falls; ///< 1, or 0: an infinite mass does not
    };
    /// Word 0: the number of neighbours, and the walls in reach from bit 24 on. Too many neighbours: word 1 is a place in long_.
    struct alignas(64) List {
        std::uint32_t words[list_words];
    };
    static constexpr std::uint32_t count_mask = 0xffffff, wall_shift = 24, is_long = 1u << 30;

    Event& event(std::uint32_t i) {
        if constexpr (D == 2) return flying_[i].event;
        else return events_[i];
    }
    const Event& event(std::uint32_t i) const { return const_cast<Gas*>(this)->event(i); }
    const Species& species(const Flying& f) const { return species_[f.species]; }

    // lists
    std::span<const std::uint32_t> neighbours(std::uint32_t i) const;
    void add_neighbour(std::uint32_t i, std::uint32_t j);
    void remove_neighbour(std::uint32_t i, std::uint32_t j);
    void search(std::uint32_t i, bool both_ways);
    void note_walls(std::uint32_t i);

    // flight
    double shortest(double d, int axis) const { ///< the difference to the nearest image
        const double less = d > half_[axis] ? period_[axis] : 0, more = d < -half_[axis] ? period_[axis] : 0;
        return d - less + more; // without a branch
    }
    void wrap(Flying& f);
    template <bool G>
    void advance(Flying& f, double now) const;
    template <bool G>
    double crossing(double gap, double speed, double pull) const;
    template <bool G>
    void gather(std::uint32_t i, double now, double before, std::span<const std::uint32_t> all,
                Candidates& near) const;
    template <bool G>
    void predict(std::uint32_t i, double now);
    double entry_of(std::uint32_t i, std::uint32_t j, double now, double before) const;
    template <bool G>
    double run_events(double end, std::vector<Impact>* list);
    template <bool G>
    void hit(std::uint32_t i, std::uint32_t j, double now, std::vector<Impact>* list);
    template <bool G>
    void hit_wall(std::uint32_t i, std::uint32_t wall, double now, std::vector<Impact>* list);
    void fetch_ahead() const;

    void choose_range(std::span<const Flight> flights);
    void store(std::span<const Flight> flights);
    void refuse_overlaps() const;

    ImpactSettings settings_;
    Vector lower_{}, upper_{}, period_{}, half_{}, pull_{};
    bool falls_ = false, immovable_ = false; ///< whether there is gravity; whether a mass is infinite
    double range_ = 0;                       ///< half the side of a particle's range
    PageArray<Flying> flying_;
    PageArray<Event> events_; ///< in three dimensions
    PageArray<List> lists_;
    PageArray<Vector> home_;
    std::vector<std::vector<std::uint32_t>> long_;
    std::vector<std::uint32_t> long_free_;
    std::vector<Species> species_;
    std::vector<double> last_impact_;        ///< if restitution is below 1
    std::vector<std::uint32_t> ids_, slots_; ///< of a slot; of an id
    Cells<D> cells_;
    Calendar calendar_;
};

extern template class Gas<2>;
extern template class Gas<3>;

} // namespace scree::impact
