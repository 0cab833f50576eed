// SPDX-License-Identifier: MIT
// cpu_device.h — the CPU: threads and lanes.
#pragma once

#include "device/device.h"

#include <memory>

namespace scree {

/// Throws Error when threads or lanes are out of range or the processor lacks the lanes.
std::unique_ptr<Device> open_cpu_device(const DeviceOptions& options);
DeviceReport describe_cpu_device();
/// 1, 4, 8 or 16: the widest that the processor has registers for
int widest_lanes();
/// why this processor cannot run that many lanes; empty when it can
std::string lanes_missing(int lanes);

} // namespace scree
