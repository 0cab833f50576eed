// SPDX-License-Identifier: MIT
// make_simulation.cpp — chooses the simulation for a world's place.

#include "rigid/cpu_simulation.h"
#include "rigid/device_worlds.h"
#include "rigid/storage.h"
#include "scree/error.h"

namespace scree {

std::shared_ptr<SimulationGroup> make_group(const Place& place, std::uint32_t worlds) {
    const std::string& device = place.device();
    if (device == "cpu") return nullptr;
    // "cpu:kernels" runs a GPU's kernels on the CPU: slow, for tests and debugging
    if (device.starts_with("cuda") || device == "cpu:kernels")
        return std::make_shared<DeviceWorlds>(place, worlds);
    throw Error("the rigid world runs on \"cpu\" and \"cuda\"; got \"" + device + "\"", "device");
}

std::unique_ptr<Simulation> make_simulation(RigidStorage& world) {
    if (const auto group = make_group(world.place, 1)) return group->member(world, 0);
    return std::make_unique<CpuSimulation>(world);
}

} // namespace scree
