// SPDX-License-Identifier: MIT
// state.h — the state of a World.
#pragma once

#include "rigid/simulation.h"
#include "rigid/storage.h"
#include "scree/world.h"
#include "world/query_cloths.h"
#include "world/query_scene.h"

#include <memory>
#include <vector>

namespace scree {

/// A Rollback knows by it whether its world still exists.
struct Existence {};

/// The place with "auto" decided. Throws Error for a device that does not have the solver.
Place place_for(const WorldSettings& settings, const Place& where);

/// The storage of the steps, and data that only the API needs.
struct World::State : RigidStorage {
    State(const WorldSettings& chosen, const Place& where, const SimulationMaker& make = make_simulation)
        : RigidStorage(chosen, place_for(chosen, where)), simulation(make(*this)) {}

    std::vector<std::uint32_t> stale_masses; ///< bodies with mass_stale set; may contain removed ones
    double time = 0;
    bool among_many = false; ///< one of Worlds
    bool in_field = false;   ///< a Custom field is called
    bool warned_of_step = false, warned_of_body = false, warned_of_cloth = false,
         warned_of_frozen_cloth = false, warned_of_overlap = false, warned_of_pressure = false;
    QueryScene queries;
    QueryCloths cloth_queries;
    std::vector<Vec3> seen_vertices, seen_velocities; ///< of a cloth, as the user last asked for them
    std::shared_ptr<Existence> existence = std::make_shared<Existence>();
    std::unique_ptr<Simulation> simulation; ///< last, since it refers to the rest
};

/// Throws Error while a predicate of a query or the function of a field runs: the world must not change then.
void check_no_query(const World::State& world);
/// Throws Error while a contact filter or a pre-solve function runs, amid a step.
void check_not_called(const World::State& world);

/// Access to the state, for tests and tools of this repository.
struct WorldInside {
    static World::State& of(World& world) { return *world.state_; }
    /// Not const: reading may fetch from the device and compute masses.
    static World::State& of(const World& world) { return *world.state_; }
};

} // namespace scree
