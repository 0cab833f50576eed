// SPDX-License-Identifier: MIT
// worlds.cpp — many worlds, together on a GPU or one by one on threads.

#include "scree/worlds.h"

#include "device/cpu/cpu_device.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/cloth.h"
#include "world/fields.h"
#include "world/ids.h"
#include "world/joints.h"
#include "world/mass_update.h"
#include "world/requests.h"
#include "world/slots.h"
#include "world/snapshot.h"
#include "world/stepping.h"
#include "world/warnings.h"
#include "world/worlds_state.h"

#include <algorithm>
#include <string>
#include <utility>

namespace scree {

namespace {

/// The first setting that differs of those that all worlds share, or null. The broad phase may differ.
const char* differing(const WorldSettings& a, const WorldSettings& b) {
    const std::pair<bool, const char*> same[] = {
        {a.gravity == b.gravity, "gravity"},
        {a.solver == b.solver, "solver"},
        {a.substeps == b.substeps, "substeps"},
        {a.contact_hertz == b.contact_hertz, "contact_hertz"},
        {a.contact_damping == b.contact_damping, "contact_damping"},
        {a.push_speed == b.push_speed, "push_speed"},
        {a.joint_hertz == b.joint_hertz, "joint_hertz"},
        {a.joint_damping == b.joint_damping, "joint_damping"},
        {a.slop == b.slop, "slop"},
        {a.speculative_distance == b.speculative_distance, "speculative_distance"},
        {a.restitution_threshold == b.restitution_threshold, "restitution_threshold"},
        {a.hit_speed == b.hit_speed, "hit_speed"},
        {a.impact_tolerance == b.impact_tolerance, "impact_tolerance"},
        {a.recycling == b.recycling, "recycling"},
        {a.continuous == b.continuous, "continuous"},
        {a.warm_starting == b.warm_starting, "warm_starting"},
        {a.sleeping == b.sleeping, "sleeping"},
        {a.sleep_speed == b.sleep_speed, "sleep_speed"},
        {a.sleep_delay == b.sleep_delay, "sleep_delay"},
        {a.sor_iterations == b.sor_iterations, "sor_iterations"},
        {a.sor_omega == b.sor_omega, "sor_omega"},
        {a.sor_cfm == b.sor_cfm, "sor_cfm"},
        {a.sor_erp == b.sor_erp, "sor_erp"},
        {a.sor_schedule == b.sor_schedule, "sor_schedule"},
        {a.sor_tolerance == b.sor_tolerance, "sor_tolerance"},
        {a.sor_on_chip == b.sor_on_chip, "sor_on_chip"},
        {a.integrator == b.integrator, "integrator"},
    };
    for (const auto& [holds, name] : same)
        if (!holds) return name;
    return nullptr;
}

/// Together on a GPU they have one list of constraints and one number of iterations.
void check_for_many(const WorldSettings& settings) {
    check(settings);
    if (settings.sor_schedule == SorSchedule::groups)
        throw Error("groups are of one world; expected colours or jacobi", "sor_schedule");
    if (settings.sor_tolerance > 0)
        throw Error("worlds that are stepped together iterate together; expected 0", "sor_tolerance");
}

/// A world of the crew has the thread that steps it; with few contacts of a colour wider lanes would be empty.
Place place_of_one(const Place& all) {
    const int lanes = all.options().lanes;
    return PlaceOptions{.threads = 1, .lanes = lanes ? lanes : std::min(4, widest_lanes())};
}

} // namespace

Worlds::State::State(const WorldSettings& settings_, const Place& where, std::uint32_t count)
    : settings(settings_),
      place(where),
      group(make_group(place, count)),
      crew(place),
      place_of_each(group ? place : place_of_one(place)),
      crowd(count) {}

SimulationMaker Worlds::State::maker(std::uint32_t number) {
    return [this, number](RigidStorage& world) {
        // before anything is changed for it
        if (const char* name = differing(world.settings, settings))
            throw Error("its " + std::string(name) + " differs from that of these worlds", "snapshot");
        world.joined_h = crowd > 1 ? last_h : 0;
        return group ? group->member(world, number) : make_simulation(world);
    };
}

Worlds::Worlds(std::uint32_t count, const WorldSettings& settings, const Place& place) {
    check_for_many(settings);
    if (count == 0) throw Error("0 worlds; at least 1 is needed", "count");
    const Place all = place_for(settings, place.expecting(place.options().expected_items * count));
    state_ = std::make_unique<State>(settings, all, count);
    state_->worlds.reserve(count);
    for (std::uint32_t n = 0; n < count; ++n) {
        auto world = std::make_unique<World::State>(settings, state_->place_of_each, state_->maker(n));
        world->tag = next_world_tag();
        world->among_many = true;
        add_world_body(world->bodies);
        state_->worlds.push_back(World(std::move(world)));
    }
}

Worlds Worlds::copies(std::uint32_t count, std::span<const std::byte> snapshot, const Place& place) {
    // read once by itself: this finds what is wrong with it, and its settings
    Worlds worlds(count, World::restore(snapshot, {{.threads = 1}}).settings(), place);
    for (std::uint32_t n = 0; n < count; ++n) worlds.restore(n, snapshot);
    return worlds;
}

Worlds::~Worlds() = default;
Worlds::Worlds(Worlds&&) noexcept = default;
Worlds& Worlds::operator=(Worlds&&) noexcept = default;

std::uint32_t Worlds::size() const { return static_cast<std::uint32_t>(state_->worlds.size()); }

World& Worlds::operator[](std::uint32_t number) {
    if (number >= size())
        throw Error("there is no world " + std::to_string(number) + "; there are " + std::to_string(size()),
                    "number");
    return state_->worlds[number];
}
const World& Worlds::operator[](std::uint32_t number) const { return const_cast<Worlds&>(*this)[number]; }

const WorldSettings& Worlds::settings() const { return state_->settings; }
const Place& Worlds::place() const { return state_->place; }

void Worlds::change_settings(const WorldSettings& settings) {
    check_for_many(settings);
    for (const World& world : state_->worlds) check_solver(*world.state_, settings);
    state_->settings = settings;
    if (!settings.warm_starting) state_->last_h = 0;
    for (World& world : state_->worlds) change_all_settings(*world.state_, settings);
}

void Worlds::step(float dt) {
    check_step(dt, state_->settings.solver);
    for (const World& world : state_->worlds) check_no_query(*world.state_);
    for (World& world : state_->worlds) carry_out_requests(world); // of snapshots
    for (const World& world : state_->worlds) update_masses(*world.state_);
    for (const World& world : state_->worlds) apply_custom_fields(*world.state_, dt);
    if (state_->group) {
        state_->group->step(dt);
    } else {
        state_->crew.each(size(), 1, [&](std::uint32_t begin, std::uint32_t end, int) {
            for (std::uint32_t n = begin; n < end; ++n) state_->worlds[n].state_->simulation->step(dt);
        });
    }
    const WorldSettings& s = state_->settings;
    if (dt > 0) state_->last_h = s.solver == Solver::soft_step ? dt / static_cast<float>(s.substeps) : dt;
    for (const World& world : state_->worlds) end_step(*world.state_, dt);
    for (const World& world : state_->worlds) warn_of_step(world);
    for (const World& world : state_->worlds) throw_of_callbacks(*world.state_);
}

void Worlds::restore(std::uint32_t number, std::span<const std::byte> snapshot) {
    World& old = (*this)[number];
    auto world = decode_snapshot(snapshot, state_->place_of_each, state_->maker(number), true);
    state_->last_h = world->joined_h;
    old = World(std::move(world));
}

Worlds::DeviceStates Worlds::device_states() const {
    for (const World& world : state_->worlds) update_masses(*world.state_);
    if (!state_->group) return {};
    return {state_->group->device_state(), state_->group->body_stride()};
}

} // namespace scree
