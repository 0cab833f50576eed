// SPDX-License-Identifier: MIT
// make_simulation.cpp — where a world's steps are computed.

#include "rigid/cpu_simulation.h"
#include "scree/error.h"
#include "world/state.h"

namespace scree {

std::unique_ptr<Simulation> make_simulation(World::State& world, TaskSystem* tasks) {
    const std::string& device = world.settings.device;
    if (device != "cpu" && device != "auto")
        throw Error("the rigid world runs on \"cpu\"; got \"" + device + "\"", "device");
    return std::make_unique<CpuSimulation>(world, tasks);
}

} // namespace scree
