// SPDX-License-Identifier: MIT
// discovery.h — the OpenCL devices of this machine and their abilities.
#pragma once

#include "device/opencl/calls.h"
#include "scree/place.h"

#include <string>
#include <vector>

namespace scree::opencl {

struct FoundDevice {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_device_type type = 0;
    bool rounds_correctly = false; ///< the driver promises correctly rounded division and square root
    DeviceReport report;
};

/// Every device of every platform, by platform and device number; `reason` says why when there is none.
std::vector<FoundDevice> find_devices(std::string& reason);

/// The device of a name, "opencl" or "opencl:P.D"; throws Error when there is none.
FoundDevice choose_device(const std::string& name);

} // namespace scree::opencl
