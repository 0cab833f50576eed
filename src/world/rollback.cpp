// SPDX-License-Identifier: MIT
// rollback.cpp — copies of worlds (copy.h), their ring, and clones.

#include "scree/rollback.h"

#include "rigid/events.h"
#include "scree/error.h"
#include "world/copy.h"
#include "world/mass_update.h"
#include "world/requests.h"
#include "world/snapshot.h"
#include "world/worlds_state.h"

#include <algorithm>
#include <string>
#include <utility>

namespace scree {

namespace {

/// Storage alone; masses are up to date.
void keep_storage(const World::State& world, WorldCopy& to) {
    if (to.storage) *to.storage = world;
    else to.storage.emplace(world);
    to.time = world.time;
}

void go_back_storage(World::State& world, const WorldCopy& from) {
    // the copy was made at another place when it is a clone's
    Place place = std::move(world.place);
    ContactCallbacks callbacks = std::move(world.callbacks);
    static_cast<RigidStorage&>(world) = *from.storage;
    world.place = std::move(place);
    world.callbacks = std::move(callbacks);
    world.callbacks.changed = world.callbacks.filter != nullptr;
    world.cloths.changed = true;
    world.simulation->cloths_replaced();
    world.stale_masses.clear();
    world.queries = {};
    world.cloth_queries = {};
    clear_events(world.events);
    world.request_results.clear();
    world.requests_lost = 0;
    if (!world.among_many) world.simulation->clear_requests();
    world.time = from.time;
}

/// A world on a GPU calls none. One that was restored has found pairs that the filter refuses.
void take_callbacks(World::State& to, const World::State& from, bool restored) {
    if (to.simulation->remote()) return;
    to.callbacks = from.callbacks;
    to.callbacks.changed = from.callbacks.changed || (restored && to.callbacks.filter);
}

} // namespace

void keep(World::State& world, WorldCopy& to) {
    check_not_called(world);
    update_masses(world);
    world.simulation->fetch_cloths();
    world.simulation->keep(to.simulation);
    keep_storage(world, to);
    to.storage->requests = waiting_requests(world);
}

void go_back(World::State& world, const WorldCopy& from) {
    // first, since it may run out of memory
    world.simulation->go_back(*from.simulation);
    go_back_storage(world, from);
}

World World::clone() const { return clone(place()); }

World World::clone(const Place& where) const {
    const Place place = where.decided(gpu_from);
    if (place.device() != state_->place.device() || state_->among_many) {
        World twin = restore(save(), place);
        // a snapshot does not know the functions of custom fields
        for (std::size_t f = 0; f < state_->fields.record.size(); ++f)
            twin.state_->fields.record[f].definition = state_->fields.record[f].definition;
        take_callbacks(*twin.state_, *state_, true);
        return twin;
    }
    WorldCopy copy;
    keep(*state_, copy);
    auto twin = std::make_unique<State>(state_->settings, place);
    go_back(*twin, copy);
    take_callbacks(*twin, *state_, false);
    return World(std::move(twin));
}

// the ring -----------------------------------------------------------------------------------------------------------

struct Rollback::State {
    struct Kept {
        std::vector<WorldCopy> worlds;
        std::unique_ptr<SimulationCopy> group;
        WorldSettings settings; ///< of many worlds
        float last_h = 0;
    };

    World::State* world = nullptr; ///< one of the two
    Worlds::State* worlds = nullptr;
    std::weak_ptr<Existence> existence;
    std::vector<Kept> ring;
    std::uint32_t next = 0, size = 0;

    void keep_in(Kept& to);
    void go_back_to(const Kept& from);
    void check_exists() const {
        if (existence.expired()) throw Error("the world of this ring was destroyed or replaced", "rollback");
    }
};

void Rollback::State::keep_in(Kept& to) {
    if (world) return keep(*world, to.worlds[0]);
    to.settings = worlds->settings;
    to.last_h = worlds->last_h;
    for (std::size_t n = 0; n < to.worlds.size(); ++n) {
        World::State& member = WorldInside::of(worlds->worlds[n]);
        if (!worlds->group) keep(member, to.worlds[n]);
        else update_masses(member);
    }
    if (!worlds->group) return;
    // it sends changes first, which may touch the storage
    worlds->group->keep(to.group);
    for (std::size_t n = 0; n < to.worlds.size(); ++n) {
        World::State& member = WorldInside::of(worlds->worlds[n]);
        member.simulation->fetch_cloths();
        keep_storage(member, to.worlds[n]);
    }
}

void Rollback::State::go_back_to(const Kept& from) {
    if (world) check_no_query(*world);
    else
        for (const World& member : worlds->worlds) check_no_query(WorldInside::of(member));
    if (world) return go_back(*world, from.worlds[0]);
    if (worlds->group) worlds->group->go_back(*from.group);
    worlds->settings = from.settings;
    worlds->last_h = from.last_h;
    for (std::size_t n = 0; n < from.worlds.size(); ++n) {
        World::State& member = WorldInside::of(worlds->worlds[n]);
        if (worlds->group) go_back_storage(member, from.worlds[n]);
        else go_back(member, from.worlds[n]);
    }
}

namespace {
void check_states(std::uint32_t states) {
    if (states == 0) throw Error("invalid value 0: expected at least 1", "states");
}
} // namespace

Rollback::Rollback(World& world, std::uint32_t states) : state_(std::make_unique<State>()) {
    check_states(states);
    state_->world = &WorldInside::of(world);
    if (state_->world->among_many)
        throw Error("a world among many goes back with the others: make a Rollback of the Worlds", "world");
    state_->existence = state_->world->existence;
    state_->ring.resize(states);
    for (State::Kept& kept : state_->ring) kept.worlds.resize(1);
}

Rollback::Rollback(Worlds& worlds, std::uint32_t states) : state_(std::make_unique<State>()) {
    check_states(states);
    state_->worlds = worlds.state_.get();
    state_->existence = state_->worlds->existence;
    state_->ring.resize(states);
    for (State::Kept& kept : state_->ring) kept.worlds.resize(worlds.size());
}

Rollback::~Rollback() = default;
Rollback::Rollback(Rollback&&) noexcept = default;
Rollback& Rollback::operator=(Rollback&&) noexcept = default;

void Rollback::save() {
    state_->check_exists();
    const auto places = static_cast<std::uint32_t>(state_->ring.size());
    // while it is overwritten it is no state
    state_->size = std::min(state_->size, places - 1);
    state_->keep_in(state_->ring[state_->next]);
    ++state_->size;
    state_->next = (state_->next + 1) % places;
}

void Rollback::restore(std::uint32_t back) {
    state_->check_exists();
    if (back >= state_->size)
        throw Error("there is no state " + std::to_string(back) + " saves back; the ring holds " +
                        std::to_string(state_->size),
                    "back");
    const auto places = static_cast<std::uint32_t>(state_->ring.size());
    const std::uint32_t at = (state_->next + places - 1 - back) % places;
    state_->go_back_to(state_->ring[at]);
    state_->size -= back;
    state_->next = (at + 1) % places;
}

std::uint32_t Rollback::size() const { return state_->size; }

} // namespace scree
