// SPDX-License-Identifier: MIT
// world.cpp — ImpactWorld: what a user may say, measures and snapshots; gas.h does the work.
#include "bytes/fields.h"
#include "bytes/seal.h"
#include "bytes/state_hash.h"
#include "device/opened.h"
#include "impact/checks.h"
#include "impact/gas.h"
#include "impact/separate.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace scree {

using impact::Flight;
using impact::Gas;

struct ImpactWorld::State {
    Place place;
    ImpactSettings settings;
    std::vector<Flight> flights; ///< while there is no gas
    std::variant<std::monostate, Gas<2>, Gas<3>>
        gas;               ///< none: particles or settings changed since the last step
    impact::Totals totals; ///< of earlier gases
    std::vector<Impact> impacts;
    double time = 0, averages_from = 0;
    std::uint64_t steps = 0;

    bool flies() const { return gas.index() != 0; }
    /// Calls with the gas, if there is one; otherwise returns `otherwise`.
    template <class Result, class Call>
    Result in_gas(const Result& otherwise, const Call& call) const {
        if (const auto* two = std::get_if<1>(&gas)) return call(*two);
        if (const auto* three = std::get_if<2>(&gas)) return call(*three);
        return otherwise;
    }
    template <class Call>
    void change_gas(const Call& call) {
        if (auto* two = std::get_if<1>(&gas)) call(*two);
        if (auto* three = std::get_if<2>(&gas)) call(*three);
    }
    std::uint32_t count() const {
        return in_gas(static_cast<std::uint32_t>(flights.size()), [](const auto& g) { return g.size(); });
    }
    impact::Totals sums() const {
        return in_gas(totals, [](const auto& g) { return g.totals; });
    }
    ImpactParticle particle(std::uint32_t id) const {
        ImpactParticle p = flies()
                               ? in_gas(ImpactParticle{}, [&](const auto& g) { return g.particle(id, time); })
                               : flights[id].particle;
        p.position = boxed(p.position);
        return p;
    }
    std::uint32_t checked(std::uint32_t id) const {
        if (id >= count()) refuse(id, "particle", "less than " + std::to_string(count()));
        return id;
    }
    /// In the box along periodic axes.
    DVec3 boxed(DVec3 at) const {
        double* const x[] = {&at.x, &at.y, &at.z};
        const double lower[] = {settings.lower.x, settings.lower.y, settings.lower.z};
        const double upper[] = {settings.upper.x, settings.upper.y, settings.upper.z};
        for (std::size_t k = 0; k < static_cast<std::size_t>(settings.dimensions); ++k) {
            if (settings.borders[k] != ImpactBorder::periodic) continue;
            if (*x[k] < lower[k]) *x[k] += upper[k] - lower[k];
            if (*x[k] >= upper[k]) *x[k] -= upper[k] - lower[k];
        }
        return at;
    }
    /// As a new world would begin with them.
    std::vector<Flight> landed() const {
        std::vector<Flight> all(count());
        for (std::uint32_t id = 0; id < all.size(); ++id) {
            all[id].particle = particle(id);
            all[id].time = time;
            all[id].home = all[id].particle.position;
            if (flies())
                all[id].last_impact = in_gas(0.0, [&](const auto& g) { return g.flight(id).last_impact; });
        }
        return all;
    }
    void land() {
        if (!flies()) return;
        totals = sums();
        flights = landed();
        gas = std::monostate{};
    }
    void take_off(bool saved, std::uint32_t halvings = 0) {
        if (flies()) return;
        try {
            if (settings.dimensions == 2) gas.emplace<1>(settings, flights, saved, time, halvings);
            else gas.emplace<2>(settings, flights, saved, time, halvings);
        } catch (...) { // particles overlap: still none
            gas = std::monostate{};
            throw;
        }
        change_gas([&](auto& g) { g.totals = totals; });
        flights = std::vector<Flight>(); // with its memory
    }
};

ImpactWorld::ImpactWorld(const ImpactSettings& settings, const Place& place) {
    impact::check(settings);
    state_ = std::make_unique<State>();
    state_->place = place.decided(std::numeric_limits<std::size_t>::max()); // "auto": no GPU
    state_->settings = settings;
}
ImpactWorld::~ImpactWorld() = default;
ImpactWorld::ImpactWorld(ImpactWorld&&) noexcept = default;
ImpactWorld& ImpactWorld::operator=(ImpactWorld&&) noexcept = default;

const Place& ImpactWorld::place() const { return state_->place; }
const ImpactSettings& ImpactWorld::settings() const { return state_->settings; }

void ImpactWorld::change_settings(const ImpactSettings& settings) {
    impact::check(settings);
    for (std::uint32_t id = 0; id < particle_count(); ++id)
        impact::check(impact::under_way(state_->particle(id), state_->settings), settings);
    state_->land();
    state_->settings = settings;
}

std::uint32_t ImpactWorld::add(const ImpactParticle& particle) {
    impact::check(particle, state_->settings);
    if (particle_count() >= 0x7fffffff)
        throw Error("there are as many particles as a world can have", "particle");
    state_->land();
    Flight flight;
    flight.particle = particle;
    flight.particle.position = state_->boxed(particle.position);
    flight.home = flight.particle.position;
    flight.time = state_->time;
    state_->flights.push_back(flight);
    return particle_count() - 1;
}

std::uint32_t ImpactWorld::particle_count() const { return state_->count(); }
ImpactParticle ImpactWorld::particle(std::uint32_t index) const {
    return state_->particle(state_->checked(index));
}

ImpactSeparation ImpactWorld::separate() {
    if (state_->flies()) return {}; // nothing overlaps there
    std::vector<Flight> flights = state_->flights;
    const ImpactSeparation done = impact::separate(state_->settings, flights);
    if (done.moved > 0) state_->flights = std::move(flights);
    return done;
}

void ImpactWorld::prepare() { state_->take_off(false); }

void ImpactWorld::set_velocity(std::uint32_t index, DVec3 velocity) {
    ImpactParticle changed = particle(index);
    changed.velocity = velocity;
    impact::check(changed, state_->settings);
    if (!state_->flies()) state_->flights[index].particle.velocity = velocity;
    state_->change_gas([&](auto& gas) { gas.set_velocity(index, velocity, state_->time); });
}

ImpactReport ImpactWorld::step(double seconds) {
    check_within(seconds, 0, 1e12, "seconds", "0 to 1e12 s");
    state_->take_off(false);
    state_->impacts.clear();
    const impact::Totals before = state_->sums();
    const double end = state_->time + seconds;
    state_->change_gas([&](auto& gas) {
        state_->time = gas.run(end, state_->settings.list_impacts ? &state_->impacts : nullptr,
                               state_->place.opened().tasks.get());
    });
    ++state_->steps;
    const impact::Totals after = state_->sums();
    return {after.impacts - before.impacts, after.wall_impacts - before.wall_impacts,
            after.events - before.events, end - state_->time};
}

double ImpactWorld::time() const { return state_->time; }
std::uint64_t ImpactWorld::steps_done() const { return state_->steps; }
std::span<const Impact> ImpactWorld::impacts() const { return state_->impacts; }

std::vector<DVec3> ImpactWorld::positions() const {
    std::vector<DVec3> all(particle_count());
    for (std::uint32_t id = 0; id < all.size(); ++id) all[id] = state_->particle(id).position;
    return all;
}
std::vector<DVec3> ImpactWorld::velocities() const {
    std::vector<DVec3> all(particle_count());
    for (std::uint32_t id = 0; id < all.size(); ++id) all[id] = state_->particle(id).velocity;
    return all;
}

ImpactMeasure ImpactWorld::measure() const {
    const ImpactSettings& s = state_->settings;
    const impact::Totals sums = state_->sums();
    ImpactMeasure m;
    m.impacts = sums.impacts;
    m.wall_impacts = sums.wall_impacts;
    m.events = sums.events;
    const double size[] = {s.upper.x - s.lower.x, s.upper.y - s.lower.y, s.upper.z - s.lower.z};
    double volume = 1, filled = 0, walls = 0;
    for (int k = 0; k < s.dimensions; ++k) volume *= size[k];
    for (int k = 0; k < s.dimensions; ++k)
        if (s.borders[static_cast<std::size_t>(k)] == ImpactBorder::wall) walls += 2 * volume / size[k];
    std::uint64_t movable = 0;
    double squares = 0, fourths = 0; // of the velocities' components
    for (std::uint32_t id = 0; id < particle_count(); ++id) {
        const ImpactParticle p = state_->particle(id);
        constexpr double pi = 3.14159265358979323846;
        filled += s.dimensions == 2 ? pi * p.radius * p.radius : pi * 4 / 3 * p.radius * p.radius * p.radius;
        m.max_speed = std::max(m.max_speed, length(p.velocity));
        if (p.mass == INFINITY) continue;
        ++movable;
        m.kinetic_energy += 0.5 * p.mass * dot(p.velocity, p.velocity);
        m.potential_energy -= p.mass * dot(s.gravity, p.position);
        m.momentum += p.velocity * p.mass;
        m.centre += p.position;
        for (const double v : {p.velocity.x, p.velocity.y, p.velocity.z}) {
            squares += v * v;
            fourths += v * v * (v * v);
        }
    }
    m.packing = filled / volume;
    if (movable > 0) m.centre /= static_cast<double>(movable);
    for (std::uint32_t id = 0; id < particle_count(); ++id) {
        const ImpactParticle p = state_->particle(id);
        const DVec3 off = p.position - m.centre;
        if (p.mass != INFINITY) m.deviation += DVec3{off.x * off.x, off.y * off.y, off.z * off.z};
    }
    const auto share = static_cast<double>(std::max<std::uint64_t>(movable, 1));
    m.deviation = {std::sqrt(m.deviation.x / share), std::sqrt(m.deviation.y / share),
                   std::sqrt(m.deviation.z / share)};
    m.max_overlap = state_->in_gas(0.0, [&](const auto& gas) { return gas.deepest(state_->time); });
    if (movable > 0) m.temperature = 2 * m.kinetic_energy / (s.dimensions * static_cast<double>(movable));
    const double span = state_->time - state_->averages_from;
    m.pressure = 2 * m.kinetic_energy / (s.dimensions * volume);
    if (span > 0) {
        m.pressure += sums.virial / (span * s.dimensions * volume);
        if (walls > 0) m.wall_pressure = sums.wall_impulse / (span * walls);
    }
    if (squares > 0) {
        m.flatness = fourths * (s.dimensions * static_cast<double>(movable)) / (squares * squares);
        m.compressibility = m.pressure * volume / (static_cast<double>(movable) * m.temperature);
    }
    return m;
}

void ImpactWorld::begin_averages() {
    state_->averages_from = state_->time;
    const auto begin = [](impact::Totals& totals) { totals.virial = totals.wall_impulse = 0; };
    begin(state_->totals);
    state_->change_gas([&](auto& gas) { begin(gas.totals); });
}

std::uint64_t ImpactWorld::hash() const {
    StateHash hash;
    const auto add = [&](double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        hash.add(static_cast<std::uint32_t>(bits));
        hash.add(static_cast<std::uint32_t>(bits >> 32));
    };
    add(state_->time);
    for (std::uint32_t id = 0; id < particle_count(); ++id) {
        const ImpactParticle p = state_->particle(id);
        for (const double number :
             {p.position.x, p.position.y, p.position.z, p.velocity.x, p.velocity.y, p.velocity.z})
            add(number);
    }
    return hash.value();
}

std::uint64_t ImpactWorld::memory() const {
    return state_->in_gas(std::size_t{0}, [](const auto& gas) { return gas.bytes(); }) +
           state_->flights.capacity() * sizeof(Flight) + state_->impacts.capacity() * sizeof(Impact);
}

// snapshots ------------------------------------------------------------------------------------------------------------

namespace {

constexpr bytes::Seal seal{"SCREEIMP", 1}; // its word: Gas::halvings()

struct Snapshot {
    ImpactSettings settings;
    bool flies = false;
    double time = 0, averages_from = 0;
    std::uint64_t steps = 0;
    impact::Totals totals;
    std::vector<Flight> flights;
};

template <class Io, class Saved>
void fields(Io& io, Saved& s) {
    auto& set = s.settings;
    io(set.dimensions, set.lower, set.upper, set.borders[0], set.borders[1], set.borders[2], set.gravity,
       set.restitution, set.wall_restitution, set.contact_time, set.max_events);
    io.flags(set.list_impacts, s.flies);
    io(s.time, s.averages_from, s.steps, s.totals.impacts, s.totals.wall_impacts, s.totals.events,
       s.totals.searches, s.totals.again, s.totals.virial, s.totals.wall_impulse);
    io.items(s.flights, 112, "particles", [&](auto& f) {
        bool fixed = f.particle.mass == INFINITY;
        io.flags(fixed, f.event_holds);
        io(f.particle.position, f.particle.velocity, f.particle.radius);
        if (!fixed) io(f.particle.mass);
        if constexpr (Io::reads)
            if (fixed) f.particle.mass = INFINITY;
        io(f.time, f.home, f.event_time, f.partner, f.last_impact);
    });
}

void check_contents(const Snapshot& s) {
    impact::check(s.settings);
    check_within(s.time, 0, 1e300, "time", "at least 0 s");
    const DVec3 size = s.settings.upper - s.settings.lower;
    for (const Flight& f : s.flights) {
        // between searches a particle may be outside by its range, which is shorter than the box
        ImpactParticle there = f.particle;
        there.position = f.home;
        impact::check(impact::under_way(there, s.settings), s.settings);
        const DVec3 away = f.particle.position - f.home;
        check_within(std::max({std::abs(away.x) / size.x, std::abs(away.y) / size.y,
                               s.settings.dimensions == 3 ? std::abs(away.z) / size.z : 0}),
                     0, 1.01, "home", "a place near the particle");
        check_within(f.time, 0, s.time, "local time", "a time up to that of the world");
        const bool wall = f.partner >= Impact::wall &&
                          f.partner < Impact::wall + 2 * static_cast<std::uint32_t>(s.settings.dimensions);
        if (f.partner == impact::no_event) continue;
        if (f.partner >= s.flights.size() && !wall && f.partner != impact::leaves_range)
            refuse(f.partner, "partner", "a particle, a wall or none");
        if (s.flies) check_within(f.event_time, s.time, 1e300, "event", "a time after that of the world");
    }
}

} // namespace

std::vector<std::byte> ImpactWorld::save() const {
    Snapshot s{state_->settings, state_->flies(), state_->time,   state_->averages_from,
               state_->steps,    state_->sums(),  state_->flights};
    if (s.flies) {
        s.flights.resize(particle_count());
        for (std::uint32_t id = 0; id < particle_count(); ++id)
            s.flights[id] = state_->in_gas(Flight{}, [&](const auto& gas) { return gas.flight(id); });
    }
    bytes::Bytes content;
    bytes::FieldWriter out(content);
    fields(out, static_cast<const Snapshot&>(s));
    const std::uint32_t halvings =
        state_->in_gas(std::uint32_t{0}, [](const auto& gas) { return gas.halvings(); });
    return bytes::sealed(seal, halvings, content);
}

void ImpactWorld::restore(std::span<const std::byte> saved) {
    std::uint32_t halvings = 0;
    bytes::FieldReader in(bytes::unsealed(seal, saved, halvings), "snapshot");
    Snapshot s;
    fields(in, s);
    if (in.left() > 0) in.fail("there are more bytes than a world has");
    auto restored = std::make_unique<State>();
    try {
        check_contents(s);
        restored->place = state_->place;
        restored->settings = s.settings;
        restored->flights = std::move(s.flights);
        restored->totals = s.totals;
        restored->time = s.time;
        restored->averages_from = s.averages_from;
        restored->steps = s.steps;
        if (s.flies) restored->take_off(true, halvings);
    } catch (const Error& error) {
        in.fail(error.what());
    }
    state_ = std::move(restored);
}

} // namespace scree
