// SPDX-License-Identifier: MIT
// mass_test.cpp — a body weighs what its shapes weigh, or what it was given, and its origin stays in place.
#include "scree/world.h"
#include "support/expect_near.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

const float root_half = 0.70710678f;

TEST(WorldMass, ABodyWithoutShapesWeighsOneKilogramAsABall) {
    World world;
    const MassProperties mass = world.mass(world.create_body());
    EXPECT_EQ(mass.mass, 1);
    EXPECT_EQ(mass.centre, (Vec3{}));
    EXPECT_EQ(mass.inertia, (Vec3{0.1f, 0.1f, 0.1f}));
}

TEST(WorldMass, ABodyWhoseShapesHaveNoDensityWeighsOneKilogram) {
    World world;
    const BodyId body = world.create_body();
    world.attach(body, Box{2, 2, 2}, {.position = {5, 0, 0}, .density = 0});
    EXPECT_EQ(world.mass(body).mass, 1);
    EXPECT_EQ(world.mass(body).centre, (Vec3{}));
}

TEST(WorldMass, ABoxWeighsItsVolumeTimesItsDensity) {
    World world;
    const BodyId body = world.create_body();
    world.attach(body, Box{0.5f, 1, 1.5f}, {.density = 2});
    const MassProperties mass = world.mass(body);
    EXPECT_NEAR(mass.mass, 12, 1e-5f);
    expect_near(mass.inertia, {12.0f / 3 * (1 + 2.25f), 12.0f / 3 * (0.25f + 2.25f), 12.0f / 3 * 1.25f},
                1e-4f);
}

TEST(WorldMass, TwoHalvesWeighWhatTheWholeDoes) {
    World world;
    const BodyId halves = world.create_body(), whole = world.create_body();
    world.attach(halves, Box{0.5f, 1, 1}, {.position = {-0.5f, 3, 0}});
    world.attach(halves, Box{1, 0.5f, 1},
                 {.position = {0.5f, 3, 0}, .rotation = {.z = root_half, .s = root_half}});
    world.attach(whole, Box{1, 1, 1}, {.position = {0, 3, 0}});
    const MassProperties a = world.mass(halves), b = world.mass(whole);
    EXPECT_NEAR(a.mass, b.mass, 1e-2f);
    expect_near(a.centre, b.centre, 1e-5f);
    expect_near(a.inertia, b.inertia, 1e-5f * b.inertia.x);
    expect_near(a.products, b.products, 1e-5f * b.inertia.x);
}

TEST(WorldMass, TheOriginStaysWhenTheCentreMoves) {
    World world;
    const BodyId body =
        world.create_body({.position = {1, 2, 3}, .rotation = {.z = root_half, .s = root_half}});
    world.attach(body, Sphere{0.5f}, {.position = {2, 0, 0}});
    // a quarter turn about z takes x to y
    EXPECT_EQ(world.state(body).position, (Vec3{1, 2, 3}));
    expect_near(world.state(body).centre, {1, 4, 3}, 1e-6f);
    expect_near(world.mass(body).centre, {2, 0, 0}, 1e-6f);
}

TEST(WorldMass, TheOriginStaysAfterStepsToo) {
    World world({.gravity = {}});
    const BodyId body = world.create_body({.position = {1, 2, 3}, .angular_velocity = {0, 3, 1}});
    world.attach(body, Sphere{0.5f}, {.position = {0.1f, 0, 0}});
    for (int k = 0; k < 30; ++k) world.step(1 / 60.0f);
    const Vec3 before = world.state(body).position;
    world.attach(body, Sphere{0.4f}, {.position = {0.3f, 1, -0.4f}});
    EXPECT_EQ(world.state(body).position, before);
}

TEST(WorldMass, ADestroyedShapeWeighsNothing) {
    World world;
    const BodyId body = world.create_body();
    world.attach(body, Sphere{0.5f});
    const MassProperties before = world.mass(body);
    const ShapeId more = world.attach(body, Box{}, {.position = {3, 0, 0}});
    EXPECT_GT(world.mass(body).mass, before.mass);
    world.destroy(more);
    EXPECT_EQ(world.mass(body).mass, before.mass);
    EXPECT_EQ(world.mass(body).centre, before.centre);
    EXPECT_EQ(world.mass(body).inertia, before.inertia);
}

TEST(WorldMass, AGivenMassIsKeptWhateverIsAttached) {
    World world;
    const MassProperties given{3, {0, 1, 0}, {1, 2, 2}, {0.1f, 0, 0}};
    const BodyId body = world.create_body({.mass = given});
    world.attach(body, Box{});
    EXPECT_EQ(world.mass(body).mass, 3);
    EXPECT_EQ(world.mass(body).centre, (Vec3{0, 1, 0}));
    EXPECT_EQ(world.mass(body).products, (Vec3{0.1f, 0, 0}));
    EXPECT_EQ(world.state(body).centre, (Vec3{0, 1, 0}));
    EXPECT_EQ(world.state(body).position, (Vec3{}));
}

TEST(WorldMass, WithoutAValueTheShapesCountAgain) {
    World world;
    const BodyId body = world.create_body();
    world.attach(body, Box{}, {.density = 10});
    world.set_mass(body, MassProperties{3, {0, 1, 0}, {1, 2, 2}, {}});
    EXPECT_EQ(world.mass(body).mass, 3);
    world.set_mass(body, std::nullopt);
    EXPECT_NEAR(world.mass(body).mass, 10, 1e-5f);
    EXPECT_EQ(world.state(body).centre, (Vec3{}));
}

TEST(WorldMass, WhatIsNotDynamicHasItsCentreAtItsOrigin) {
    World world;
    const BodyId body = world.create_body({.type = BodyType::kinematic, .position = {1, 0, 0}});
    world.attach(body, Sphere{}, {.position = {2, 0, 0}});
    EXPECT_EQ(world.mass(body).mass, 0);
    EXPECT_EQ(world.state(body).centre, (Vec3{1, 0, 0}));
    world.set_type(body, BodyType::dynamic);
    EXPECT_GT(world.mass(body).mass, 100);
    EXPECT_EQ(world.state(body).centre, (Vec3{3, 0, 0}));
    world.set_type(body, BodyType::fixed);
    EXPECT_EQ(world.state(body).centre, (Vec3{1, 0, 0}));
    EXPECT_EQ(world.state(body).position, (Vec3{1, 0, 0}));
}

TEST(WorldMass, AThinRodAlongNoAxisCanBeTurned) {
    World world;
    const BodyId body = world.create_body();
    // its moment about itself is 1e-8 of the others: below what floats resolve once it lies across
    world.attach(body, Capsule{5, 0.0005f},
                 {.rotation = {.x = 0.2798482f, .y = 0.3647052f, .z = 0.1159169f, .s = 0.8804763f}});
    EXPECT_GT(world.mass(body).mass, 0);
    world.apply_angular_impulse(body, {1e-3f, 2e-3f, -1e-3f});
    const Vec3 spin = world.state(body).angular_velocity;
    EXPECT_TRUE(is_finite(spin));
}

TEST(WorldMass, ShapesTooLightToComputeWithAreRefusedOnDynamicBodiesOnly) {
    World world;
    const BodyId body = world.create_body(), ground = world.create_body({.type = BodyType::fixed});
    EXPECT_EQ(refusal([&] { world.attach(body, Sphere{1e-9f}); }).where, "geometry");
    EXPECT_EQ(refusal([&] { world.attach(body, Box{1e9f, 1e9f, 1e9f}); }).where, "geometry");
    EXPECT_EQ(world.shape_count(), 0u);
    world.attach(ground, Box{1e9f, 1e9f, 1e9f});
    EXPECT_EQ(refusal([&] { world.set_type(ground, BodyType::dynamic); }).where, "mass");
    EXPECT_EQ(world.type(ground), BodyType::fixed);
}

} // namespace
} // namespace scree::test
