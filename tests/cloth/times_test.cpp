// SPDX-License-Identifier: MIT
// times_test.cpp — what `scree bench cloth` measures is the work of a device, not the asking for it.
#include "cloth_seconds.h"
#include "scree/cloth.h"
#include "scree/place.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace scree::test {
namespace {

TEST(ClothTimes, LastUntilTheDeviceHasFinished) {
    ClothSettings s;
    s.edges_x = s.edges_z = 126;
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        ClothWorld world(s, report.name);
        world.add_sheet();
        world.step(2);
        // the device's own clock ran within the time that was measured
        world.time_stages(true);
        const double measured = 4 * bench::seconds_of(world, 4);
        const auto stages = world.stage_seconds();
        const double worked = std::accumulate(stages.begin(), stages.end(), 0.0);
        EXPECT_GT(worked, 0) << report.name;
        EXPECT_GT(measured, 0.95 * worked) << report.name;
    }
}

} // namespace
} // namespace scree::test
