// SPDX-License-Identifier: MIT
// copy.h — a copy of a world's state in memory, from which the world, or a clone of it, continues with the same bits.
#pragma once

#include "world/state.h"

#include <memory>
#include <optional>

namespace scree {

struct WorldCopy {
    std::optional<RigidStorage> storage;
    double time = 0;
    std::unique_ptr<SimulationCopy> simulation; ///< null: the group of the world has its own
};

/// Computes masses, as every query does. Repeated copies into the same one seldom allocate.
void keep(World::State& world, WorldCopy& to);
void go_back(World::State& world, const WorldCopy& from);

} // namespace scree
