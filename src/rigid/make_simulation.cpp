// SPDX-License-Identifier: MIT
// make_simulation.cpp — where a world's steps are computed.

#include "rigid/cpu_simulation.h"
#include "rigid/device_simulation.h"
#include "scree/error.h"
#include "world/state.h"

#include <utility>

namespace scree {

namespace {

std::unique_ptr<Simulation> on_device(World::State& world, std::shared_ptr<Device> device) {
    world.device = device;
    return std::make_unique<DeviceSimulation>(world, std::move(device));
}

} // namespace

std::unique_ptr<Simulation> make_simulation(World::State& world, TaskSystem* tasks) {
    const std::string& device = world.settings.device;
    if (device.starts_with("cuda")) return on_device(world, open_device({.name = device}));
    // what a GPU runs, on the CPU: slow, for tests and for looking
    if (device == "cpu:kernels")
        return on_device(
            world,
            open_device({.name = "cpu", .threads = world.settings.threads, .lanes = 1, .tasks = tasks}));
    if (device != "cpu" && device != "auto")
        throw Error("the rigid world runs on \"cpu\" and \"cuda\"; got \"" + device + "\"", "device");
    return std::make_unique<CpuSimulation>(world, tasks);
}

} // namespace scree
