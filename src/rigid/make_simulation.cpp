// SPDX-License-Identifier: MIT
// make_simulation.cpp — where a world's steps are computed.

#include "rigid/cpu_simulation.h"
#include "rigid/device_worlds.h"
#include "rigid/storage.h"
#include "scree/error.h"

#include <utility>

namespace scree {

namespace {

/// From here on a GPU is ahead of the threads of the CPU (docs/gpu.md).
constexpr std::size_t crossover = 1000;

} // namespace

std::string auto_device(std::size_t bodies) {
    if (bodies < crossover) return "cpu";
    for (const DeviceReport& report : list_devices())
        if (report.available && report.name.starts_with("cuda")) return report.name;
    return "cpu";
}

std::shared_ptr<SimulationGroup> make_group(const WorldSettings& settings, std::uint32_t worlds,
                                            TaskSystem* tasks) {
    const std::string device = settings.device == "auto"
                                   ? auto_device(std::size_t{settings.expected_bodies} * worlds)
                                   : settings.device;
    if (device.starts_with("cuda"))
        return std::make_shared<DeviceWorlds>(open_device({.name = device}), worlds, settings.device_memory,
                                              tasks);
    // what a GPU runs, on the CPU: slow, for tests and for looking
    if (device == "cpu:kernels")
        return std::make_shared<DeviceWorlds>(
            open_device({.name = "cpu", .threads = settings.threads, .lanes = 1, .tasks = tasks}), worlds,
            settings.device_memory, tasks);
    if (device != "cpu")
        throw Error("the rigid world runs on \"cpu\" and \"cuda\"; got \"" + device + "\"", "device");
    return nullptr;
}

std::unique_ptr<Simulation> make_simulation(RigidStorage& world, TaskSystem* tasks) {
    if (const auto group = make_group(world.settings, 1, tasks)) return group->member(world, 0);
    return std::make_unique<CpuSimulation>(world, tasks);
}

SimulationMaker simulation_maker(TaskSystem* tasks) {
    return [tasks](RigidStorage& world) { return make_simulation(world, tasks); };
}

} // namespace scree
