// SPDX-License-Identifier: MIT
// discovery.cpp — asks the ICD loader for platforms and devices.
#include "device/opencl/discovery.h"

#include "device/opencl/opencl_device.h"
#include "scree/error.h"

#include <exception>

namespace scree::opencl {

namespace {

constexpr cl_int no_platform = -1001; // CL_PLATFORM_NOT_FOUND_KHR: the loader knows no driver

FoundDevice described(cl_platform_id platform, cl_device_id device, const std::string& name) {
    FoundDevice found;
    found.platform = platform;
    found.device = device;
    found.report.name = name;
    found.type = device_value<cl_device_type>(device, CL_DEVICE_TYPE);
    found.report.description = device_text(device, CL_DEVICE_NAME) + " (" +
                               platform_text(platform, CL_PLATFORM_NAME) + ", driver " +
                               device_text(device, CL_DRIVER_VERSION) + ")";

    const auto floats = device_value<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG);
    const cl_device_fp_config exact =
        CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    found.rounds_correctly = (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    found.report.same_bits = (floats & exact) == exact;

    if (device_value<cl_bool>(device, CL_DEVICE_AVAILABLE) == CL_FALSE) {
        found.report.reason = "the driver says that the device is not available";
    } else if (device_value<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) {
        found.report.reason = "the driver has no compiler";
    } else if (device_value<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE) {
        found.report.reason = "the device is big-endian; little-endian is needed";
    } else {
        found.report.available = true;
    }
    return found;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
    cl_uint count = 0;
    const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) return {};
    check(code, "clGetDeviceIDs");
    std::vector<cl_device_id> devices(count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
    return devices;
}

/// higher is better
int rank(const FoundDevice& found) {
    if ((found.type & CL_DEVICE_TYPE_GPU) != 0) return 3;
    if ((found.type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return 2;
    return 1;
}

} // namespace

std::vector<FoundDevice> find_devices(std::string& reason) {
    cl_uint count = 0;
    const cl_int code = clGetPlatformIDs(0, nullptr, &count);
    if (code == no_platform || (code == CL_SUCCESS && count == 0)) {
        reason = "no OpenCL driver is installed (Debian: pocl-opencl-icd, or the GPU maker's)";
        return {};
    }
    check(code, "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");

    std::vector<FoundDevice> all;
    for (std::size_t p = 0; p < platforms.size(); ++p) {
        // one broken driver must not hide the others
        try {
            const std::vector<cl_device_id> devices = devices_of(platforms[p]);
            for (std::size_t d = 0; d < devices.size(); ++d)
                all.push_back(described(platforms[p], devices[d],
                                        "opencl:" + std::to_string(p) + "." + std::to_string(d)));
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    if (all.empty() && reason.empty()) reason = "the installed OpenCL drivers have no device";
    return all;
}

FoundDevice choose_device(const std::string& name) {
    std::string reason;
    const std::vector<FoundDevice> all = find_devices(reason);
    const std::string where = "device " + name;
    if (all.empty()) throw Error(reason, where);

    const FoundDevice* best = nullptr;
    std::string names;
    for (const FoundDevice& found : all) {
        names += (names.empty() ? "" : ", ") + found.report.name;
        if (name == found.report.name) best = &found;
        if (name == "opencl" && found.report.available && (best == nullptr || rank(found) > rank(*best)))
            best = &found;
    }
    if (best == nullptr && name == "opencl") throw Error(all.front().report.reason, where);
    if (best == nullptr) throw Error("there is no such device; there are: opencl, " + names, where);
    if (!best->report.available) throw Error(best->report.reason, where);
    return *best;
}

} // namespace scree::opencl

namespace scree {

std::vector<DeviceReport> list_opencl_devices() {
    std::vector<DeviceReport> reports;
    DeviceReport none;
    none.name = "opencl";
    none.description = "OpenCL";
    try {
        for (opencl::FoundDevice& found : opencl::find_devices(none.reason))
            reports.push_back(std::move(found.report));
    } catch (const std::exception& error) {
        none.reason = error.what();
    }
    if (reports.empty()) reports.push_back(none);
    return reports;
}

} // namespace scree
