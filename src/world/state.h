// SPDX-License-Identifier: MIT
// state.h — what a World is made of.
#pragma once

#include "rigid/simulation.h"
#include "rigid/storage.h"
#include "scree/world.h"

#include <memory>
#include <vector>

namespace scree {

/// The storage that a step works on, and what only the API needs.
struct World::State : RigidStorage {
    State(const WorldSettings& chosen, const Place& where, const SimulationMaker& make = make_simulation)
        : RigidStorage(chosen, where.decided(gpu_from)), simulation(make(*this)) {}

    std::vector<std::uint32_t> stale_masses; ///< bodies whose mass_stale is set, and some that are gone
    double time = 0;
    bool among_many = false;                ///< stepped by Worlds
    std::unique_ptr<Simulation> simulation; ///< last: it refers to the rest
};

/// For the project's own tools.
struct WorldInside {
    static World::State& of(World& world) { return *world.state_; }
    /// Reading may fetch from the device and weigh new bodies.
    static World::State& of(const World& world) { return *world.state_; }
};

} // namespace scree
