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
#include "scree/place.h"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace scree::impact {

/// Partners in events that are no particles. Walls: Impact::wall + 2 axis + (1 at the upper end).
constexpr std::uint32_t leaves_range = 0xffffffff, no_event = 0xfffffffe;
constexpr bool is_particle(std::uint32_t partner) { return partner < no_event - 16; }

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
    /// Searches all events anew at time `now`, or continues with those saved and its halvings(). Throws Error if particles overlap.
    Gas(const ImpactSettings& settings, std::span<const Flight> flights, bool saved, double now,
        std::uint32_t halvings = 0);
    /// Of the range of the mean, since particles were in a small part of the box at the beginning.
    std::uint32_t halvings() const { return halvings_; }

    /// Processes the events up to `end` and returns the time reached: earlier only after settings.max_events events. On several
    /// threads if there are tasks for them and it may pay, with the same result.
    double run(double end, std::vector<Impact>* list, TaskSystem* tasks);
    /// Threads, and particles times threads, from which on these pay. Taking and committing events is for one thread, and two gain
    /// less than they lose where cores are not free; in small worlds too few events go together.
    static constexpr std::uint64_t ahead_threads = 4, ahead_from = 40'000;
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

    /// Whether an entry of the calendar still is its particle's event.
    struct Alive {
        const Gas& gas;
        bool operator()(const Entry& e) const { return gas.event(e.slot).time == e.time; }
    };
    /// A copy that stands for a particle.
    struct StandIn {
        std::uint32_t slot = no_event;
        const Flying* flying = nullptr;
    };
    template <bool Ahead>
    const Flying& seen(std::uint32_t i, const StandIn& other) const {
        if constexpr (Ahead) return i == other.slot ? *other.flying : flying_[i];
        else return flying_[i];
    }

    // what is near
    std::span<const std::uint32_t> neighbours(std::uint32_t i) const {
        const List& list = lists_[i];
        const std::uint32_t count = list.words[0] & count_mask;
        if (list.words[0] & is_long) [[unlikely]]
            return {long_[list.words[1]].data(), count};
        return {list.words + 1, count};
    }
    void add_neighbour(std::uint32_t i, std::uint32_t j);
    void remove_neighbour(std::uint32_t i, std::uint32_t j);
    void search(std::uint32_t i, bool both_ways);
    void enter(std::uint32_t i, std::span<const std::uint32_t> found, bool both_ways);
    void note_walls(std::uint32_t i);
    void move_home(std::uint32_t i);
    template <class Enter>
    void find(std::uint32_t i, const Vector& home, const Enter& enter) const;
    bool in_reach(const Vector& home, const Vector& other, double sum) const;
    std::uint32_t walls_near(std::uint32_t i, const Vector& home) const;
    void fetch_list(std::uint32_t i) const {
        __builtin_prefetch(&lists_[i].words[0]);
        if constexpr (D == 3) __builtin_prefetch(&lists_[i].words[16]);
    }
    void fetch_neighbours(std::uint32_t i) const {
        for (const std::uint32_t j : neighbours(i)) __builtin_prefetch(&flying_[j]);
    }
    void fetch_particle(std::uint32_t i) const;
    void fetch_around(std::uint32_t i) const;
    void fetch_beyond(std::uint32_t i) const;

    // flight
    double shortest(double d, int axis) const { ///< the difference to the nearest image
        const double less = d > half_[axis] ? period_[axis] : 0, more = d < -half_[axis] ? period_[axis] : 0;
        return d - less + more; // without a branch
    }
    void wrap(Flying& f) const;
    template <bool G>
    void advance(Flying& f, double now) const;
    template <bool G>
    double crossing(double gap, double speed, double pull) const;
    template <bool G, bool Ahead>
    void gather(const Flying& a, double now, double before, std::span<const std::uint32_t> all,
                const StandIn& other, Candidates& near) const;
    template <bool G, bool Ahead>
    double solve_far(const Flying& a, double now, const StandIn& other, Candidates& near) const;
    template <bool G, bool Ahead>
    Event foresee(const Flying& a, double now, const Vector& home_at, std::uint32_t walls,
                  std::span<const std::uint32_t> all, const StandIn& other) const;
    double entry_of(const Flying& first, const Flying& second, double now, double before) const;
    static constexpr double no_impact = -1; ///< returned by collide()
    template <bool G>
    double collide(Flying& a, Flying& b, double* last_a, double* last_b, double now, Vector& d) const;
    template <bool G>
    double bounce(Flying& a, std::uint32_t wall, double now) const;
    Impact impact_of(std::uint32_t i, std::uint32_t j, const Flying& a, const Vector& d, double action) const;
    Impact wall_impact_of(std::uint32_t i, const Flying& a, std::uint32_t wall, double impulse) const;

    // events in turn; run_events returns false when totals.events is `until` and there may be more
    void expect(std::uint32_t i, const Event& next);
    template <bool G>
    void predict(std::uint32_t i, double now);
    template <bool G>
    void hit(std::uint32_t i, std::uint32_t j, double now, std::vector<Impact>* list);
    template <bool G>
    void hit_wall(std::uint32_t i, std::uint32_t wall, double now, std::vector<Impact>* list);
    template <bool G>
    void process(std::uint32_t i, std::vector<Impact>* list);
    template <bool G>
    bool run_events(double end, std::uint64_t until, std::vector<Impact>* list);
    void fetch_ahead() const;

    // events computed ahead of their turn on several threads: ahead.cpp
    struct Plan {
        enum class Kind : std::uint8_t { in_turn, hit, again, wall, moves };
        Entry entry;
        std::uint32_t partner;  ///< or no_event
        Kind kind;              ///< in_turn: nothing is computed
        bool listed;            ///< it has an impact for the list
        Event events[2];        ///< of the particle and its partner, afterwards
        double last[2], action; ///< times of the last impacts; impulse on a wall, or that times the distance
        Flying flying[2];
        Impact impact;
    };
    struct Found {
        std::uint32_t size, slots[2 * list_words];
    };
    struct Move {
        Vector homes[2]; ///< left and taken
        double radius;
        std::uint32_t cells[2], next[2]; ///< of the homes; in a chain of ahead_.chains
    };
    struct Ahead {
        std::vector<Plan> plans;
        std::vector<Found> found; ///< by plan that moves
        /// The first plan of this batch that writes a particle, plus `base`; smaller: none.
        std::vector<std::uint32_t> claims;
        std::uint32_t base = 1;
        std::size_t wanted = 0;           ///< plans in a batch
        std::vector<std::uint64_t> marks; ///< bits of particles near what was written without a claim
        bool marked = false;
        std::vector<Move> moves; ///< of this batch
        /// By cell, modulo their number: the last 2 move + home + 1 there, or 0.
        std::vector<std::uint32_t> chains;
    };
    template <bool G>
    bool run_ahead(double end, std::uint64_t limit, std::vector<Impact>* list, TaskSystem& tasks);
    std::size_t take_batch(double end);
    void give_back(std::size_t from, std::size_t count);
    template <bool G>
    void make_plan(std::uint32_t number, bool lists);
    template <bool G>
    bool commit(std::size_t count, std::uint64_t limit, std::vector<Impact>* list, std::size_t& in_turn);
    void fetch_plans(std::size_t number, std::size_t count) const;
    bool holds(std::size_t number) const;
    void note_move(std::uint32_t i, const Vector& from, std::uint32_t from_cell);
    bool moved_near(const Vector& home, double radius) const;
    void apply(const Plan& plan, std::size_t number, std::vector<Impact>* list);
    template <bool G>
    void process_marked(std::uint32_t i, std::vector<Impact>* list);
    bool claimed(std::uint32_t i, std::uint32_t by_less_than) const {
        return ahead_.claims[i] - ahead_.base < by_less_than;
    }
    void claim(std::uint32_t i, Plan& plan, std::uint32_t number);
    void mark(std::uint32_t i) { ahead_.marks[mark_word(i)] |= std::uint64_t{1} << i % 64; }
    void mark_around(std::uint32_t i) {
        mark(i);
        for (const std::uint32_t j : neighbours(i)) mark(j);
    }
    bool is_marked(std::uint32_t i) const { return ahead_.marks[mark_word(i)] >> i % 64 & 1; }
    /// Of more than a million particles, those far from each other share a bit.
    std::size_t mark_word(std::uint32_t i) const { return i / 64 & (ahead_.marks.size() - 1); }

    void choose_range(std::span<const Flight> flights);
    void store(std::span<const Flight> flights, bool saved, std::uint32_t halvings);
    void refuse_overlaps(const std::vector<double>& radii) const;

    ImpactSettings settings_;
    Vector lower_{}, upper_{}, period_{}, half_{}, pull_{};
    bool falls_ = false, immovable_ = false; ///< whether there is gravity; whether a mass is infinite
    double range_ = 0;                       ///< half the side of a particle's range
    std::uint32_t halvings_ = 0;
    bool far_ = false; ///< neighbours may be very many radii away
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
    Ahead ahead_;
};

} // namespace scree::impact
