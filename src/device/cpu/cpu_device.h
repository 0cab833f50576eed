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
/// 1, 4, 8 or 16: the widest that the processor has registers for
int widest_lanes();
/// The lanes that an option stands for, 0 being the widest. Throws Error for what is no such number or is missing here.
int checked_lanes(int lanes);
/// why this processor cannot run that many lanes; empty when it can
std::string lanes_missing(int lanes);

} // namespace scree
