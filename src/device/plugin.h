// SPDX-License-Identifier: MIT
// plugin.h — loads the CUDA device from a plug-in, scree_cuda, on first use.
//
// Search order: the folders of $SCREE_PLUGIN_PATH, the executable's folder, ../lib/scree from
// there, and the folder that `cmake --install` was configured for.
#pragma once

#include "device/device.h"
#include "scree/version.h"

#include <memory>
#include <string>
#include <vector>

namespace scree {

/// The GPUs that CUDA sees; one report with the reason when plug-in or driver are missing. Never throws.
std::vector<DeviceReport> list_cuda_devices();

/// Throws Error when there is no such GPU, no driver or no plug-in.
std::unique_ptr<Device> open_cuda_device(int index);

/// counts changes of Device's virtual functions and data: a plug-in of another count would be called wrongly
constexpr int device_interface = 5;

/// A hash of the interface of library and plug-in: version, Device, and the kernels with their buffers and parameters. A
/// plug-in of another build has another hash and is refused.
inline std::string plugin_abi() {
    std::uint32_t mixed = 2166136261u; // FNV-1a
    auto mix = [&mixed](std::size_t word) { mixed = (mixed ^ static_cast<std::uint32_t>(word)) * 16777619u; };
    mix(sizeof(Device));
    mix(sizeof(DeviceReport));
    for (std::size_t k = 0; k < static_cast<std::size_t>(KernelId::count); ++k) {
        for (char letter : std::string_view(kernel_names[k])) mix(static_cast<unsigned char>(letter));
        mix(kernel_buffer_counts[k]);
        mix(kernel_params_bytes[k]);
    }
    return std::string(SCREE_VERSION) + "/" + std::to_string(device_interface) + "/" + std::to_string(mixed);
}

} // namespace scree
