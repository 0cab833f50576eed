// SPDX-License-Identifier: MIT
// worlds_state.h — the state of Worlds.
#pragma once

#include "rigid/crew.h"
#include "scree/worlds.h"
#include "world/state.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace scree {

struct Worlds::State {
    WorldSettings settings;
    Place place;                            ///< of all
    std::shared_ptr<SimulationGroup> group; ///< null: each world is stepped by itself
    Crew crew;                              ///< where there is no group
    Place place_of_each;
    std::uint32_t crowd;
    float last_h = 0; ///< s, the last substep where there is no group, which knows it itself
    std::vector<World> worlds;
    std::shared_ptr<Existence> existence = std::make_shared<Existence>();

    State(const WorldSettings& settings_, const Place& where, std::uint32_t count);

    /// of the world that has, or is to have, this number
    SimulationMaker maker(std::uint32_t number);
};

} // namespace scree
