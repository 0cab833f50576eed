// SPDX-License-Identifier: MIT
// device.h — choosing where a world runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scree {

class Device; // src/device/device.h; users only pass it on

/// A user's own task system, plugged in behind the CPU device. `run` must call `task(0) … task(count - 1)`, each once,
/// on any threads, and return when all are done. A world calls it in its steps, and where thousands of bodies came in whatever
/// asks for them next.
class TaskSystem {
public:
    virtual ~TaskSystem() = default;
    virtual int workers() const = 0;
    virtual void run(int count, const std::function<void(int)>& task) = 0;
};

struct DeviceOptions {
    /// "cpu", "cuda", "cuda:1", "opencl", "opencl:0.1" (platform.device), or "auto"
    std::string name = "auto";
    /// CPU threads; 0 takes all cores
    int threads = 0;
    /// CPU lanes: 1 (scalar), 4, 8 or 16; 0 takes the widest that the machine has in hardware
    int lanes = 0;
    /// a task system to run CPU work on; not owned, may be null
    TaskSystem* tasks = nullptr;
    /// what "auto" is to expect: the number of particles or bodies
    std::size_t expected_items = 0;
};

/// One line of `scree devices`.
struct DeviceReport {
    std::string name;        ///< what to pass as DeviceOptions::name
    std::string description; ///< hardware and driver, in words
    bool available = false;
    bool same_bits =
        false;          ///< correctly rounded division and square root: results equal the CPU's to the bit
    std::string reason; ///< why it is not available
};

/// Every device that Scree knows of, those that are missing included. Never throws.
std::vector<DeviceReport> list_devices();

/// Throws Error when the device does not exist or the options are out of range.
std::shared_ptr<Device> open_device(const DeviceOptions& options = {});

} // namespace scree
