// SPDX-License-Identifier: MIT
// device_pairs_test.cpp — where steps are computed on a device: pairs are found there, whether few or many shapes moved, and
// every pair of shapes touches as on the CPU (R4.24 to R4.26, R4.31).
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::test {
namespace {

/// Everything there is to a contact but the world's tag in its ids.
void expect_same_contacts(const World& world, const World& other) {
    const std::vector<ContactInfo> expected = world.contacts(), found = other.contacts();
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const ContactInfo &a = expected[k], &b = found[k];
        ASSERT_EQ(a.first.index, b.first.index);
        ASSERT_EQ(a.second.index, b.second.index);
        ASSERT_EQ(a.count, b.count);
        EXPECT_EQ(a.normal, b.normal);
        for (std::size_t p = 0; p < static_cast<std::size_t>(a.count); ++p) {
            EXPECT_EQ(a.points[p].position, b.points[p].position);
            EXPECT_EQ(a.points[p].separation, b.points[p].separation);
            EXPECT_EQ(a.points[p].feature, b.points[p].feature);
        }
    }
}

/// Spheres and small boxes scattered in a cube, so that each touches about one other; some much larger ones, and a plane.
/// `unequal`: many are much smaller, too.
void scatter(World& world, int count, bool unequal = false) {
    add_floor(world);
    Dice dice(7);
    const float w = 0.5f * std::cbrt(static_cast<float>(count));
    for (int k = 0; k < count; ++k) {
        const Vec3 place = dice.in_box({-w, 0.2f, -w}, {w, 2 * w, w});
        if (k % 997 == 0) add(world, Sphere{3}, place);
        else if (unequal && k % 5 == 0) add(world, Sphere{0.1f}, place);
        else if (k % 2) add(world, Box{0.3f, 0.3f, 0.3f}, place, {}, {.rotation = dice.rotation()});
        else add(world, Sphere{0.4f}, place);
    }
}

class DevicePairs : public testing::TestWithParam<std::string> {};

TEST_P(DevicePairs, FewThatMovedFindThePairsOfBruteForce) {
    WorldSettings brute = in_space();
    brute.broad_phase = BroadPhase::brute;
    World world(brute), other(in_space(), on_device(GetParam()));
    scatter(world, 500);
    scatter(other, 500);
    for (int k = 0; k < 20; ++k) {
        world.step(frame);
        other.step(frame);
        ASSERT_EQ(world.counters().pairs, other.counters().pairs) << "step " << k + 1;
    }
    EXPECT_GT(world.counters().contacts, 100u);
    expect_same_contacts(world, other);
}

TEST_P(DevicePairs, ManyThatMovedFindThePairsOfBruteForceByTheTree) {
    // all against all would be 49 million tests of bounds: more than are done without a tree (device_step.cpp); so many as
    // the second number go down the tree by one item each, and where they are alike they take the grid
    for (const auto& [count, unequal] : {std::pair{7000, true}, {40000, true}, {40000, false}}) {
        WorldSettings brute = in_space();
        if (count == 7000) brute.broad_phase = BroadPhase::brute;
        World world(brute), other(in_space(), on_device(GetParam()));
        scatter(world, count, unequal);
        scatter(other, count, unequal);
        for (int k = 0; k < (count == 7000 ? 4 : 2); ++k) {
            world.step(frame);
            other.step(frame);
            ASSERT_EQ(world.counters().pairs, other.counters().pairs) << count << ", step " << k + 1;
            // blown upwards all of them leave their bounds, and the tree is fitted to them or made anew
            for (World* each : {&world, &other}) {
                WorldSettings blown = each->settings();
                blown.gravity = {0, 1200, 0};
                each->change_settings(blown);
            }
        }
        EXPECT_GT(world.counters().contacts, 1000u);
        EXPECT_EQ(world.hash(), other.hash());
        expect_same_contacts(world, other);
    }
}

TEST_P(DevicePairs, EveryPairOfShapesTouchesAsOnTheCpu) {
    const Geometry shapes[] = {Sphere{0.4f},         Capsule{0.3f, 0.25f}, Box{0.4f, 0.3f, 0.5f}, Plane{},
                               Cylinder{0.3f, 0.4f}, Cone{0.4f, 0.4f},     pebble(1, 0.4f)};
    constexpr std::size_t kinds = std::size(shapes);
    const auto build = [&](World& world) {
        Dice dice(5);
        for (std::size_t i = 0; i < kinds; ++i)
            for (std::size_t j = 0; j < kinds; ++j) {
                if (std::holds_alternative<Plane>(shapes[j])) continue;
                // a plane has no end: those of one pair see each other alone
                const ShapeDef own{
                    .filter = {.category = 1, .mask = 0, .group = static_cast<int>(1 + kinds * i + j)}};
                const auto x = 3 * static_cast<float>(i), z = 3 * static_cast<float>(j);
                const bool plane = std::holds_alternative<Plane>(shapes[i]);
                add(world, shapes[i], {x, 0, z}, own,
                    {.type = plane ? BodyType::fixed : BodyType::dynamic,
                     .rotation = plane ? Quat{} : dice.rotation()});
                add(world, shapes[j], {x, plane ? 0.2f : 0.3f, z}, own, {.rotation = dice.rotation()});
            }
    };
    World world(in_space()), other(in_space(), on_device(GetParam()));
    build(world);
    build(other);
    world.step(0);
    other.step(0);
    EXPECT_EQ(world.contacts().size(), kinds * (kinds - 1)) << "each pair touches";
    expect_same_contacts(world, other);
    for (int k = 0; k < 60; ++k) {
        world.step(frame);
        other.step(frame);
        ASSERT_EQ(world.hash(), other.hash()) << "step " << k + 1;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, DevicePairs, testing::ValuesIn(kernel_devices()), ParamName());

} // namespace
} // namespace scree::test
