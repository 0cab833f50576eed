// SPDX-License-Identifier: MIT
// opencl_device.h — lists and opens the OpenCL devices of this machine.
#pragma once

#include "device/device.h"

#include <memory>
#include <string>
#include <vector>

namespace scree {

/// One report for each device of each platform, or a single one that says why there is none. Never throws.
std::vector<DeviceReport> list_opencl_devices();

/// "opencl" takes the best device (GPU, then accelerator, then CPU), "opencl:P.D" device D of platform P.
/// Throws Error when there is none of that name, or when the driver refuses the kernels (with its build log).
std::unique_ptr<Device> open_opencl_device(const std::string& name);

} // namespace scree
