// SPDX-License-Identifier: MIT
// opened.h — the state shared by copies of a Place: threads, and the device that gives each world a queue.
#pragma once

#include "device/cpu/thread_pool.h"
#include "device/device.h"
#include "scree/place.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace scree {

struct Place::Opened {
    /// Opens the device unless it is "auto". Throws Error like Place.
    Opened(const PlaceOptions& chosen, int lanes_, std::shared_ptr<TaskSystem> tasks_, ThreadPool* pool_);

    PlaceOptions options;
    int lanes;
    std::shared_ptr<TaskSystem> tasks; ///< the pool or the user's
    ThreadPool* pool;                  ///< null: the user's task system
    /// the places that "auto" became, by device; shared by all copies of a place
    struct Choices {
        std::mutex mutex;
        std::map<std::string, std::shared_ptr<const Opened>> by_name;
    };
    std::shared_ptr<Choices> choices; ///< null if the device is decided
    DeviceReport report;

    /// A device for one world. The place is decided.
    std::shared_ptr<Device> queue() const { return device_->another(); }

private:
    std::unique_ptr<Device> device_; ///< queues no work itself
};

/// The policy of "auto": the GPU that is `present`, for at least `gpu_from` items; otherwise "cpu".
std::string auto_device(std::size_t items, std::size_t gpu_from,
                        const std::function<std::vector<DeviceReport>()>& present);

/// Opens the device that the options name, anything but "auto"; `lanes` are decided. Throws Error for an unknown one.
std::unique_ptr<Device> open_device(const PlaceOptions& options, std::shared_ptr<TaskSystem> tasks,
                                    int lanes);

} // namespace scree
