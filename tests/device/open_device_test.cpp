// SPDX-License-Identifier: MIT
// open_device_test.cpp — choosing a device: the list, the names, what is refused, and a user's task system.
#include "device/device.h"
#include "support/granular_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace scree::test {
namespace {

std::string refusal(const std::string& name, int threads = 0, int lanes = 0) {
    DeviceOptions options;
    options.name = name;
    options.threads = threads;
    options.lanes = lanes;
    return error_message([&] { open_device(options); });
}

TEST(Devices, ListNamesTheCpuAndWhyOthersAreMissing) {
    const auto reports = list_devices();
    const auto is_cpu = [](const DeviceReport& report) { return report.name == "cpu"; };
    ASSERT_EQ(std::count_if(reports.begin(), reports.end(), is_cpu), 1);
    for (const DeviceReport& report : reports) {
        EXPECT_FALSE(report.name.empty());
        if (is_cpu(report)) {
            EXPECT_TRUE(report.available);
            EXPECT_TRUE(report.same_bits);
        }
        EXPECT_EQ(report.reason.empty(), report.available) << report.name << ": " << report.reason;
        EXPECT_TRUE(!report.available || !report.description.empty()) << report.name;
    }
}

TEST(Devices, ListMentionsCudaAndOpenClWhetherPresentOrNot) {
    const auto mentions = [reports = list_devices()](const std::string& name) {
        return std::any_of(reports.begin(), reports.end(),
                           [&](const DeviceReport& report) { return report.name.rfind(name, 0) == 0; });
    };
    EXPECT_TRUE(mentions("cuda"));
    EXPECT_TRUE(mentions("opencl"));
}

TEST(Devices, EachAvailableDeviceOpensUnderItsName) {
    for (const DeviceReport& report : list_devices()) {
        DeviceOptions options;
        options.name = report.name;
        if (report.available) {
            EXPECT_EQ(open_device(options)->report().name, report.name);
        } else {
            EXPECT_TRUE(contains(error_message([&] { open_device(options); }), report.name)) << report.name;
        }
    }
}

TEST(Devices, UnknownNameIsRefusedByThatName) {
    EXPECT_TRUE(contains(refusal("abacus"), "abacus")) << refusal("abacus");
    EXPECT_TRUE(contains(refusal("cuda:77"), "cuda:77")) << refusal("cuda:77");
    EXPECT_TRUE(contains(refusal("opencl:9.9"), "opencl:9.9")) << refusal("opencl:9.9");
    EXPECT_TRUE(contains(refusal("opencl:x"), "opencl:x")) << refusal("opencl:x");
    EXPECT_NE(refusal(""), "no error");
}

TEST(Devices, ThreadsOutOfRangeAreRefusedByThatNumber) {
    EXPECT_TRUE(contains(refusal("cpu", -1), "-1")) << refusal("cpu", -1);
    EXPECT_TRUE(contains(refusal("cpu", -1), "threads")) << refusal("cpu", -1);
}

TEST(Devices, LanesOutOfRangeAreRefusedByThatNumber) {
    for (int lanes : {-1, 2, 3, 5, 32}) {
        const std::string message = refusal("cpu", 1, lanes);
        EXPECT_TRUE(contains(message, std::to_string(lanes))) << message;
        EXPECT_TRUE(contains(message, "lanes")) << message;
    }
}

TEST(Devices, AutoOpensADeviceThatIsAvailable) {
    for (std::size_t items : {std::size_t{0}, std::size_t{100}, std::size_t{10'000'000}}) {
        DeviceOptions options;
        options.expected_items = items;
        EXPECT_TRUE(open_device(options)->report().available);
    }
}

/// Runs tasks backwards, every second one on another thread.
class BackwardTasks : public TaskSystem {
public:
    int workers() const override { return 3; }
    void run(int count, const std::function<void(int)>& task) override {
        ++calls;
        for (int i = count - 1; i >= 0; --i) {
            if (i % 2) {
                std::thread([&] { task(i); }).join();
            } else {
                task(i);
            }
        }
    }
    int calls = 0;
};

TEST(Devices, UsersTaskSystemIsUsedAndGivesTheSameBits) {
    BackwardTasks tasks;
    DeviceOptions options;
    options.name = "cpu";
    options.tasks = &tasks;
    const auto grains = scattered(4000, {-4, 0.2, -4}, {4, 8, 4}, 50);
    GranularWorld plugged = world_of(improved_settings(), shapes::grain(0.2f), grains, open_device(options)),
                  plain = world_of(improved_settings(), shapes::grain(0.2f), grains, cpu(1));
    plugged.step(5);
    plain.step(5);
    EXPECT_GT(tasks.calls, 0);
    EXPECT_EQ(plugged.hash(), plain.hash());
}

} // namespace
} // namespace scree::test
