// SPDX-License-Identifier: MIT
// texture_test.cpp — texture coordinates by hand, and patches within their error.
#include "level/map_texts.h"
#include "level/patch.h"
#include "level/texture.h"
#include "scree/level.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

using namespace testing;

std::array<double, 2> coordinate(MapFormat format, const std::array<double, 11>& texture, DVec3 normal,
                                 DVec3 at) {
    MapFace face;
    face.texture = texture;
    return texture_projection(format, face, normal).at(at);
}

TEST(Texture, StandardProjectsAlongTheNearestAxis) {
    // offset 8 and 16, scale 2 and 0.5
    const std::array<double, 11> texture{8, 16, 0, 2, 0.5};
    const DVec3 at{10, 20, 30};
    using Pair = std::array<double, 2>;
    const auto along = [&](DVec3 normal) { return coordinate(MapFormat::standard, texture, normal, at); };
    EXPECT_EQ(along({0, 0, 1}), (Pair{10 / 2.0 + 8, -20 / 0.5 + 16}));
    EXPECT_EQ(along({0, 0, -1}), (Pair{10 / 2.0 + 8, -20 / 0.5 + 16}));
    EXPECT_EQ(along({1, 0, 0}), (Pair{20 / 2.0 + 8, -30 / 0.5 + 16}));
    EXPECT_EQ(along({-1, 0, 0}), (Pair{20 / 2.0 + 8, -30 / 0.5 + 16}));
    EXPECT_EQ(along({0, 1, 0}), (Pair{10 / 2.0 + 8, -30 / 0.5 + 16}));
    EXPECT_EQ(along({0, -1, 0}), (Pair{10 / 2.0 + 8, -30 / 0.5 + 16}));
    // ties: z before x before y
    EXPECT_EQ(along(normalized(DVec3{1, 0, 1})), along({0, 0, 1}));
    EXPECT_EQ(along(normalized(DVec3{1, 1, 0})), along({1, 0, 0}));
}

TEST(Texture, StandardTurnsAsQuakeDoesAndReadsScaleZeroAsOne) {
    const std::array<double, 11> quarter{0, 0, 90, 0, 0};
    const auto turned = coordinate(MapFormat::standard, quarter, {0, 0, 1}, {10, 20, 30});
    EXPECT_EQ(turned, (std::array<double, 2>{20, 10}));
    const std::array<double, 11> third{0, 0, 30, 1, 1};
    const auto [u, v] = coordinate(MapFormat::standard, third, {0, 0, 1}, {10, 20, 30});
    EXPECT_NEAR(u, 10 * std::sqrt(0.75) + 20 * 0.5, 1e-12);
    EXPECT_NEAR(v, 10 * 0.5 - 20 * std::sqrt(0.75), 1e-12);
    for (double degrees = -800; degrees < 800; degrees += 12.3) {
        const auto [cosine, sine] = cosine_and_sine(degrees);
        EXPECT_NEAR(cosine, std::cos(degrees * 3.14159265358979323846 / 180), 1e-14);
        EXPECT_NEAR(sine, std::sin(degrees * 3.14159265358979323846 / 180), 1e-14);
    }
}

TEST(Texture, ValveTakesTheAxesOfTheFileAndBrushDefAMatrix) {
    const auto valve =
        coordinate(MapFormat::valve, {1, 0, 0, 8, 0, -0.5, 0, 16, 0, 0.5, 0.25}, {0.6, 0, 0.8}, {10, 20, 30});
    EXPECT_EQ(valve, (std::array<double, 2>{10 / 0.5 + 8, -0.5 * 20 / 0.25 + 16}));
    const std::array<double, 11> matrix{0.25, 0, 0.5, 0, 0.125, 0.75};
    EXPECT_EQ(coordinate(MapFormat::brush_def, matrix, {0, 0, 1}, {10, 20, 30}),
              (std::array<double, 2>{0.25 * 20 + 0.5, 0.125 * 10 + 0.75}));
    EXPECT_EQ(coordinate(MapFormat::brush_def3, matrix, {1, 0, 0}, {10, 20, 30}),
              (std::array<double, 2>{0.25 * 20 + 0.5, -0.125 * 30 + 0.75}));
}

MapPatch quarter_pipe(double radius) {
    MapPatch patch;
    patch.width = patch.height = 3;
    for (const auto& [x, z] : {std::pair{0.0, radius}, std::pair{0.0, 0.0}, std::pair{radius, 0.0}})
        for (const double y : {0.0, 32.0, 64.0}) patch.points.push_back({{x, y, z}, x, y});
    return patch;
}

TEST(Patch, StaysWithinItsErrorAndNeedsFewerTrianglesForALargerOne) {
    std::size_t before = 1u << 30;
    for (const double error : {0.01, 0.1, 1.0, 10.0}) {
        const LevelPatch patch = tessellate(quarter_pipe(100), error);
        EXPECT_LT(patch.triangles.size(), before);
        before = patch.triangles.size();
        // the curve is x = 100 t^2, z = 100 (1 - t)^2, so that x - z tells t and x + z how far off a point is
        double worst = 0;
        for (const auto& triangle : patch.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const DVec3 middle =
                    (patch.vertices[triangle[k]] + patch.vertices[triangle[(k + 1) % 3]]) / 2;
                const double t = ((middle.x - middle.z) / 100 + 1) / 2;
                worst = std::max(worst, std::fabs(middle.x + middle.z - 100 * (t * t + (1 - t) * (1 - t))) /
                                            std::sqrt(2));
            }
        EXPECT_GT(worst, error / 10);
        EXPECT_LE(worst, error);
    }
    EXPECT_GT(before, 0u);
}

TEST(Patch, AFlatOneIsTwoTrianglesAndOneWithoutAreaIsLeftOut) {
    MapPatch flat;
    flat.width = flat.height = 3;
    for (const double x : {0.0, 32.0, 64.0})
        for (const double y : {0.0, 32.0, 64.0}) flat.points.push_back({{x, y, 5}, x, y});
    const LevelPatch patch = tessellate(flat, 0.5);
    EXPECT_EQ(patch.triangles.size(), 2u);
    EXPECT_EQ(patch.vertices.size(), 4u);
    EXPECT_EQ(patch.coordinates[3], (std::array<double, 2>{64, 64}));

    std::string line = "{\npatchDef2\n{\nx\n( 3 3 0 0 0 )\n(\n";
    for (int i = 0; i < 3; ++i) line += "( ( 0 0 0 0 0 ) ( 8 0 0 0 0 ) ( 9 0 0 0 0 ) )\n";
    const Level level = build_level(parse_map(world(line + ")\n}\n}\n"), "a.map"));
    EXPECT_EQ(level.dropped_patches, 1u);
    EXPECT_EQ(level.warnings.at(0), "a.map:3:1: patch 0 of entity 0 (worldspawn) has no area; left out");
    EXPECT_EQ(test::error_place([] { build_level({}, {.patch_error = 0}); }), "LevelOptions::patch_error");
}

TEST(Lights, HavePositionIntensityAndColour) {
    const Level level = build_level(parse_map(
        world("") +
            "{ \"classname\" \"light\" \"origin\" \"1 2 3\" }\n"
            "{ \"classname\" \"light_torch\" \"origin\" \"4 5 6\" \"light\" \"150\" \"_color\" \"1 0.5 "
            "0.25\" }\n"
            "{ \"classname\" \"light\" }\n{ \"classname\" \"info_player_start\" \"origin\" \"0 0 0\" }",
        "a.map"));
    ASSERT_EQ(level.lights.size(), 2u);
    EXPECT_EQ(level.lights[0].intensity, 300);
    EXPECT_EQ(level.lights[0].colour, (DVec3{1, 1, 1}));
    EXPECT_EQ(level.lights[1].position, (DVec3{4, 5, 6}));
    EXPECT_EQ(level.lights[1].intensity, 150);
    EXPECT_EQ(level.lights[1].colour, (DVec3{1, 0.5, 0.25}));
    EXPECT_EQ(level.warnings.at(0), "a.map:6:1: a light without an origin of three numbers; left out");
}

} // namespace
} // namespace scree
