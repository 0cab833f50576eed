// SPDX-License-Identifier: MIT
// bounds_test.cpp — fat bounds reach as far ahead as a body is fast, and are taken back when it slows down, without losing a pair.
#include "rigid/shape_facts.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace scree::test {
namespace {

using Bounds = std::array<float, 8>;

rigid::real3 random_velocity(Dice& dice, float most) {
    const Vec3 v = dice.in_box({-most, -most, -most}, {most, most, most});
    return {v.x, v.y, v.z};
}

double extents(const Bounds& bounds) {
    return double{bounds[4]} - bounds[0] + bounds[5] - bounds[1] + bounds[6] - bounds[2];
}

TEST(FatBounds, WhatIsTakenBackWasThereAndIsNotNeeded) {
    Dice dice(5);
    int tightened = 0, kept = 0;
    for (int k = 0; k < 20'000; ++k) {
        const Vec3 at = dice.in_box({-9, -9, -9}, {9, 9, 9}),
                   half = dice.in_box({0.01f, 0.01f, 0.01f}, {2, 2, 2});
        Bounds bounds{at.x - half.x, at.y - half.y, at.z - half.z, 0,
                      at.x + half.x, at.y + half.y, at.z + half.z, 0};
        Bounds fat;
        rigid::bounds_fatten(7, bounds.data(), fat.data(), true, random_velocity(dice, 30), frame, -1);
        // it has moved on inside, as far as there is room
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto move = static_cast<float>(
                dice.between(double{fat[axis]} - bounds[axis], double{fat[4 + axis]} - bounds[4 + axis]));
            bounds[axis] = std::max(bounds[axis] + move, fat[axis]);
            bounds[4 + axis] = std::min(bounds[4 + axis] + move, fat[4 + axis]);
        }
        const rigid::real3 v = random_velocity(dice, 10);
        Bounds now = fat, fresh;
        rigid::bounds_fatten(7, bounds.data(), fresh.data(), true, v, frame, -1);
        if (!rigid::bounds_tighten(7, bounds.data(), now.data(), v, frame, -1)) {
            ++kept;
            ASSERT_EQ(now, fat);
            continue;
        }
        ++tightened;
        ASSERT_TRUE(rigid::bounds_within(bounds.data(), now.data()));
        ASSERT_TRUE(rigid::bounds_within(now.data(), fat.data())) << "something new could be near";
        ASSERT_TRUE(rigid::bounds_within(now.data(), fresh.data()));
        ASSERT_LT(extents(now), extents(fat) / 1.09);
        ASSERT_FALSE(rigid::bounds_tighten(7, bounds.data(), now.data(), v, frame, -1))
            << "there is no more to take";
    }
    EXPECT_GT(tightened, 1000);
    EXPECT_GT(kept, 1000);
}

TEST(FatBounds, OfBodiesThatFallTogetherAreLeftOneAfterTheOther) {
    constexpr std::uint32_t shapes = 1000;
    const auto bounds_at = [](float y) { return Bounds{-0.5f, y - 0.5f, -0.5f, 0, 0.5f, y + 0.5f, 0.5f, 0}; };
    std::vector<Bounds> fat(shapes);
    for (std::uint32_t s = 0; s < shapes; ++s)
        rigid::bounds_fatten(s, bounds_at(0).data(), fat[s].data(), true, {0, 0, 0}, 0, -1);
    float y = 0, v = 0;
    std::uint32_t all = 0;
    for (int step = 0; step < 60; ++step) {
        v -= 9.81f * frame;
        y += v * frame;
        std::uint32_t left = 0;
        for (std::uint32_t s = 0; s < shapes; ++s) {
            const Bounds bounds = bounds_at(y);
            if (!rigid::bounds_left(bounds.data(), fat[s].data(), -1, {0, v, 0}, frame)) continue;
            rigid::bounds_fatten(s, bounds.data(), fat[s].data(), true, {0, v, 0}, frame, -1);
            ++left;
        }
        EXPECT_LT(left, shapes * 6 / 10) << "in step " << step;
        all += left;
    }
    EXPECT_GT(all, 10 * shapes);
}

TEST(FatBounds, OfWhatWasStoppedReachNoFartherThanIfItHadAlwaysRested) {
    World world(in_space());
    const BodyId body = add(world, Box{0.5f, 0.5f, 0.5f}, {}, {}, {.velocity = {60, 0, 0}});
    const auto length = [&] {
        const std::vector<TreeBox> boxes = world.tree();
        return boxes.empty() ? 0.0f : boxes.front().high.x - boxes.front().low.x;
    };
    world.step(frame);
    EXPECT_GT(length(), 4); // three steps ahead
    world.set_velocity(body, {});
    world.step(frame);
    // the tree hears of it when somebody looks for pairs
    add(world, Sphere{0.5f}, {50, 0, 0}, {}, {.type = BodyType::fixed});
    world.step(frame);
    EXPECT_LT(length(), 1.25f);
}

WorldSettings searching(WorldSettings settings, BroadPhase by) {
    settings.broad_phase = by;
    return settings;
}

/// Of balls in a box that lose nothing when they meet.
std::vector<std::uint64_t> hashes_of_bouncing(BroadPhase by, const Place& place = {}) {
    World world(searching(in_space(), by), place);
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        for (const float side : {-1.0f, 1.0f})
            add(world, Box{axis.x != 0 ? 1 : 8.0f, axis.y != 0 ? 1 : 8.0f, axis.z != 0 ? 1 : 8.0f},
                {7 * side * axis.x, 7 * side * axis.y, 7 * side * axis.z}, {.material = {.restitution = 1}},
                {.type = BodyType::fixed});
    Dice dice(3);
    for (int k = 0; k < 216; ++k)
        add(world, Sphere{0.3f},
            {-5.0f + 2.0f * static_cast<float>(k % 6), -5.0f + 2.0f * static_cast<float>(k / 36),
             -5.0f + 2.0f * static_cast<float>(k / 6 % 6)},
            {.material = {.restitution = 1}}, {.velocity = dice.in_box({-15, -15, -15}, {15, 15, 15})});
    return hashes_of(world, 200, 10);
}

/// Fast ones that turn back at every wall: what they were given reaches where they no longer go, and not where they go.
TEST(FatBounds, OfWhatBouncesAboutLoseNoPair) {
    const std::vector<std::uint64_t> expected = hashes_of_bouncing(BroadPhase::brute);
    std::vector<std::string> devices = kernel_devices();
    devices.push_back("cpu");
    for (const std::string& device : devices)
        for (const BroadPhase by : {BroadPhase::tree, BroadPhase::grid})
            EXPECT_EQ(hashes_of_bouncing(by, on_device(device)), expected)
                << device << " " << static_cast<int>(by);
}

} // namespace
} // namespace scree::test
