// SPDX-License-Identifier: MIT
// cpu_device.h — the CPU: threads and lanes.
#pragma once

#include "device/device.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scree {

/// `lanes` as checked_lanes gives them; `ranges_per_thread` as PlaceOptions has it.
std::unique_ptr<Device> open_cpu_device(std::shared_ptr<TaskSystem> tasks, int lanes, int ranges_per_thread,
                                        const std::string& name = "cpu");
/// The ranges of a stage's items, one after the other and nearly equal: whole granules, but for the last one's end.
class StageRanges {
public:
    StageRanges(std::uint32_t items, std::uint32_t granule, int workers, int ranges_per_thread);
    int count() const { return count_; }
    std::uint32_t edge(int k) const; ///< where range k begins and k - 1 ends

private:
    std::uint32_t items_, granule_;
    std::uint64_t granules_;
    int count_;
};

DeviceReport describe_cpu_device();
/// 1, 4, 8 or 16: the widest registers of the processor
int widest_lanes();
/// The lanes of an option; 0 means the widest. Throws Error for an invalid or unavailable number.
int checked_lanes(int lanes);
/// why this processor cannot run that many lanes; empty if it can
std::string lanes_missing(int lanes);

} // namespace scree
