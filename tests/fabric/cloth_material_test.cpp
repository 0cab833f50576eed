// SPDX-License-Identifier: MIT
// cloth_material_test.cpp — stretch, bending, friction and pressure of cloth against known answers.
// compiled alone
#include "scree/error.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;
constexpr double gravity = 9.81;

void steps(World& world, int count) {
    for (int i = 0; i < count; ++i) world.step(dt);
}

const Place one_thread({.device = "cpu", .threads = 1});

/// How far a strip of a metre sinks under its own weight, over density g L^2 / (2 stretch).
double sag_of_a_strip(std::uint32_t rows, int substeps) {
    World world({.substeps = substeps}, one_thread);
    const float stretch = 200;
    ClothDef strip = make_cloth(0.2f, 1, rows / 4 + 1, rows + 1);
    strip.rotation = {.x = std::sqrt(0.5f), .y = 0, .z = 0, .s = std::sqrt(0.5f)};
    strip.material = {.density = 1, .stretch = stretch, .bend = 0, .damping = 3, .drag = 0};
    strip.max_stretch = std::numeric_limits<float>::infinity();
    for (std::uint32_t k = 0; k <= rows / 4; ++k) strip.pins.push_back({.vertex = k});
    const ClothId id = world.create_cloth(strip);
    const double before = double{world.measure(id).low.y};
    steps(world, 300);
    return (before - double{world.measure(id).low.y}) * 2 * double{stretch} / gravity;
}

TEST(ClothMaterial, AStripSinksByItsStiffnessOnCoarseAndFineMeshes) {
    // the limits that docs/manual/world-cloth.md states
    for (const std::uint32_t rows : {8u, 16u, 32u, 64u})
        for (const int substeps : {8, 16}) {
            const double sag = sag_of_a_strip(rows, substeps);
            EXPECT_GT(sag, 0.6) << rows << " rows, " << substeps << " substeps";
            EXPECT_LT(sag, 0.95) << rows << " rows, " << substeps << " substeps";
        }
}

TEST(ClothMaterial, NoStiffnessMakesAHungSheetExplode) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float stretch : {1e-3f, 50.0f, 550.0f, 600.0f, 2e4f, 1e12f, infinity})
        for (const float bend : {0.0f, 1e-5f, 1e6f})
            for (const int substeps : {1, 4})
                for (const float max_stretch : {0.01f, infinity}) {
                    World world({.substeps = substeps, .sleeping = false}, one_thread);
                    ClothDef sheet = make_cloth(1, 1, 12, 12);
                    sheet.material.stretch = stretch, sheet.material.bend = bend;
                    sheet.max_stretch = max_stretch;
                    sheet.pins = {{.vertex = 0}, {.vertex = 11}};
                    const ClothId id = world.create_cloth(sheet);
                    double fastest = 0;
                    for (int k = 0; k < 60; ++k) {
                        world.step(dt);
                        fastest = std::max(fastest, world.measure(id).max_speed);
                    }
                    SCOPED_TRACE("stretch " + std::to_string(stretch) + ", bend " + std::to_string(bend) +
                                 ", substeps " + std::to_string(substeps) + ", max_stretch " +
                                 std::to_string(max_stretch));
                    EXPECT_FALSE(world.cloth_contacts().frozen);
                    for (const Vec3& v : world.vertices(id)) ASSERT_TRUE(is_finite(v));
                    EXPECT_LT(fastest, 9.8) << "faster than what falls freely for as long";
                }
}

/// The vertices of a square of 2 m with 32 x 32 vertices of this mass, two seconds after it was hung by two corners.
std::vector<Vec3> hung_square(float vertex_mass, float stretch, float bend) {
    World world({.sleeping = false}, one_thread);
    ClothDef sheet = make_cloth(2, 2, 32, 32);
    sheet.material = {.density = vertex_mass * 1024 / 4, .stretch = stretch, .bend = bend, .drag = 0};
    sheet.pins = {{.vertex = 0}, {.vertex = 31}};
    const ClothId id = world.create_cloth(sheet);
    steps(world, 120);
    EXPECT_FALSE(world.cloth_contacts().frozen) << vertex_mass;
    const std::span<const Vec3> at = world.vertices(id);
    return {at.begin(), at.end()};
}

float lowest(const std::vector<Vec3>& vertices) {
    float low = 0;
    for (const Vec3& v : vertices) low = std::min(low, v.y);
    return low;
}

TEST(ClothMaterial, VerticesFromAMilligramToTenKilogramsMoveAlike) {
    const float rigid = std::numeric_limits<float>::infinity();
    const std::vector<Vec3> gram = hung_square(1e-3f, rigid, 0);
    const float low = lowest(hung_square(1e-3f, 2e4f, 1e-5f));
    EXPECT_NEAR(low, -2, 0.03);
    for (const float mass : {1e-6f, 1e-5f, 1e-4f, 1e-2f, 0.1f, 1.0f, 10.0f}) {
        const std::vector<Vec3> other = hung_square(mass, rigid, 0);
        // it swings and folds, which makes rounding grow to centimetres
        float apart = 0;
        for (std::size_t v = 0; v < gram.size(); ++v) apart = std::max(apart, length(other[v] - gram[v]));
        EXPECT_LT(apart, 0.05f) << mass << " kg";
        // where the material stretches, weight folds it otherwise, but the tethers hold it
        EXPECT_NEAR(lowest(hung_square(mass, 2e4f, 1e-5f)), low, 0.04) << mass << " kg";
    }
}

/// How far the free end of a held sheet of half a metre sinks, over density g L^4 / (8 bend).
double sag_of_a_cantilever(std::uint32_t cells, float bend) {
    World world({.substeps = 32}, one_thread);
    const float size = 0.5f, cell = size / static_cast<float>(cells);
    const std::uint32_t columns = cells + 2;
    ClothDef sheet = make_cloth(size + cell, 0.2f, columns, 3);
    sheet.material = {.density = 0.2f, .bend = bend, .damping = 3, .drag = 0};
    for (std::uint32_t row = 0; row < 3; ++row)
        for (const std::uint32_t column : {0u, 1u}) sheet.pins.push_back({.vertex = column + columns * row});
    const ClothId id = world.create_cloth(sheet);
    steps(world, 300);
    const double load = 0.2 * gravity, length = double{size};
    return -double{world.measure(id).low.y} * 8 * double{bend} / (load * std::pow(length, 4));
}

TEST(ClothMaterial, ASheetThatSticksOutSinksByItsRigidity) {
    // edges across the bend take most of it: a grid sinks by 0.6 of that, as the manual states
    for (const std::uint32_t cells : {4u, 6u})
        for (const float bend : {0.2f, 0.4f}) {
            const double sag = sag_of_a_cantilever(cells, bend);
            EXPECT_NEAR(sag, 0.6, 0.1) << cells << " cells, bend " << bend;
        }
}

/// How far a sheet slides in a second on a slope of 20 degrees. Both have this friction.
double slides(float friction) {
    // the slope is level, and gravity leans
    const double angle = 20 * std::acos(-1.0) / 180;
    World world({.gravity = {static_cast<float>(gravity * std::sin(angle)),
                             static_cast<float>(-gravity * std::cos(angle)), 0}},
                one_thread);
    const BodyId slope = world.create_body({.type = BodyType::fixed, .position = {0, -0.5, 0}});
    world.attach(slope, Box{5, 0.5f, 1}, {.material = {.friction = friction}});
    ClothDef sheet = make_cloth(0.4f, 0.4f, 9, 9);
    sheet.position = {0, 0.005f, 0};
    sheet.material.friction = friction;
    sheet.material.drag = sheet.material.damping = 0;
    const ClothId id = world.create_cloth(sheet);
    steps(world, 60);
    return world.measure(id).centre.x;
}

TEST(ClothMaterial, ASheetSlidesDownASlopeAsItsFrictionAllows) {
    const double angle = 20 * std::acos(-1.0) / 180;
    for (const float friction : {0.0f, 0.1f, 0.2f}) {
        const double way = 0.5 * gravity * (std::sin(angle) - double{friction} * std::cos(angle));
        EXPECT_NEAR(slides(friction), way, 0.05 * way) << friction;
    }
    EXPECT_LT(std::abs(slides(0.5f)), 0.002) << "the tangent of the angle is 0.36";
}

double volume_of(const World& world, ClothId id) {
    const ClothDef def = world.definition(id);
    const auto at = world.vertices(id);
    double volume = 0;
    for (const auto& [a, b, c] : def.triangles)
        volume += dot(wide(at[a]), cross(wide(at[b]), wide(at[c]))) / 6;
    return volume;
}

TEST(ClothMaterial, ABalloonGrowsByItsPressureOverItsStiffness) {
    const auto growth = [](float pressure, float stretch) {
        World world({.gravity = {0, 0, 0}, .substeps = 16}, one_thread);
        ClothDef balloon = make_balloon(0.3f, 2);
        balloon.material.stretch = stretch;
        balloon.material.bend = 0;
        balloon.material.damping = 3;
        balloon.pressure = pressure;
        const ClothId id = world.create_cloth(balloon);
        const double before = volume_of(world, id);
        EXPECT_GT(before, 0);
        steps(world, 120);
        return volume_of(world, id) / before - 1;
    };
    EXPECT_NEAR(growth(0, 2000), 0, 1e-4);
    // a membrane's strain is pressure radius / (3 stretch) where it is pulled both ways; its volume grows three times that
    for (const float pressure : {100.0f, 200.0f}) {
        const double expected = double{pressure} * 0.3 / 2000;
        EXPECT_NEAR(growth(pressure, 2000), expected, 0.2 * expected);
    }
    EXPECT_NEAR(growth(100, 4000), 0.0075, 0.2 * 0.0075);
    EXPECT_NEAR(growth(-20, 2000), -0.003, 0.0006) << "pressed from outside";
}

TEST(ClothMaterial, ABalloonHoldsTheWeightThatItsPressureBears) {
    const auto height = [](float pressure) {
        World world({}, one_thread);
        world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
        ClothDef balloon = make_balloon(0.3f, 4);
        balloon.position = {0, 0.31f, 0};
        balloon.pressure = pressure;
        world.create_cloth(balloon);
        const BodyId plate = world.create_body({.position = {0, 0.67, 0}});
        world.attach(plate, Box{0.3f, 0.05f, 0.3f}, {.density = 50});
        world.set_locks(plate, {.x = true, .z = true, .turn_x = true, .turn_y = true, .turn_z = true});
        steps(world, 180);
        return world.state(plate).position.y;
    };
    EXPECT_LT(height(0), 0.2);
    EXPECT_GT(height(200), 0.5);
}

TEST(ClothMaterial, WhatActsOnTrianglesIsRefusedForLinesAlone) {
    World world({}, one_thread);
    const auto refusal = [&](const auto& change) -> std::string {
        ClothDef rope = make_rope({0, 1, 0}, {1, 1, 0}, 4);
        change(rope);
        try {
            world.create_cloth(rope);
        } catch (const Error& error) {
            return error.where() + ": " + error.what();
        }
        return "";
    };
    EXPECT_NE(refusal([](ClothDef& c) { c.self_collision = true; }).find("self_collision: "),
              std::string::npos);
    EXPECT_NE(refusal([](ClothDef& c) { c.material.bend = 0.01f; }).find("0.01"), std::string::npos);
    EXPECT_NE(refusal([](ClothDef& c) { c.pressure = 40; }).find("40"), std::string::npos);
    EXPECT_EQ(refusal([](ClothDef& c) { c.material.bend = 0; }), "");
    EXPECT_EQ(refusal([](ClothDef&) {}), "");
    // a sheet with a line at its corner
    EXPECT_EQ(refusal([](ClothDef& c) {
                  c = make_cloth(1, 1, 3, 3);
                  c.vertices.push_back({2, 0, 2});
                  c.lines.push_back({8, 9});
                  c.self_collision = true;
                  c.pressure = 1;
                  c.material.bend = 0.01f;
              }),
              "");
    const ClothId rope = world.cloths().front();
    EXPECT_THROW(world.set_pressure(rope, 10), Error);
    EXPECT_EQ(world.definition(rope).pressure, 0);
}

} // namespace
} // namespace scree
