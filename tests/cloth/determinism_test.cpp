// SPDX-License-Identifier: MIT
// determinism_test.cpp — cloth has the same bits on every run, thread count, lane width and device.
#include "cloth/arrays.h"
#include "device/cpu/cpu_device.h"
#include "device/device.h"
#include "device/opened.h"
#include "scree/cloth.h"
#include "scree/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scree::test {
namespace {

ClothWorld scene(int kind, const Place& place, int edges = 23) {
    ClothSettings s = kind % 2 ? reference_cloth() : ClothSettings{};
    s.model = kind / 2 ? ClothModel::position_based : ClothModel::mass_spring;
    s.edges_x = edges + 5, s.edges_z = edges;
    ClothWorld world(s, place);
    world.add_sheet();
    world.add_sheet({.position = {0, 4, 3}, .pins = std::vector<std::uint32_t>{}});
    world.add_collider({ClothCollider::Kind::sphere, {0, 6, 1}, {2, 2, 2}, {}});
    world.add_collider({ClothCollider::Kind::box, {2, 3, 1}, {1, 1, 1}, {-0.3f, 0, 0}});
    return world;
}

std::uint64_t hash_after(int kind, const Place& place, int steps) {
    ClothWorld world = scene(kind, place);
    world.step(steps);
    return world.hash();
}

TEST(ClothDeterminism, SameBitsForAnyThreadsAndLanes) {
    for (int kind = 0; kind < 4; ++kind) {
        const std::uint64_t expected = hash_after(kind, {{.threads = 1, .lanes = 1}}, 40);
        for (const int lanes : {1, 4, 8, 16}) {
            if (!lanes_missing(lanes).empty()) continue;
            for (const int threads : {1, 4, 7})
                EXPECT_EQ(hash_after(kind, {{.threads = threads, .lanes = lanes}}, 40), expected)
                    << kind << ", " << threads << " threads, " << lanes << " lanes";
        }
    }
}

/// How far apart two worlds of the same cloth are at the vertex where they differ most.
float farthest(const ClothWorld& a, const ClothWorld& b) {
    float most = 0;
    for (std::size_t i = 0; i < a.positions().size(); ++i)
        most = std::max(most, length(a.positions()[i] - b.positions()[i]));
    return most;
}

/// Devices that promise equal bits keep it. Software OpenGL ES agrees within 0.1 mm after 100 steps; drivers that fuse products and sums
/// within a millimetre after 10, since the springs of the thesis make a rounding grow.
TEST(ClothDeterminism, EveryDeviceAgrees) {
    for (const DeviceReport& report : list_devices()) {
        if (!report.available || report.name == "cpu") continue;
        const Place place(PlaceOptions{.device = report.name});
        const bool fuses =
            !place.report().same_bits && report.description.find("llvmpipe") == std::string::npos;
        for (int kind = 0; kind < 4; ++kind) {
            ClothWorld here = scene(kind, {}), there = scene(kind, place);
            here.step(fuses ? 10 : 100);
            there.step(fuses ? 10 : 100);
            if (place.report().same_bits) {
                EXPECT_EQ(here.hash(), there.hash()) << report.name << " " << kind;
            }
            EXPECT_LE(farthest(here, there), fuses ? 1e-3f : 1e-4f) << report.name << " " << kind;
        }
    }
}

TEST(ClothDeterminism, AMillionVerticesRunOnEveryDevice) {
    ClothSettings s;
    s.edges_x = s.edges_z = 1022;
    s.iterations = 1;
    for (const DeviceReport& report : list_devices()) {
        if (!report.available) continue;
        SCOPED_TRACE(report.name);
        ClothWorld world(s, report.name);
        world.add_sheet();
        world.step(2);
        EXPECT_EQ(world.vertex_count(), 1048576u);
        const ClothSurvey survey = world.survey();
        EXPECT_EQ(survey.frozen, 0u);
        EXPECT_LT(survey.bottom, 10);
        EXPECT_GT(survey.mean_jitter, 1e-4);
    }
}

/// Four workers that are one thread, and what they were asked to do.
struct FourWorkers final : TaskSystem {
    int workers() const override { return 4; }
    void run(int count, const std::function<void(int)>& task) override {
        counts.push_back(count);
        for (int k = count; k-- > 0;) task(k); // no range may need an earlier one
    }
    std::vector<int> counts;
};

TEST(ClothDeterminism, AStageIsAsManyRangesThatAllEndBeforeTheNext) {
    for (const int kind : {1, 3}) {
        FourWorkers four;
        ClothWorld world = scene(kind, {{.tasks = &four}}, 62);
        world.step();
        four.counts.clear();
        const std::uint64_t launches = world.device().traffic().launches;
        world.step(3);
        // two sheets: motion, collision, normals
        EXPECT_EQ(world.device().traffic().launches - launches, 3u * 2 * 3);
        EXPECT_EQ(four.counts, std::vector<int>(std::size_t{3} * 2 * 3, 18)); // 69 x 64 vertices, 256 each
        ClothWorld alone = scene(kind, {{.threads = 1}}, 62);
        alone.step(4);
        EXPECT_EQ(world.hash(), alone.hash());
    }
}

TEST(ClothDeterminism, AStageIsOneRangeForEachThreadIfAskedTo) {
    FourWorkers four;
    ClothWorld world = scene(1, {{.ranges_per_thread = 1, .tasks = &four}}, 62);
    world.step(3);
    EXPECT_EQ(four.counts, std::vector<int>(std::size_t{3} * 2 * 3, 4));
    ClothWorld alone = scene(1, {{.threads = 1}}, 62);
    alone.step(3);
    EXPECT_EQ(world.hash(), alone.hash());
    for (const int threads : {1, 2, 3, 4, 7, 16}) {
        const StageRanges ranges(14400, 64, threads, 1); // 120 x 120 vertices in 225 granules of lanes
        ASSERT_EQ(ranges.count(), threads);
        std::uint32_t least = 14400, most = 0;
        EXPECT_EQ(ranges.edge(0), 0u);
        EXPECT_EQ(ranges.edge(threads), 14400u);
        for (int k = 0; k < threads; ++k) {
            ASSERT_LT(ranges.edge(k), ranges.edge(k + 1));
            least = std::min(least, ranges.edge(k + 1) - ranges.edge(k));
            most = std::max(most, ranges.edge(k + 1) - ranges.edge(k));
        }
        EXPECT_LE(most - least, 64u);
    }
    EXPECT_EQ(StageRanges(3, 64, 4, 1).count(), 1);
    EXPECT_THROW(Place({.ranges_per_thread = -1}), Error);
}

TEST(ClothDeterminism, BuffersGoWithTheArrays) {
    const std::shared_ptr<Device> device = Place().opened().queue();
    {
        ClothArrays arrays(device, 0);
        const ClothVertices sheet{std::vector<float>(4 * 1600, 1.0f), std::vector<float>(4 * 1600, 1.0f)};
        std::vector<ClothCollider> colliders(3);
        arrays.upload({}, 1, {sheet, sheet});
        arrays.upload_colliders(colliders);
        arrays.run_step(colliders, {});
        arrays.upload({}, 1, {sheet}); // one goes
        EXPECT_EQ(device->traffic().allocated, arrays.bytes());
        EXPECT_GT(arrays.bytes(), 1600u * 16 * 4);
    }
    EXPECT_EQ(device->traffic().allocated, 0u);
}

} // namespace
} // namespace scree::test
