// SPDX-License-Identifier: MIT
// place_test.cpp — where worlds run: the devices, what is refused, what "auto" is, and worlds that share a place.
#include "device/opened.h"
#include "scene/live_scene.h"
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "scree/worlds.h"
#include "support/granular_support.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

namespace scree::test {
namespace {

std::string refusal(const PlaceOptions& options) {
    return error_message([&] { Place place(options); });
}

std::uint64_t hash_of_boxes(const Place& place, int steps = 40) {
    World world({}, place);
    add_container(world, 2, 4);
    add_pile(world, Kind::mixed, 60, 4);
    run_steps(world, steps);
    return world.hash();
}

std::uint64_t hash_of_grains(const Place& place, int steps = 5) {
    GranularWorld world = world_of(improved_settings(), shapes::grain(0.2f),
                                   scattered(2000, {-4, 0.2, -4}, {4, 8, 4}, 50), place);
    world.step(steps);
    return world.hash();
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
        if (report.available) {
            EXPECT_EQ(Place(report.name).device(), report.name);
        } else {
            EXPECT_TRUE(contains(refusal({.device = report.name}), report.name)) << report.name;
        }
    }
}

TEST(Devices, UnknownNameIsRefusedByThatName) {
    for (const std::string name : {"abacus", "cuda:77", "opencl:9.9", "opencl:x"})
        EXPECT_TRUE(contains(refusal({.device = name}), name)) << refusal({.device = name});
    EXPECT_NE(refusal({.device = ""}), "no error");
    EXPECT_TRUE(contains(error_message([] { World world({}, "abacus"); }), "device"));
    EXPECT_TRUE(contains(error_message([] { GranularWorld world({}, "abacus"); }), "device"));
}

TEST(Devices, RigidWorldsRefuseOpenCl) {
    const FoundDevice found = find_device("opencl");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    const Place place(found.name);
    const std::string message = error_message([&] { World world({}, place); });
    EXPECT_TRUE(contains(message, "device")) << message;
    EXPECT_TRUE(contains(message, found.name)) << message;
    EXPECT_EQ(hash_of_grains(place), hash_of_grains(cpu(1)));
}

TEST(Devices, ThreadsOutOfRangeAreRefusedByThatNumber) {
    for (const std::string device : {"cpu", "cpu:kernels", "auto"})
        for (const int threads : {-1, 100000}) {
            const std::string message = refusal({.device = device, .threads = threads});
            EXPECT_TRUE(contains(message, std::to_string(threads))) << message;
            EXPECT_TRUE(contains(message, "threads")) << message;
        }
}

TEST(Devices, LanesOutOfRangeAreRefusedByThatNumber) {
    for (int lanes : {-1, 2, 3, 5, 32}) {
        const std::string message = refusal({.threads = 1, .lanes = lanes});
        EXPECT_TRUE(contains(message, std::to_string(lanes))) << message;
        EXPECT_TRUE(contains(message, "lanes")) << message;
    }
}

// what "auto" is -------------------------------------------------------------------------------------------------

TEST(PlaceAuto, IsTheFirstGpuThatIsThereFromTheCrossoverOn) {
    const auto machine = [](std::vector<DeviceReport> reports) {
        return [reports = std::move(reports)] { return reports; };
    };
    const DeviceReport cpu{"cpu", "", true, true, ""}, missing{"cuda", "", false, false, "no driver"},
        first{"cuda:0", "", true, true, ""}, second{"cuda:1", "", true, true, ""};
    EXPECT_EQ(auto_device(999, 1000, machine({cpu, first, second})), "cpu");
    EXPECT_EQ(auto_device(1000, 1000, machine({cpu, first, second})), "cuda:0");
    EXPECT_EQ(auto_device(1000, 1000, machine({cpu, missing, second})), "cuda:1");
    EXPECT_EQ(auto_device(1'000'000, 1000, machine({cpu, missing})), "cpu");
    EXPECT_EQ(auto_device(0, 1000, [] { return ADD_FAILURE(), list_devices(); }), "cpu")
        << "looked for a GPU";
}

TEST(PlaceAuto, IsTheSameForWorldsScenesAndTheViewer) {
    for (const std::size_t items : {0, 999, 1000, 5000, 19'999, 20'000, 1'000'000}) {
        const std::string rigid = auto_device(items, World::gpu_from, list_devices),
                          granular = auto_device(items, GranularWorld::gpu_from, list_devices);
        // one place for both kinds, each of which decides by what was measured for it
        const Place place({.device = "auto", .threads = 1, .expected_items = items});
        EXPECT_EQ(place.device(), "auto");
        EXPECT_EQ(World({}, place).place().device(), rigid) << items;
        EXPECT_EQ(GranularWorld({}, place).place().device(), granular) << items;
        EXPECT_EQ(Worlds(2, {}, place).place().device(),
                  auto_device(2 * items, World::gpu_from, list_devices));
    }
    for (const std::string name : {"stack-10", "pyramid-40", "truck-gravel-1000", "die", "stream-300"}) {
        const Scene scene = find_scene(name);
        const std::string expected =
            auto_device(kind_of(scene).size(scene).items, kind_of(scene).gpu_from(), list_devices);
        const std::string built = scene.kind == "rigid" ? build_rigid_world(scene, "auto").place().device()
                                                        : build_world(scene, "auto").place().device();
        EXPECT_EQ(place_for(scene, "auto").device(), expected) << name; // what the program takes
        EXPECT_EQ(built, expected) << name;
        EXPECT_EQ(LiveScene(scene, "auto").place().device(), expected) << name;
    }
}

TEST(PlaceAuto, DecidesOnceForAllWorldsThatExpectAsMuch) {
    const Place place({.device = "auto", .threads = 2, .expected_items = 10});
    const World one({}, place), other({}, place);
    EXPECT_EQ(one.place(), other.place());
    EXPECT_EQ(one.place(), place.expecting(12).decided(World::gpu_from));
    EXPECT_EQ(one.place().device(), "cpu");
    EXPECT_EQ(one.place().threads(), 2);
    EXPECT_EQ(Place("cpu").expecting(1'000'000).decided(0).device(), "cpu") << "only auto is decided";
}

// sharing --------------------------------------------------------------------------------------------------------

/// Of this process; 0 where the system does not tell.
std::size_t threads_now() {
    std::error_code fault;
    std::size_t count = 0;
    for (std::filesystem::directory_iterator it("/proc/self/task", fault), end; !fault && it != end;
         it.increment(fault))
        ++count;
    return count;
}

/// How many threads there are beside those that were here at first.
class ThreadCount {
public:
    ThreadCount() {
        std::thread([] {}).join(); // a sanitizer starts one of its own with the first
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        first_ = threads_now();
    }
    /// The system takes a moment to forget a thread that has ended.
    bool grown_by(std::size_t more) const {
        for (int tries = 0; tries < 100; ++tries) {
            if (first_ == 0 || threads_now() == first_ + more) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

private:
    std::size_t first_ = 0;
};

TEST(Places, WorldsThatNameNoneShareOne) {
    EXPECT_EQ(World().place(), GranularWorld().place());
    EXPECT_EQ(World().place(), Place());
    EXPECT_EQ(Place().device(), "cpu");
    EXPECT_EQ(Place().threads(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    EXPECT_NE(Place(), Place("cpu")) << "a place that is opened anew has threads of its own";
}

TEST(Places, WorldsAreMadeWithWhatIsAtHand) {
    const std::string name = "cpu";
    const PlaceOptions options{.threads = 2};
    const Place place(options);
    EXPECT_EQ(World({}).place(), Place());
    EXPECT_EQ(GranularWorld({}).place(), Place());
    EXPECT_EQ(World({.substeps = 3}, name).place().device(), "cpu");
    EXPECT_EQ(World({}, {{.threads = 3}}).place().threads(), 3);
    EXPECT_EQ(World({}, options).place().threads(), 2);
    EXPECT_EQ(World({}, place).place(), place);
    EXPECT_EQ(World::restore(World().save(), place).place(), place);
    EXPECT_EQ(Worlds(2, {}, place).place(), place);
    EXPECT_EQ(Worlds::copies(2, World().save(), "cpu:kernels").place().device(), "cpu:kernels");
    EXPECT_EQ(GranularWorld({.stiffness = 200}, "cpu:kernels").place().device(), "cpu:kernels");
    EXPECT_EQ(GranularWorld({}, {{.threads = 3, .lanes = 1}}).place().lanes(), 1);
}

TEST(Places, ThreadsStartWithTheFirstWorkAndServeEveryWorld) {
    const SplitSmallWorlds split;
    const std::uint64_t boxes = hash_of_boxes(on(1)), grains = hash_of_grains(cpu(1));
    const ThreadCount count;
    const Place place({.threads = 4});
    World first({}, place), second({}, place);
    GranularWorld third({}, place);
    EXPECT_TRUE(count.grown_by(0));
    EXPECT_EQ(hash_of_boxes(place), boxes);
    EXPECT_TRUE(count.grown_by(3)); // and the caller
    EXPECT_EQ(hash_of_boxes(place), boxes);
    EXPECT_EQ(hash_of_grains(place), grains);
    first.step(frame);
    second.step(frame);
    third.step();
    EXPECT_TRUE(count.grown_by(3));
}

TEST(Places, ThreadsEndWithTheLastWorld) {
    const SplitSmallWorlds split;
    const ThreadCount count;
    {
        World world({}, {{.threads = 3}});
        add_slab(world, 20);
        add_pile(world, Kind::boxes, 40);
        run_steps(world, 30);
        EXPECT_TRUE(count.grown_by(2));
        World moved = std::move(world);
        run_steps(moved, 2);
    }
    EXPECT_TRUE(count.grown_by(0));
}

/// Whoever finds the threads at work for another does his own work.
TEST(Places, WorldsThatShareOneMayBeSteppedAtTheSameTime) {
    const SplitSmallWorlds split;
    const std::uint64_t boxes = hash_of_boxes(on(1)), grains = hash_of_grains(cpu(1), 10);
    for (const Place& place :
         {Place(), Place({.threads = 3}), Place({.device = "cpu:kernels", .threads = 2})}) {
        std::uint64_t found[4] = {};
        std::thread threads[] = {std::thread([&] { found[0] = hash_of_boxes(place); }),
                                 std::thread([&] { found[1] = hash_of_boxes(place); }),
                                 std::thread([&] { found[2] = hash_of_grains(place, 10); }),
                                 std::thread([&] { found[3] = hash_of_grains(place, 10); })};
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(found[0], boxes) << place.device();
        EXPECT_EQ(found[1], boxes) << place.device();
        EXPECT_EQ(found[2], grains) << place.device();
        EXPECT_EQ(found[3], grains) << place.device();
    }
}

TEST(Places, WorldsOfOneGpuHaveQueuesOfTheirOwn) {
    for (const std::string& device : kernel_devices()) {
        const Place place(device);
        World first({}, place), second({}, place);
        add_pile(first, Kind::boxes, 30);
        run_steps(first, 2);
        EXPECT_GT(first.traffic().uploaded, second.traffic().uploaded) << device;
        if (device.starts_with("cuda")) {
            EXPECT_NE(first.device_state().queue, second.device_state().queue);
        }
        EXPECT_EQ(hash_of_boxes(place), hash_of_boxes(on(1))) << device;
    }
}

TEST(Places, AMemoryLimitHoldsForEachWorld) {
    const Place place({.threads = 1, .memory = 200'000});
    const std::string message = error_message([&] { hash_of_grains(place); });
    EXPECT_TRUE(contains(message, "memory")) << message;
    EXPECT_TRUE(contains(message, "200000")) << message;
    for (int k = 0; k < 3; ++k) {
        GranularWorld small = world_of(improved_settings(), shapes::grain(0.2f), {at({0, 1, 0})}, place);
        EXPECT_NO_THROW(small.step(2));
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
    const SplitSmallWorlds split;
    BackwardTasks tasks;
    const Place place({.tasks = &tasks});
    EXPECT_EQ(place.threads(), 3);
    EXPECT_EQ(hash_of_grains(place), hash_of_grains(cpu(1)));
    const int of_grains = tasks.calls;
    EXPECT_GT(of_grains, 0);
    EXPECT_EQ(hash_of_boxes(place), hash_of_boxes(on(1)));
    EXPECT_GT(tasks.calls, of_grains);
}

TEST(Devices, ATaskSystemWithoutWorkersIsRefused) {
    struct Nobody final : TaskSystem {
        int workers() const override { return 0; }
        void run(int count, const std::function<void(int)>& task) override {
            for (int k = 0; k < count; ++k) task(k);
        }
    } nobody;
    const std::string message = refusal({.tasks = &nobody});
    EXPECT_TRUE(contains(message, "0 workers")) << message;
    EXPECT_TRUE(contains(message, "tasks")) << message;
}

} // namespace
} // namespace scree::test
