// SPDX-License-Identifier: MIT
// measure_test.cpp — a World's measures are what a hand computes.
#include "scree/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::test {
namespace {

const MassProperties two_kilograms{2, {}, {1, 2, 3}, {}};

TEST(WorldMeasures, AnEmptyWorldMeasuresNothing) {
    const WorldMeasure m = World().measure();
    EXPECT_EQ(m.bodies, 0u);
    EXPECT_EQ(m.kinetic_energy, 0);
    EXPECT_EQ(m.top, 0);
    EXPECT_EQ(m.contacts, 0u);
}

TEST(WorldMeasures, EnergyAndMomentumAreThoseOfTheMovingBodies) {
    World world({.gravity = {0, -10, 0}});
    world.create_body({.position = {0, 3, 0}, .velocity = {4, 0, 0}, .mass = two_kilograms});
    world.create_body({.position = {1, 5, 0}, .angular_velocity = {0, 0, 2}, .mass = two_kilograms});
    world.create_body({.type = BodyType::kinematic, .position = {0, 90, 0}, .velocity = {9, 9, 9}});
    const WorldMeasure m = world.measure();
    EXPECT_NEAR(m.kinetic_energy, 0.5 * 2 * 16 + 0.5 * 3 * 4, 1e-5);
    EXPECT_NEAR(m.potential_energy, 2 * 10 * (3 + 5), 1e-4);
    EXPECT_EQ(m.momentum, (Vec3{8, 0, 0}));
    EXPECT_EQ(m.angular_momentum, (Vec3{0, 0, -3 * 8 + 3 * 2}));
    EXPECT_EQ(m.max_speed, 4);
    EXPECT_EQ(m.mean_speed, 2);
    EXPECT_EQ(m.mean_height, 4);
    EXPECT_EQ(m.top, 5);
    EXPECT_EQ(m.bottom, 3);
    EXPECT_EQ(m.bodies, 3u);
}

TEST(WorldMeasures, EnergyAndMomentumAreThoseOfClothToo) {
    World world({.gravity = {0, -10, 0}});
    ClothDef sheet = make_cloth(2, 2, 3, 3);
    sheet.position = {0, 3, 0};
    sheet.velocity = {4, 0, 0};
    sheet.material.density = 0.5f; // 2 kg
    world.create_cloth(sheet);
    world.create_body({.position = {0, 1, 0}, .velocity = {0, 0, 1}, .mass = two_kilograms});
    const WorldMeasure m = world.measure();
    EXPECT_NEAR(m.kinetic_energy, 0.5 * 2 * 16 + 0.5 * 2, 1e-5);
    EXPECT_NEAR(m.potential_energy, 2 * 10 * (3 + 1), 1e-4);
    EXPECT_NEAR(m.momentum.x, 8, 1e-5);
    EXPECT_NEAR(m.momentum.z, 2, 1e-5);
    EXPECT_NEAR(m.angular_momentum.x, 2, 1e-5);
    EXPECT_NEAR(m.angular_momentum.z, -3 * 8, 1e-4);
    EXPECT_EQ(m.max_speed, 1); // of bodies
}

TEST(WorldMeasures, TheInertiaTurnsWithTheBody) {
    World world;
    const float half = 0.70710678f; // a quarter turn about z: the body's x is the world's y
    world.create_body(
        {.rotation = {.z = half, .s = half}, .angular_velocity = {0, 3, 0}, .mass = two_kilograms});
    EXPECT_NEAR(world.measure().kinetic_energy, 0.5 * 1 * 9, 1e-5);
    EXPECT_NEAR(world.measure().angular_momentum.y, 3, 1e-5f);
}

TEST(WorldMeasures, GravityScaleCountsInThePotential) {
    World world({.gravity = {0, -10, 0}});
    world.create_body({.position = {0, 3, 0}, .gravity_scale = 0.5f, .mass = two_kilograms});
    EXPECT_NEAR(world.measure().potential_energy, 2 * 5 * 3, 1e-5);
}

TEST(WorldMeasures, SleepersAreCounted) {
    World world;
    world.create_body({.awake = false});
    world.create_body();
    EXPECT_EQ(world.measure().asleep, 1u);
}

/// Two spheres of radius 0.5 that overlap by a tenth of a metre, found by a step of no time.
World two_spheres(float distance) {
    World world({.gravity = {}});
    const BodyId a = world.create_body(), b = world.create_body({.position = {distance, 0, 0}});
    world.attach(a, Sphere{0.5f});
    world.attach(b, Sphere{0.5f});
    world.step(0);
    return world;
}

TEST(WorldMeasures, OverlapIsReadFromTheContacts) {
    const World world = two_spheres(0.9f);
    const WorldMeasure m = world.measure();
    EXPECT_EQ(m.contacts, 1u);
    EXPECT_EQ(m.points, 1u);
    EXPECT_NEAR(m.max_overlap, 0.1, 1e-5);
    EXPECT_NEAR(m.mean_overlap, 0.1, 1e-5);
    EXPECT_NEAR(m.p99_overlap, 0.1, 1e-5);
}

TEST(WorldMeasures, ContactsTellWhoTouchesWhere) {
    const World world = two_spheres(0.9f);
    const std::vector<ContactInfo> contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_TRUE(world.alive(contacts[0].first) && world.alive(contacts[0].second));
    EXPECT_EQ(world.body(contacts[0].first), contacts[0].first_body);
    EXPECT_EQ(world.body(contacts[0].second), contacts[0].second_body);
    EXPECT_NEAR(contacts[0].normal.x, 1, 1e-5f); // from the first to the second
    EXPECT_EQ(contacts[0].count, 1);
    EXPECT_NEAR(contacts[0].points[0].separation, -0.1f, 1e-5f);
    EXPECT_NEAR(contacts[0].points[0].position.x, 0.45f, 1e-5f);
}

TEST(WorldMeasures, AContactHoldsItsPointItsUnitNormalAndItsDepth) {
    for (int k = 0; k < 40; ++k) {
        const float t = static_cast<float>(k);
        const Vec3 way{std::cos(t) * std::cos(0.7f * t), std::sin(0.7f * t),
                       std::sin(t) * std::cos(0.7f * t)};
        const float first = 0.3f + 0.01f * t, second = 0.9f - 0.01f * t, depth = 0.002f * (t + 1);
        World world({.gravity = {}});
        const float apart = first + second - depth;
        const BodyId a = world.create_body({.position = {1, 2, 3}}),
                     b = world.create_body(
                         {.position = {1 + apart * way.x, 2 + apart * way.y, 3 + apart * way.z}});
        world.attach(a, Sphere{first});
        world.attach(b, Sphere{second});
        world.step(0);
        const std::vector<ContactInfo> contacts = world.contacts();
        ASSERT_EQ(contacts.size(), 1u);
        const float sign = contacts[0].first_body == a ? 1.0f : -1.0f; // from the first to the second
        EXPECT_EQ(contacts[0].second_body, sign > 0 ? b : a);
        EXPECT_NEAR(contacts[0].normal.x, sign * way.x, 1e-5f);
        EXPECT_NEAR(contacts[0].normal.y, sign * way.y, 1e-5f);
        EXPECT_NEAR(contacts[0].normal.z, sign * way.z, 1e-5f);
        EXPECT_NEAR(contacts[0].points[0].separation, -depth, 1e-5f);
        // half way between the two surfaces
        const float along = first - 0.5f * depth;
        EXPECT_NEAR(contacts[0].points[0].position.x, 1 + along * way.x, 1e-5f);
        EXPECT_NEAR(contacts[0].points[0].position.y, 2 + along * way.y, 1e-5f);
        EXPECT_NEAR(contacts[0].points[0].position.z, 3 + along * way.z, 1e-5f);
    }
}

TEST(WorldMeasures, AGapIsNoOverlap) {
    const World world = two_spheres(1.01f);
    EXPECT_EQ(world.measure().max_overlap, 0);
    EXPECT_EQ(two_spheres(3).measure().contacts, 0u);
}

TEST(WorldMeasures, ContactsComeInOrderOfTheirShapes) {
    World world({.gravity = {}});
    for (const float x : {0.0f, 2.7f, 0.9f, 1.8f})
        world.attach(world.create_body({.position = {x, 0, 0}}), Sphere{0.5f});
    world.step(0);
    const std::vector<ContactInfo> contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 3u);
    EXPECT_TRUE(
        std::is_sorted(contacts.begin(), contacts.end(), [](const ContactInfo& a, const ContactInfo& b) {
            return a.first.index != b.first.index ? a.first.index < b.first.index
                                                  : a.second.index < b.second.index;
        }));
}

} // namespace
} // namespace scree::test
