// SPDX-License-Identifier: MIT
// registry.cpp — lists all devices, and opens one by name.

#include "device/cpu/cpu_device.h"
#include "device/opened.h"
#include "device/plugin.h"
#include "scree/error.h"

#if defined(SCREE_HAS_OPENCL)
#include "device/opencl/opencl_device.h"
#endif
#if defined(SCREE_HAS_GLES)
#include "device/gles/gles_device.h"
#endif

#include <charconv>
#include <utility>

namespace scree {

namespace {

#if !defined(SCREE_HAS_OPENCL)
std::vector<DeviceReport> list_opencl_devices() {
    DeviceReport report;
    report.name = "opencl";
    report.reason = "this build has no OpenCL";
    return {report};
}
std::unique_ptr<Device> open_opencl_device(const std::string& name) {
    throw Error("this build has no OpenCL", "device " + name);
}
#endif

#if !defined(SCREE_HAS_GLES)
std::vector<DeviceReport> list_gles_devices() {
    DeviceReport report;
    report.name = "gles";
    report.reason = "this build has no OpenGL ES";
    return {report};
}
std::unique_ptr<Device> open_gles_device(bool) { throw Error("this build has no OpenGL ES", "device gles"); }
#endif

std::string known_names() {
    std::string names = "auto";
    for (const DeviceReport& report : list_devices())
        if (report.available) names += ", " + report.name;
    return names;
}

int index_of(const std::string& name, std::size_t prefix) {
    if (name.size() == prefix) return 0;
    int index = -1;
    const char* end = name.data() + name.size();
    const auto result = std::from_chars(name.data() + prefix + 1, end, index);
    if (name[prefix] != ':' || result.ec != std::errc{} || result.ptr != end || index < 0)
        throw Error("\"" + name + "\" is not a device; expected one of: " + known_names(), "device");
    return index;
}

} // namespace

std::vector<DeviceReport> list_devices() {
    std::vector<DeviceReport> all{describe_cpu_device()};
    for (DeviceReport& report : list_cuda_devices()) all.push_back(std::move(report));
    for (DeviceReport& report : list_opencl_devices()) all.push_back(std::move(report));
    for (DeviceReport& report : list_gles_devices()) all.push_back(std::move(report));
    return all;
}

std::unique_ptr<Device> open_device(const PlaceOptions& options, std::shared_ptr<TaskSystem> tasks,
                                    int lanes) {
    const std::string& name = options.device;
    if (options.share_graphics && name != "gles")
        throw Error("invalid value true with device \"" + name + "\": expected device \"gles\"",
                    "share_graphics");
    if (name == "cpu") return open_cpu_device(std::move(tasks), lanes, options.ranges_per_thread);
    if (name == "cpu:kernels") return open_cpu_device(std::move(tasks), 1, options.ranges_per_thread, name);
    if (name.starts_with("cuda")) return open_cuda_device(index_of(name, 4));
    if (name == "opencl" || name.starts_with("opencl:")) return open_opencl_device(name);
    if (name == "gles") return open_gles_device(options.share_graphics);
    throw Error("\"" + name + "\" is not a device; expected one of: " + known_names(), "device");
}

} // namespace scree
