// SPDX-License-Identifier: MIT
// worlds.cpp — many worlds, together on a GPU or one by one on threads.

#include "scree/worlds.h"

#include "device/cpu/cpu_device.h"
#include "rigid/crew.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/slots.h"
#include "world/snapshot.h"
#include "world/stepping.h"

#include <algorithm>
#include <string>

namespace scree {

namespace {

/// What the worlds have in common; where and how they run is asked of `device`.
bool alike(const WorldSettings& a, const WorldSettings& b) {
    return a.gravity == b.gravity && a.solver == b.solver && a.substeps == b.substeps &&
           a.contact_hertz == b.contact_hertz && a.contact_damping == b.contact_damping &&
           a.push_speed == b.push_speed && a.joint_hertz == b.joint_hertz &&
           a.joint_damping == b.joint_damping && a.slop == b.slop &&
           a.speculative_distance == b.speculative_distance &&
           a.restitution_threshold == b.restitution_threshold && a.recycling == b.recycling &&
           a.warm_starting == b.warm_starting && a.sleeping == b.sleeping && a.sleep_speed == b.sleep_speed &&
           a.sleep_delay == b.sleep_delay && a.sor_iterations == b.sor_iterations &&
           a.sor_omega == b.sor_omega && a.sor_cfm == b.sor_cfm && a.sor_erp == b.sor_erp;
}

} // namespace

struct Worlds::State {
    WorldSettings settings;
    std::shared_ptr<SimulationGroup> group; ///< null: each world is stepped by itself
    std::unique_ptr<Crew> crew;             ///< where there is no group
    std::vector<World> worlds;

    /// of the world that has, or is to have, this number
    SimulationMaker maker(std::uint32_t number) {
        return [this, number](RigidStorage& world) {
            // before anything is changed for it
            if (!alike(world.settings, settings))
                throw Error("the snapshot's settings are not those of the worlds it is to join", "snapshot");
            return group ? group->member(world, number) : make_simulation(world, nullptr);
        };
    }
    /// a world of the crew has the thread that steps it; with few contacts of a colour wider lanes would be empty
    WorldSettings settings_of_one() const {
        WorldSettings one = settings;
        if (!group) one.threads = 1;
        if (!group && one.lanes == 0) one.lanes = std::min(4, widest_lanes());
        return one;
    }
};

Worlds::Worlds(std::uint32_t count, const WorldSettings& settings, TaskSystem* tasks)
    : state_(std::make_unique<State>()) {
    check(settings);
    if (count == 0) throw Error("0 worlds; at least 1 is needed", "count");
    state_->settings = settings;
    state_->group = make_group(settings, count, tasks);
    if (!state_->group) {
        state_->settings.device = "cpu";
        state_->crew = std::make_unique<Crew>(settings.threads, tasks);
    }
    const WorldSettings one = state_->settings_of_one();
    state_->worlds.reserve(count);
    for (std::uint32_t n = 0; n < count; ++n) {
        auto world = std::make_unique<World::State>(one, state_->maker(n));
        world->tag = next_world_tag();
        world->among_many = true;
        add_world_body(world->bodies);
        state_->worlds.push_back(World(std::move(world)));
    }
}

Worlds Worlds::copies(std::uint32_t count, std::span<const std::byte> snapshot, const WorldSettings& settings,
                      TaskSystem* tasks) {
    // read once by itself: this finds what is wrong with it, and its settings
    WorldSettings own = settings;
    own.device = "cpu", own.threads = 1;
    WorldSettings shared = World::restore(snapshot, own).settings();
    shared.device = settings.device, shared.threads = settings.threads, shared.lanes = settings.lanes;
    shared.expected_bodies = settings.expected_bodies, shared.device_memory = settings.device_memory;
    Worlds worlds(count, shared, tasks);
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

void Worlds::change_settings(const WorldSettings& settings) {
    check(settings);
    WorldSettings own = settings;
    if (!state_->group) own.device = "cpu";
    if (own.device != state_->settings.device || own.threads != state_->settings.threads ||
        own.lanes != state_->settings.lanes)
        throw Error("worlds keep the device, threads and lanes they were made with", "settings");
    state_->settings = own;
    for (World& world : state_->worlds) change_all_settings(*world.state_, state_->settings_of_one());
}

void Worlds::step(float dt) {
    check_step(dt);
    for (const World& world : state_->worlds) update_masses(*world.state_);
    if (state_->group) {
        state_->group->step(dt);
    } else {
        state_->crew->each(size(), 1, [&](std::uint32_t begin, std::uint32_t end, int) {
            for (std::uint32_t n = begin; n < end; ++n) state_->worlds[n].state_->simulation->step(dt);
        });
    }
    for (const World& world : state_->worlds) count_step(*world.state_, dt);
}

void Worlds::restore(std::uint32_t number, std::span<const std::byte> snapshot) {
    World& place = (*this)[number];
    auto world = decode_snapshot(snapshot, state_->settings_of_one(), state_->maker(number));
    world->among_many = true;
    place = World(std::move(world));
}

Worlds::DeviceStates Worlds::device_states() const {
    if (!state_->group) return {};
    for (const World& world : state_->worlds) update_masses(*world.state_);
    return {state_->group->device_state(), state_->group->body_stride()};
}

} // namespace scree
