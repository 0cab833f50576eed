// SPDX-License-Identifier: MIT
// field_test.cpp — wind, water, attractors, custom fields and explosions.
#include "geometry/hull.h"
#include "geometry/mass.h"
#include "rigid/kernels.h"
#include "rigid/shape_facts.h"
#include "scree/worlds.h"
#include "support/refused.h"
#include "support/rigid_support.h"
#include "world/slots.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

Hull wedge() {
    return Hull::from_points(std::vector<Vec3>{{-0.5f, -0.3f, -0.5f},
                                               {0.5f, -0.3f, -0.5f},
                                               {0.5f, -0.3f, 0.5f},
                                               {-0.5f, -0.3f, 0.5f},
                                               {-0.5f, 0.3f, -0.5f},
                                               {-0.5f, 0.3f, 0.5f}});
}

struct Solid {
    const char* name;
    Geometry geometry;
    double volume;
};
std::vector<Solid> solids() {
    constexpr double pi = 3.14159265358979;
    return {{"ball", Sphere{0.4f}, 4 / 3.0 * pi * 0.064},
            {"box", Box{0.3f, 0.2f, 0.5f}, 8 * 0.03},
            {"capsule", Capsule{0.5f, 0.3f}, pi * 0.09 * 1.0 + 4 / 3.0 * pi * 0.027},
            {"cylinder", Cylinder{0.5f, 0.3f}, pi * 0.09},
            {"cone", Cone{0.5f, 0.3f}, pi * 0.09 / 3},
            {"hull", wedge(), 0.3}};
}

rigid::Volume below(const Geometry& geometry, const Quat& turn, Vec3 normal, float height) {
    ShapeRecord record;
    put_geometry(record, geometry);
    std::vector<std::uint32_t> words;
    if (record.hull) words = hull_words(record.hull.geometry());
    return rigid::volume_below(shape_facts(record, words.data()),
                               rigid::make_quat(turn.s, turn.x, turn.y, turn.z),
                               {normal.x, normal.y, normal.z}, height);
}

TEST(FieldVolumes, AWholeShapeIsBelowADeepPlane) {
    for (const Solid& solid : solids()) {
        const rigid::Volume all = below(solid.geometry, about({1, 2, 3}, 40), {0, 1, 0}, 5);
        EXPECT_NEAR(all.below, solid.volume, 2e-4 * solid.volume) << solid.name;
        EXPECT_NEAR(all.all, solid.volume, 2e-4 * solid.volume) << solid.name;
        EXPECT_EQ(below(solid.geometry, about({1, 2, 3}, 40), {0, 1, 0}, -5).below, 0) << solid.name;
    }
}

/// By counting points of a lattice that are in the shape and below the plane.
TEST(FieldVolumes, ACutShapeHasTheVolumeAndTheCentreOfItsPoints) {
    for (const Solid& solid : solids()) {
        if (std::string(solid.name) == "hull") continue; // its inside is not written down here
        for (const float height : {-4 / 30.0f, 2 / 30.0f, 6 / 30.0f}) {
            const Quat turn = about({1, 2, 3}, 40);
            const rigid::Volume cut = below(solid.geometry, turn, {0, 1, 0}, height);
            constexpr int n = 60;
            double count = 0, sum = 0;
            for (int x = 0; x < n; ++x)
                for (int y = 0; y < n; ++y)
                    for (int z = 0; z < n; ++z) {
                        const auto at = [](int k) { return (k + 0.5f) / n * 2 - 1; };
                        const Vec3 world{at(x), at(y), at(z)};
                        if (world.y > height) continue;
                        const Vec3 p = rotate(conjugate(turn), world);
                        const float across = std::hypot(p.x, p.z);
                        bool in = false;
                        if (const auto* s = std::get_if<Sphere>(&solid.geometry)) in = length(p) < s->radius;
                        if (std::holds_alternative<Box>(solid.geometry))
                            in = std::abs(p.x) < 0.3f && std::abs(p.y) < 0.2f && std::abs(p.z) < 0.5f;
                        if (std::holds_alternative<Capsule>(solid.geometry))
                            in = length(p - Vec3{0, std::clamp(p.y, -0.5f, 0.5f), 0}) < 0.3f;
                        if (std::holds_alternative<Cylinder>(solid.geometry))
                            in = across < 0.3f && std::abs(p.y) < 0.5f;
                        if (std::holds_alternative<Cone>(solid.geometry))
                            in = std::abs(p.y) < 0.5f && across < 0.3f * (0.5f - p.y);
                        count += in;
                        sum += in ? world.y : 0;
                    }
            const double volume = count * 8.0 / (n * n * n);
            EXPECT_NEAR(cut.below, volume, 0.01 * solid.volume) << solid.name << " at " << height;
            EXPECT_NEAR(cut.moment.y / cut.below, sum / count, 0.01) << solid.name << " at " << height;
        }
    }
}

class FieldOn : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, FieldOn, ::testing::ValuesIn(all_devices()), ParamName());

TEST_P(FieldOn, BoxesHullsAndBallsFloatAsDeepAsArchimedesSays) {
    WorldSettings settings = default_settings();
    settings.sleeping = false; // a float that bobs by a few millimetres may sleep
    World world(settings, on_device(GetParam()));
    world.add_field({Water{.surface = {0, 2, 0}}});
    const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 2, 0}, {.density = 600});
    const BodyId slab = add(world, wedge(), {5, 2, 0}, {.density = 500});
    const BodyId ball = add(world, Sphere{0.5f}, {10, 2.2f, 0}, {.density = 500});
    const BodyId sinks = add(world, Box{0.2f, 0.2f, 0.2f}, {15, 1, 0}, {.density = 1500});
    const BodyId stays = add(world, Capsule{0.2f, 0.3f}, {20, -3, 0}, {.density = 1000});
    run_for(world, 30);
    // a box of 0.5 m and 600 kg/m3 lies 0.3 m deep
    EXPECT_NEAR(height(world, box), 2 - 0.3 + 0.25, 0.003);
    EXPECT_NEAR(height(world, ball), 2, 0.005);
    EXPECT_LT(height(world, sinks), 0);
    EXPECT_NEAR(height(world, stays), -3, 0.01);
    EXPECT_LT(speed(world, box), 0.001);
    EXPECT_LT(speed(world, slab), 0.05);
    // half of the wedge is under water, however it lies
    const DVec3 at = world.position(slab);
    const rigid::Volume wet =
        below(wedge(), world.state(slab).rotation, {0, 1, 0}, static_cast<float>(2 - at.y));
    EXPECT_NEAR(wet.below, 0.15, 0.0015);
}

TEST_P(FieldOn, WhatFloatsSleepsAndANewFieldWakesIt) {
    World world(default_settings(), on_device(GetParam()));
    const FieldId water = world.add_field({Water{}});
    const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0, 0}, {.density = 500});
    ASSERT_GE(steps_until_asleep(world, 30), 0);
    const double floats = height(world, box);
    run_for(world, 1);
    EXPECT_EQ(height(world, box), floats);
    const FieldId wind = world.add_field({Wind{.velocity = {10, 0, 0}}});
    EXPECT_FALSE(world.state(box).asleep);
    run_for(world, 2);
    EXPECT_GT(position(world, box).x, 0.1);
    world.destroy(wind);
    ASSERT_GE(steps_until_asleep(world, 60), 0);
    world.destroy(water);
    run_for(world, 1);
    EXPECT_LT(height(world, box), -2);
    EXPECT_TRUE(world.fields().empty());
}

TEST_P(FieldOn, WindCarriesABallToItsSpeedAndNoFurther) {
    World world(in_space(), on_device(GetParam()));
    world.add_field({Wind{.velocity = {5, 0, 0}, .density = 1.2f, .drag = 0.5f}});
    const BodyId ball = add(world, Sphere{0.5f}, {}, {.density = 1});
    const BodyId leaf = add(world, Box{0.5f, 0.001f, 0.5f}, {0, 5, 0}, {.density = 0.001f});
    world.step(frame);
    // 1/2 1.2 0.5 pi 0.25 25 N on 0.5236 kg, taken at the step's end
    const double k = 0.5 * 1.2 * 0.5 * 3.14159265 * 0.25 * 5, mass = 4 / 3.0 * 3.14159265 * 0.125;
    EXPECT_NEAR(velocity(world, ball).x, frame * k * 5 / mass / (1 + frame * k / mass), 1e-4);
    run_for(world, 20);
    EXPECT_NEAR(velocity(world, ball).x, 5, 0.3);
    EXPECT_LE(velocity(world, ball).x, 5.0001);
    EXPECT_NEAR(velocity(world, leaf).x, 5, 0.01);
}

TEST_P(FieldOn, APlanetKeepsItsMoon) {
    World world(in_space(), on_device(GetParam()));
    world.add_field(
        {Attractor{.centre = {1e5, 0, 0}, .strength = 1000, .falloff = Attractor::Falloff::square}});
    // a circle of 10 m: v = sqrt(strength / r)
    const BodyId moon = add(world, Sphere{0.5f}, {}, {}, {.velocity = {0, 0, 10}});
    world.set_pose(moon, {1e5 + 10, 0, 0}, {});
    for (int k = 0; k < 600; ++k) {
        world.step(frame);
        ASSERT_NEAR(length(world.position(moon) - DVec3{1e5, 0, 0}), 10, 0.015) << k;
    }
}

TEST_P(FieldOn, AFieldEndsAtItsRegion) {
    World world(in_space(), on_device(GetParam()));
    world.add_field({Wind{.velocity = {0, 0, 5}}, ForceField::Region{{-1, -1, -1}, {1, 1, 1}}});
    world.add_field({Attractor{.strength = 1, .radius = 20}, ForceField::Region{{9, -1, -1}, {11, 1, 1}}});
    const BodyId in = add(world, Sphere{0.2f}, {}, {.density = 1}), out = add(world, Sphere{0.2f}, {5, 0, 0});
    const BodyId pulled = add(world, Sphere{0.2f}, {10, 0, 0}), far = add(world, Sphere{0.2f}, {30, 0, 0});
    world.step(frame);
    EXPECT_GT(velocity(world, in).z, 0);
    EXPECT_EQ(length(velocity(world, out)), 0);
    EXPECT_NEAR(velocity(world, pulled).x, -frame, 1e-6);
    EXPECT_EQ(length(velocity(world, far)), 0);
}

TEST_P(FieldOn, ACustomFieldIsCalledBeforeEachStepAndFailsCleanly) {
    World world(in_space(), on_device(GetParam()));
    const BodyId a = add(world, Sphere{0.5f}, {}), b = add(world, Sphere{0.5f}, {5, 0, 0});
    world.put_to_sleep(b);
    std::vector<BodyId> seen;
    const FieldId field = world.add_field({Custom([&](std::span<FieldBody> bodies, float dt) {
        EXPECT_EQ(dt, frame);
        for (FieldBody& body : bodies) {
            seen.push_back(body.id);
            body.force.x += 3 * body.mass;
        }
    })});
    world.step(0);
    EXPECT_TRUE(seen.empty());
    world.step(frame);
    EXPECT_EQ(seen, std::vector<BodyId>{a});
    EXPECT_NEAR(velocity(world, a).x, 3 * frame, 1e-6);
    world.set_field(field, {Custom([](std::span<FieldBody>, float) { throw Error("no", "mine"); })});
    const std::uint64_t before = world.hash();
    EXPECT_EQ(error_place([&] { world.step(frame); }), "mine");
    EXPECT_EQ(world.hash(), before);
    world.set_field(field, {Custom([&](std::span<FieldBody>, float) { world.step(frame); })});
    EXPECT_EQ(error_place([&] { world.step(frame); }), "world");
    world.destroy(field);
    world.step(frame);
    EXPECT_NEAR(velocity(world, a).x, 3 * frame, 1e-6);
}

TEST_P(FieldOn, AnExplosionPushesByAreaAndDistance) {
    World world(in_space(), on_device(GetParam()));
    const BodyId near = add(world, Box{0.5f, 0.5f, 0.5f}, {2, 0, 0}),
                 far = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 6, 0});
    const BodyId out = add(world, Box{0.5f, 0.5f, 0.5f}, {0, 0, 9});
    world.put_to_sleep(far);
    world.explode({.radius = 4, .falloff = 4, .impulse = 2000});
    // 1 m2 of a body of 1000 kg
    EXPECT_NEAR(velocity(world, near).x, 2, 1e-4);
    EXPECT_NEAR(velocity(world, far).y, 1, 1e-4);
    EXPECT_FALSE(world.state(far).asleep);
    EXPECT_EQ(length(velocity(world, out)), 0);
}

TEST_P(FieldOn, FieldsGiveTheSameBitsEverywhere) {
    const auto build = [](World& world, std::uint32_t seed) {
        add_container(world, 3, 8);
        add_pile(world, Kind::mixed, 40, 4, 1, seed, {});
        add_pile(world, Kind::compounds, 10, 2, 6, seed, {});
        world.add_field({Water{
            .surface = {0, 1.5, 0}, .normal = {0.1f, 1, 0}, .velocity = {0.3f, 0, 0}, .density = 1200}});
        world.add_field({Wind{.velocity = {3, 0, 2}, .density = 20}});
        world.add_field({Attractor{
            .centre = {1, 3, 0}, .strength = 4, .radius = 5, .falloff = Attractor::Falloff::linear}});
    };
    World reference(default_settings(), on(1, 1));
    World other(default_settings(), on_device(GetParam()));
    World threads(default_settings(), on(2));
    for (World* world : {&reference, &other, &threads}) build(*world, 3);
    // among others, and one whose fields come later
    Worlds worlds(3, default_settings(), on_device(GetParam()));
    build(worlds[0], 7), build(worlds[2], 3);
    for (int k = 0; k < 80; ++k) {
        if (k == 40) other = World::restore(other.save(), on_device(GetParam()));
        if (k == 60) threads = threads.clone(on_device(GetParam()));
        reference.step(frame), other.step(frame), threads.step(frame), worlds.step(frame);
        ASSERT_EQ(other.hash(), reference.hash()) << "step " << k;
        ASSERT_EQ(threads.hash(), reference.hash()) << "step " << k;
        ASSERT_EQ(worlds[2].hash(), reference.hash()) << "step " << k;
    }
    EXPECT_EQ(other.fields().size(), 3u);
}

TEST(Field, BadFieldsAreRefused) {
    World world;
    const float nan = std::nanf("");
    EXPECT_EQ(error_place([&] { world.add_field({Wind{.velocity = {nan, 0, 0}}}); }), "velocity.x");
    EXPECT_EQ(error_place([&] { world.add_field({Wind{.density = -1}}); }), "density");
    EXPECT_EQ(error_place([&] { world.add_field({Water{.normal = {}}}); }), "normal");
    EXPECT_EQ(error_place([&] { world.add_field({Attractor{.radius = 0}}); }), "radius");
    EXPECT_EQ(error_place([&] { world.add_field({Wind{}, ForceField::Region{{0, 0, nan}, {}}}); }),
              "region.low.z");
    EXPECT_EQ(error_place([&] { world.explode({.impulse = nan}); }), "impulse");
    EXPECT_EQ(error_place([&] { world.destroy(FieldId{}); }), "field");
    EXPECT_TRUE(world.fields().empty());
}

TEST(BodyName, ABodyIsFoundByItsNameInEveryCopy) {
    World world;
    const BodyId first = world.create_body({.name = "crate"}), second = world.create_body({.name = "crate"});
    const BodyId plain = world.create_body();
    EXPECT_EQ(world.find("crate"), first);
    EXPECT_EQ(world.name(second), "crate");
    EXPECT_EQ(world.name(plain), "");
    EXPECT_EQ(world.find(""), std::nullopt);
    World twin = world.clone(), third = World::restore(world.save());
    world.destroy(first);
    world.set_name(plain, "lid");
    EXPECT_EQ(world.find("crate"), second);
    EXPECT_EQ(world.find("lid"), plain);
    EXPECT_EQ(twin.find("crate"), first);
    EXPECT_EQ(twin.find("lid"), std::nullopt);
    EXPECT_EQ(third.find("crate"), first);
}

} // namespace
} // namespace scree::test
