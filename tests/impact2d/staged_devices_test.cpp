// SPDX-License-Identifier: MIT
// staged_devices_test.cpp — impacts in stages on every device and number of threads: equal bits; saved, restored and moved between them.
#include "impact2d/scenes.h"
#include "impact2d/world.h"
#include "scree/error.h"
#include "support/granular_support.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree {
namespace {

using impact2d::Array;
using test::error_message;
using test::find_device;
using test::FoundDevice;

StagedImpactWorld circles_at(const Place& place, const StagedImpactSettings& settings = {}) {
    const impact2d::CircleScene scene = impact2d::circle_scene(24);
    StagedImpactSettings in_room = settings;
    in_room.limit = scene.limit;
    return StagedImpactWorld(scene.circles, in_room, place);
}
StagedImpactWorld polygons_at(const Place& place, const StagedImpactSettings& settings = {}) {
    return StagedImpactWorld(impact2d::polygon_scene(14), settings, place);
}

/// Every array of both worlds after each step, word by word: also what is printed wrong.
void expect_same_bits(const Place& place, int steps) {
    const StagedImpactSettings other_ways[] = {
        {},
        {.restitution = 0.5f, .response = StagedResponse::summed, .normal_at_start = true},
        {.overlap = StagedOverlap::vertices, .bisection = StagedBisection::one_pass, .plain_contacts = true},
        {.overlap = StagedOverlap::one_way, .bisection = StagedBisection::printed}};
    for (const StagedImpactSettings& settings : other_ways) {
        for (const auto& start : {circles_at, polygons_at}) {
            const Place alone{{.threads = 1}};
            StagedImpactWorld one = start(alone, settings), other = start(place, settings);
            ASSERT_EQ(other.place().device(), place.device());
            for (int step = 0; step < steps; ++step) {
                one.step();
                other.step();
                for (std::size_t k = 0; k < impact2d::array_count; ++k) {
                    const auto array = static_cast<Array>(k);
                    ASSERT_EQ(one.state().stages->read(array), other.state().stages->read(array))
                        << impact2d::layout(array).name << ", step " << step;
                }
            }
            EXPECT_GT(one.impacts(), 0u);
            EXPECT_EQ(one.hash(), other.hash());
            one.draw(40, 6);
            other.draw(40, 6);
            EXPECT_EQ(one.image(), other.image());
            EXPECT_EQ(one.measure().overlapping_pairs, other.measure().overlapping_pairs);
        }
    }
}

TEST(StagedDevices, ThreadsGiveTheBitsOfOne) {
    for (const int threads : {2, 7}) expect_same_bits(PlaceOptions{.threads = threads}, 20);
    expect_same_bits("cpu:kernels", 6);
}

TEST(StagedDevices, OpenClGivesTheBitsOfTheCpu) {
    const FoundDevice found = find_device("opencl");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    expect_same_bits(found.name, 12);
}

TEST(StagedDevices, CudaGivesTheBitsOfTheCpu) {
    const FoundDevice found = find_device("cuda");
    if (found.name.empty()) GTEST_SKIP() << found.reason;
    expect_same_bits(found.name, 20);
}

TEST(StagedDevices, ASavedWorldGoesOnBitByBitAnywhere) {
    std::vector<std::string> devices{"cpu"};
    for (const char* name : {"opencl", "cuda"})
        if (const FoundDevice found = find_device(name); !found.name.empty()) devices.push_back(found.name);
    for (const auto& start : {circles_at, polygons_at}) {
        StagedImpactWorld world = start({}, {.restitution = 0.9f});
        for (int k = 0; k < 10; ++k) world.step();
        const std::vector<std::byte> saved = world.save();
        for (int k = 0; k < 10; ++k) world.step();
        for (const std::string& device : devices) {
            StagedImpactWorld other(std::vector<StagedCircle>{{}}, {}, device);
            other.restore(saved);
            EXPECT_EQ(other.save(), saved);
            for (int k = 0; k < 10; ++k) other.step();
            EXPECT_EQ(other.hash(), world.hash()) << device;
            EXPECT_EQ(other.time(), world.time());
            EXPECT_EQ(other.impacts(), world.impacts());
            EXPECT_EQ(other.settings().restitution, 0.9f);
        }
        // damaged in any byte: refused, and nothing changes
        const std::uint64_t before = world.hash();
        for (std::size_t at = 0; at < saved.size(); at += saved.size() / 20) {
            std::vector<std::byte> damaged = saved;
            damaged[at] ^= std::byte{16};
            EXPECT_THROW(world.restore(damaged), Error) << at;
        }
        EXPECT_THROW(world.restore(std::span(saved).first(saved.size() - 1)), Error);
        EXPECT_EQ(world.hash(), before);
    }
}

TEST(StagedDevices, TimeGoesOnForCirclesThatTouchAndMoveTogether) {
    const std::vector<StagedCircle> two{
        {.position = {-2.99459171f, -0.546592653f}, .velocity = {-0.176818922f, -0.176829532f}},
        {.position = {-1.99959171f, -0.546592653f}, .velocity = {-0.176818922f, -0.176829532f}}};
    for (const DeviceReport& device : list_devices()) { // also gles
        if (!device.available) continue;
        StagedImpactWorld world(two, {}, device.name);
        for (int k = 0; k < 10; ++k) world.step();
        EXPECT_GT(world.time(), 5) << device.name;
    }
}

TEST(StagedDevices, RestoresWhatImpactsMadeFast) {
    const std::vector<StagedCircle> two{
        {.position = {-5e5f, 0}, .velocity = {6e5f, 0}, .radius = 1e5f, .mass = 1e6f},
        {.position = {0, 0}, .radius = 1e5f, .mass = 1e-3f}};
    StagedImpactWorld circles(two, {.limit = 1e6f});
    ASSERT_TRUE(circles.step().impact);
    EXPECT_GT(circles.circles()[1].velocity.x, 1.1e6f); // faster than a circle may begin
    const std::uint64_t before = circles.hash();
    circles.restore(circles.save());
    circles.change_settings(circles.settings());
    EXPECT_EQ(circles.hash(), before);

    // a slab that an edge makes turn faster than a polygon may begin
    const std::vector<StagedPolygon> slab{
        {.vertices = {{-0.5f, -0.01f}, {0.5f, -0.01f}, {0.5f, 0.01f}, {-0.5f, 0.01f}},
         .velocity = {0, -600},
         .inertia = 1e-6f},
        {.vertices = regular_polygon(4, 0.5f),
         .position = {0.4f, -600},
         .mass = std::numeric_limits<float>::infinity()}};
    StagedImpactWorld turning(slab, {.tolerance = 1e-5f});
    ASSERT_TRUE(turning.step().impact);
    EXPECT_GT(std::abs(turning.polygons()[0].angular_velocity), 1001);
    turning.restore(turning.save());

    // large and heavy, and farther away than a polygon may begin
    const std::vector<StagedPolygon> one{
        {.vertices = regular_polygon(4, 3000), .position = {1e6f, 0}, .velocity = {1, 0}, .mass = 1e6f}};
    StagedImpactWorld polygons(one);
    polygons.step();
    polygons.restore(polygons.save());
    polygons.set_velocity(0, {-1, 0}, 0);
    EXPECT_EQ(polygons.polygons()[0].velocity.x, -1);
    EXPECT_THROW(polygons.set_velocity(0, {2e6f, 0}), Error);
}

TEST(StagedDevices, AStepMayBeShorterThanAUnit) {
    StagedImpactWorld world(
        std::vector<StagedCircle>{{.position = {-2, 0}, .velocity = {1, 0}}, {.position = {-0.5f, 0}}});
    const StagedReport before = world.step(0.25);
    EXPECT_FALSE(before.impact);
    EXPECT_EQ(before.advanced, 0.25);
    EXPECT_EQ(world.circles()[0].position.x, -1.75f);
    const StagedReport hit = world.step(0.75); // after 0.5 in all
    EXPECT_TRUE(hit.impact);
    EXPECT_NEAR(world.time(), 0.5, 0.02);
    for (const double wrong : {0.0, -1.0, 1.5, std::nan("")}) EXPECT_THROW(world.step(wrong), Error);
}

TEST(StagedDevices, VelocitiesAndSettingsCanBeChanged) {
    StagedImpactWorld world = polygons_at({});
    world.set_velocity(3, {0.5f, -0.25f}, 0.125f);
    EXPECT_EQ(world.polygons()[3].velocity.y, -0.25f);
    EXPECT_EQ(world.polygons()[3].angular_velocity, 0.125f);
    EXPECT_NE(error_message([&] { world.set_velocity(15, {1, 0}); }).find("finite mass"), std::string::npos);
    EXPECT_NE(error_message([&] { world.set_velocity(18, {}); }).find("less than 18"), std::string::npos);
    EXPECT_THROW(world.set_velocity(0, {NAN, 0}), Error);
    StagedImpactWorld circles = circles_at({});
    EXPECT_NE(error_message([&] { circles.set_velocity(0, {}, 1); }).find("do not turn"), std::string::npos);

    StagedImpactSettings settings = circles.settings();
    settings.restitution = 0;
    circles.change_settings(settings);
    const double before = circles.measure().kinetic_energy;
    while (circles.impacts() < 5) circles.step();
    EXPECT_LT(circles.measure().kinetic_energy, 0.99 * before);
    settings.limit = 1;
    EXPECT_NE(error_message([&] { circles.change_settings(settings); }).find("in the room"),
              std::string::npos);
    EXPECT_EQ(circles.settings().limit, circles_at({}).settings().limit);
}

TEST(StagedDevices, DrawnBodiesTurnWithTheirQuarters) {
    for (const bool turned : {false, true}) {
        const std::vector<StagedPolygon> one{
            {.vertices = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, .angle = turned ? 1.57079633f : 0}};
        StagedImpactWorld world(one);
        world.draw(40, 1);
        const std::vector<std::uint8_t> image = world.image();
        const auto red = [&](std::size_t x, std::size_t y) { return image[4 * (40 * y + x)]; };
        EXPECT_EQ(red(30, 30), turned ? 32 : 64); // right above: x and y of one sign
        EXPECT_EQ(red(10, 10), turned ? 32 : 64);
        EXPECT_EQ(red(10, 30), turned ? 64 : 32);
        EXPECT_EQ(red(30, 10), turned ? 64 : 32);
    }
}

TEST(StagedDevices, ACopyOnTheHostHasNoPairs) {
    StagedImpactWorld world = circles_at({});
    EXPECT_GT(world.memory(), 24u * 24 * 40);
    EXPECT_LT(impact2d::copied_to_host(*world.state().stages)->bytes(), 24u * 200);
}

TEST(StagedDevices, MemoryIsThatOfThePairsAndItsLimitHolds) {
    const std::uint64_t small = circles_at({}).memory();
    EXPECT_GT(small, 84u * 24 * 24); // bytes a pair
    EXPECT_NE(error_message([&] { circles_at(PlaceOptions{.memory = small / 2}); }).find("memory"),
              std::string::npos);
}

} // namespace
} // namespace scree
