// SPDX-License-Identifier: MIT
// traffic.h — the bytes a step has to move, stage by stage, and the bandwidth a device has for them.
//
// The model counts each array that a stage needs once, read or written, however the caches treat it: the least that can
// be moved with this layout (src/kernels/granular_params.h). A stage that takes longer than bytes / bandwidth is bound by
// something else.
#pragma once

#include "scree/granular.h"

#include <array>

namespace scree {
class Device;
}

namespace scree::bench {

struct StageBytes {
    double per_particle = 0, per_body = 0;
};

/// For the improved mode with a mixed decomposition; `passes` are the radix sort's.
std::array<StageBytes, granular_stage_names.size()> stage_bytes(const GranularSettings& settings, int passes);

/// Bytes of one step, substeps included.
std::array<double, granular_stage_names.size()> step_bytes(const GranularWorld& world);

/// Bytes a second of a kernel that only streams, over more than any cache holds; 0 when the device has no room for it.
double measured_bandwidth(Device& device);
/// Bytes a second, read and written, of Device::copy over more than any cache holds; 0 when there is no room for it.
double copy_bandwidth(Device& device);

} // namespace scree::bench
