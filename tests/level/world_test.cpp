// SPDX-License-Identifier: MIT
// world_test.cpp — bodies in a level.
// compiled alone
#include "level/map_texts.h"
#include "scree/level.h"
#include "scree/world.h"
#include "support/refused.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

using namespace testing;

Level built(const std::string& text) { return build_level(parse_map(text, "a.map")); }

/// Where a ball of 0.25 m comes to rest that is dropped above a place of the map, in units.
double rest_height(const Level& level, DVec3 above) {
    World world;
    add_level(world, level);
    const BodyId ball = world.create_body({.position = narrow(from_map(above))});
    world.attach(ball, Sphere{0.25f});
    for (int i = 0; i < 150; ++i) world.step(1 / 60.0f);
    return world.state(ball).position.y / double{level_scale};
}

TEST(LevelWorld, BodiesRestOnBrushes) {
    const Level level =
        built(world(box({-128, -128, -16}, {128, 128, 0}) + box({-128, -128, 0}, {0, 128, 40})));
    EXPECT_NEAR(rest_height(level, {64, 0, 64}), 8, 0.2);
    EXPECT_NEAR(rest_height(level, {-64, 0, 90}), 48, 0.2);
}

TEST(LevelWorld, BodiesRestOnPatches) {
    std::string text = "{\npatchDef2\n{\nx\n( 3 3 0 0 0 )\n(\n";
    for (const double x : {-64, 0, 64}) {
        text += "(";
        for (const double y : {-64, 0, 64}) // a bowl: its middle is a quarter as high as its rim
            text += " ( " + number(x) + " " + number(y) + " " + (x == 0 || y == 0 ? "0" : "64") + " 0 0 )";
        text += " )\n";
    }
    EXPECT_NEAR(rest_height(built(world(text + ")\n}\n}\n")), {0, 0, 64}), 16 + 8, 1);
}

TEST(LevelWorld, TriggersDoorsAndWaterAreNotSolid) {
    const std::string floor = box({-128, -128, -16}, {128, 128, 0}), block = box({-64, -64, 0}, {64, 64, 40});
    const auto with = [&](const std::string& entity) {
        return world(floor) + "{ \"classname\" \"" + entity + "\"\n" + block + "}\n";
    };
    EXPECT_NEAR(rest_height(built(with("trigger_once")), {0, 0, 64}), 8, 0.2);
    EXPECT_NEAR(rest_height(built(with("func_door")), {0, 0, 64}), 8, 0.2);
    EXPECT_NEAR(rest_height(built(with("func_detail_wall")), {0, 0, 64}), 48, 0.2);
    EXPECT_NEAR(rest_height(built(with("func_group")), {0, 0, 64}), 48, 0.2);
    EXPECT_NEAR(
        rest_height(built(world(floor + box({-64, -64, 0}, {64, 64, 40}, "*water0 0 0 0 1 1"))), {0, 0, 64}),
        8, 0.2);
}

TEST(LevelWorld, DoomsEntitiesHaveTheirPlanesAboutTheirOrigin) {
    std::string faces;
    for (const char* plane :
         {"1 0 0 -64", "-1 0 0 -64", "0 1 0 -64", "0 -1 0 -64", "0 0 1 -16", "0 0 -1 -16"})
        faces += "( " + std::string(plane) + " ) ( ( 1 0 0 ) ( 0 1 0 ) ) x 0 0 0\n";
    const Level level = built("Version 2\n" + world("") +
                              "{ \"classname\" \"func_static\" \"origin\" \"1000 0 32\"\n{ brushDef3 {\n" +
                              faces + "} } }\n");
    ASSERT_EQ(level.brushes.size(), 1u);
    EXPECT_EQ(level.brushes[0].low, (DVec3{936, -64, 16}));
    EXPECT_NEAR(rest_height(level, {1000, 0, 96}), 56, 0.2);
}

TEST(LevelWorld, ABrushBeyondAHullsLimitsIsAMesh) {
    std::vector<PlanePoints> planes;
    for (int i = 0; i < 300; ++i) {
        const double z = 1 - (2 * i + 1) / 300.0, angle = 2.399963 * i, r = std::sqrt(1 - z * z);
        planes.push_back(plane_at({r * std::cos(angle), r * std::sin(angle), z}, 64));
    }
    const Level level = built(world(brush(planes)));
    std::vector<std::string> left_out;
    const std::vector<LevelShape> shapes = level_shapes(level, level_scale, &left_out);
    ASSERT_EQ(shapes.size(), 1u);
    EXPECT_TRUE(left_out.empty());
    EXPECT_TRUE(std::holds_alternative<Mesh>(shapes[0].geometry));
}

TEST(LevelWorld, WhatIsTooSmallInSinglePrecisionIsNamed) {
    const Level level = built(world(box({0, 0, 0}, {64, 64, 64}) + box({1000, 0, 0}, {1064, 64, 0.00001})));
    ASSERT_EQ(level.brushes.size(), 2u);
    std::vector<std::string> left_out;
    EXPECT_EQ(level_shapes(level, level_scale, &left_out).size(), 1u);
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_EQ(left_out[0].substr(0, 42), "a.map: brush 1 of entity 0 left out: Hull:");
    EXPECT_EQ(test::error_place([&] { level_shapes(level, 0); }), "level_shapes: scale");
}

} // namespace
} // namespace scree
