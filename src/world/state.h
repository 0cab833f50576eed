// SPDX-License-Identifier: MIT
// state.h — what a World is made of.
#pragma once

#include "rigid/simulation.h"
#include "scree/world.h"
#include "world/storage.h"

#include <memory>
#include <vector>

namespace scree {

struct World::State {
    State(const WorldSettings& chosen, const Place& where, const SimulationMaker& make = make_simulation)
        : settings(chosen), place(where.decided(gpu_from)), simulation(make(*this)) {}

    WorldSettings settings;
    Place place; ///< decided
    Bodies bodies;
    Shapes shapes;
    Joints joints;
    std::vector<std::uint32_t> stale_masses; ///< bodies whose mass_stale is set, and some that are gone
    std::uint32_t tag = 0; ///< of this world's ids: the upper 8 bits of every generation (world/ids.h)
    std::uint64_t steps = 0;
    double time = 0;
    bool among_many = false;                ///< stepped by Worlds
    std::vector<BodyId> quarantined;        ///< in the last step
    std::unique_ptr<Simulation> simulation; ///< last: it refers to the rest
};

/// For the project's own tools.
struct WorldInside {
    static World::State& of(World& world) { return *world.state_; }
    /// Reading may fetch from the device and weigh new bodies.
    static World::State& of(const World& world) { return *world.state_; }
};

} // namespace scree
