// SPDX-License-Identifier: MIT
// opened.h — what the copies of a Place share: threads, and the device that worlds take their queues from.
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
    /// The device, unless that is "auto". Throws Error as Place does.
    Opened(const PlaceOptions& chosen, int lanes_, std::shared_ptr<TaskSystem> tasks_, ThreadPool* pool_);

    PlaceOptions options;
    int lanes;
    std::shared_ptr<TaskSystem> tasks; ///< the pool or the user's
    ThreadPool* pool;                  ///< null: the user's task system
    /// what "auto" became, by name; shared by all that came of one place
    struct Choices {
        std::mutex mutex;
        std::map<std::string, std::shared_ptr<const Opened>> by_name;
    };
    std::shared_ptr<Choices> choices; ///< null where the device is decided
    DeviceReport report;

    /// A device for one world. The place is decided.
    std::shared_ptr<Device> queue() const { return device_->another(); }

private:
    std::unique_ptr<Device> device_; ///< nothing is queued here
};

/// The policy of "auto": the GPU that is `present`, for at least `gpu_from` items; otherwise "cpu".
std::string auto_device(std::size_t items, std::size_t gpu_from,
                        const std::function<std::vector<DeviceReport>()>& present);

/// By any name but "auto". Throws Error when there is no such device.
std::unique_ptr<Device> open_device(const std::string& name, std::shared_ptr<TaskSystem> tasks, int lanes);

} // namespace scree
