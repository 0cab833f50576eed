// SPDX-License-Identifier: MIT
// cpu_device.h — the CPU: threads and lanes.
#pragma once

#include "device/device.h"

#include <memory>

namespace scree {

/// `lanes` as checked_lanes gives them.
std::unique_ptr<Device> open_cpu_device(std::shared_ptr<TaskSystem> tasks, int lanes,
                                        const std::string& name = "cpu");
DeviceReport describe_cpu_device();
/// 1, 4, 8 or 16: the widest registers of the processor
int widest_lanes();
/// The lanes of an option; 0 means the widest. Throws Error for an invalid or unavailable number.
int checked_lanes(int lanes);
/// why this processor cannot run that many lanes; empty if it can
std::string lanes_missing(int lanes);

} // namespace scree
