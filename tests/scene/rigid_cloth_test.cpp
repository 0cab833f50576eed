// SPDX-License-Identifier: MIT
// rigid_cloth_test.cpp — cloths of rigid scenes: their shapes, their own vertices, files, filters and pins.
// compiled alone
#include "rigid_text.h"
#include "scene/run.h"
#include "scene_text.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "scree/warning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace scree;
using scree::testing::refusal;
using scree::testing::rigid_with;

Scene read(const std::string& lines) { return parse_scene(rigid_with(lines), "a.json"); }

/// The cloths of a scene in a world.
World world_of(const std::string& lines) { return build_rigid_world(read(lines)); }

TEST(RigidCloths, MayHaveVerticesTrianglesAndLinesOfTheirOwn) {
    World world = world_of(R"("cloths": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [2, 0, 0]],
        "triangles": [[0, 2, 1]], "lines": [[1, 3]], "position": [0, 2, 0], "user_data": 9007199254740992,
        "filter": {"category": 4, "mask": 6, "group": -2}}])");
    ASSERT_EQ(world.cloths().size(), 1u);
    const ClothId id = world.cloths().front();
    const ClothDef def = world.definition(id);
    EXPECT_EQ(world.vertices(id)[3], (Vec3{2, 2, 0}));
    EXPECT_EQ(def.triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1}}));
    EXPECT_EQ(def.lines, (std::vector<std::array<std::uint32_t, 2>>{{1, 3}}));
    EXPECT_EQ(world.user_data(id), 9007199254740992u);
    EXPECT_EQ(def.filter.category, 4u);
    EXPECT_EQ(def.filter.mask, 6u);
    EXPECT_EQ(def.filter.group, -2);
}

TEST(RigidCloths, LinesJoinTheVerticesOfAGrid) {
    World world =
        world_of(R"("cloths": [{"grid": {"size": [1, 1], "vertices": [2, 2]}, "lines": [[1, 2]]}])");
    const ClothDef def = world.definition(world.cloths().front());
    EXPECT_EQ(def.triangles.size(), 2u);
    EXPECT_EQ(def.lines.size(), 1u);
}

TEST(RigidCloths, ANetHasLinesAloneAndIsDrawnInItsColour) {
    const Scene scene =
        read(R"("cloths": [{"net": {"size": [2, 1], "vertices": [5, 3]}, "paint": {"colour": "#00ff00"}}])");
    World world = build_rigid_world(scene);
    const ClothDef def = world.definition(world.cloths().front());
    EXPECT_TRUE(def.triangles.empty());
    EXPECT_EQ(def.lines.size(), 4u * 3 + 5 * 2);
    EXPECT_TRUE(def.surface_collision);
    const auto run = start_scene(scene, Place());
    ASSERT_EQ(run->appearance()->lines.size(), 1u);
    EXPECT_EQ(run->appearance()->lines[0].colour, (Vec3{0, 1, 0}));
}

TEST(RigidCloths, AFilterLetsABodyThrough) {
    const auto height = [](const char* mask) {
        World world = world_of(R"("shapes": [{"name": "ball", "sphere": {"radius": 0.1}}],
            "bodies": [{"shape": "ball", "position": [0, 1.2, 0]}],
            "cloths": [{"grid": {"size": [1, 1], "vertices": [11, 11]}, "position": [0, 1, 0], "pins": [0, 10, 110, 120],
                        "filter": {"mask": )" +
                               std::string(mask) + "}}]");
        for (int k = 0; k < 45; ++k) world.step(1 / 60.0f);
        return world.state(world.bodies().front()).position.y;
    };
    EXPECT_GT(height("1"), 0.7f);
    EXPECT_LT(height("2"), -0.5f);
}

TEST(RigidCloths, APinTakesItsVertexToAPointOfItsBody) {
    World world = world_of(R"("shapes": [{"name": "post", "box": {"half_size": [0.1, 0.1, 0.1]}}],
        "bodies": [{"name": "post", "shape": "post", "type": "kinematic", "position": [0, 3, 0]}],
        "cloths": [{"rope": {"from": [0, 2, 0], "to": [1, 2, 0], "segments": 10},
                    "pins": [{"vertex": 0, "body": "post", "point": [0, -0.5, 0.25]}, {"vertex": 10, "point": [0.5, 2, 0]}]}])");
    for (int k = 0; k < 60; ++k) world.step(1 / 60.0f);
    const auto vertices = world.vertices(world.cloths().front());
    EXPECT_LT(length(vertices[0] - Vec3{0, 2.5f, 0.25f}), 1e-4f);
    EXPECT_LT(length(vertices[10] - Vec3{0.5f, 2, 0}), 1e-4f);
}

std::string refused(const std::string& cloth) { return refusal(rigid_with("\"cloths\": [" + cloth + "]")); }

TEST(RigidCloths, AreRefusedWithThePlaceInTheFile) {
    EXPECT_NE(refused(R"({"position": [0, 1, 0]})").find("expected only one of \"grid\", \"net\""),
              std::string::npos);
    EXPECT_NE(refused(R"({"grid": {"size": [1, 1], "vertices": [2, 2]}, "triangles": [[0, 1, 2]]})")
                  .find("cloths[0].triangles: expected \"vertices\""),
              std::string::npos);
    EXPECT_NE(refused(R"({"vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 3]]})")
                  .find("cloths[0].triangles[0][2]: invalid value 3"),
              std::string::npos);
    EXPECT_NE(
        refused(R"({"vertices": [[0, 0, 0], [1, 0, 0]], "lines": [[0, 1, 1]]})").find("cloths[0].lines[0]"),
        std::string::npos);
    EXPECT_NE(
        refused(
            R"({"net": {"size": [1, 1], "vertices": [2, 2]}, "pins": [{"vertex": 0, "count": 2, "point": [0, 0, 0]}]})")
            .find("pins[0].point: a point is of one vertex"),
        std::string::npos);
    EXPECT_NE(refused(R"({"net": {"size": [1, 1], "vertices": [2, 2]}, "user_data": -1})").find("user_data"),
              std::string::npos);
    EXPECT_NE(refused(R"({"file": "a.obj", "weld": -0.1})").find("cloths[0].weld: invalid value -0.1"),
              std::string::npos);
    for (const std::string key : {"weld", "scale"})
        EXPECT_NE(refused(R"({"net": {"size": [1, 1], "vertices": [2, 2]}, ")" + key + "\": 1}")
                      .find(key + ": expected \"file\" with it"),
                  std::string::npos);
}

TEST(RigidCloths, AFileGivesItsTrianglesTimesTheScale) {
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n";
    const Scene scene = parse_scene(rigid_with(R"("cloths": [{"file": "sheet.obj", "scale": 2}])"), "a.json",
                                    {.files = {{"sheet.obj", mesh}}});
    World world = build_rigid_world(scene);
    const ClothId id = world.cloths().front();
    EXPECT_EQ(world.vertices(id).size(), 4u);
    EXPECT_EQ(world.definition(id).triangles.size(), 2u);
    EXPECT_NEAR(world.measure(id).mass, 4 * 0.2, 1e-6);
    EXPECT_EQ(world.measure(id).high, (Vec3{2, 0, 2}));
}

/// A cloth of a file with two squares whose common edge is there twice, this far apart; and the warnings about it.
RigidScene of_two_squares(const char* gap, const std::string& keys, std::vector<std::string>& warnings) {
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\nv 1 " + std::string(gap) +
                             " 0\nv 2 0 0\nv 2 0 1\nv 1 " + gap + " 1\nf 5 8 7 6\n";
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    const Scene scene = parse_scene(rigid_with(R"("cloths": [{"file": "squares.obj")" + keys + "}]"),
                                    "a.json", {.files = {{"squares.obj", mesh}}});
    set_warning_handler({});
    return rigid_scene(scene);
}

TEST(RigidCloths, AFileIsWeldedAndVerticesThatNearlyMeetAreTold) {
    const auto vertices = [](const RigidScene& scene) { return scene.cloths.front().cloth.vertices.size(); };
    std::vector<std::string> warnings;
    EXPECT_EQ(vertices(of_two_squares("0", "", warnings)), 6u);
    EXPECT_EQ(vertices(of_two_squares("0.001", R"(, "weld": 0.002)", warnings)), 6u);
    // after scaling
    EXPECT_EQ(vertices(of_two_squares("0.001", R"(, "weld": 0.002, "scale": 10)", warnings)), 8u);
    EXPECT_EQ(vertices(of_two_squares("0.000001", R"(, "weld": 0)", warnings)), 8u);
    EXPECT_EQ(warnings, std::vector<std::string>{});
    EXPECT_EQ(vertices(of_two_squares("0.000001", "", warnings)), 8u);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("cloths[0].file: 2 vertices are within"), std::string::npos) << warnings[0];
}

TEST(RigidCloths, APonchoFromAFileHangsOnTheShoulders) {
    Scene scene = find_scene("cloth-poncho");
    const ClothDef& def = rigid_scene(scene).cloths.front().cloth;
    EXPECT_EQ(def.vertices.size(), 252u);
    EXPECT_EQ(def.triangles.size(), 448u);
    const auto run = start_scene(scene, Place());
    run->step(90);
    Frame frame;
    run->show(frame);
    float low = 9, high = 0;
    for (const Vec3& v : frame.vertices) low = std::min(low, v.y), high = std::max(high, v.y);
    EXPECT_GT(high, 1.25f) << "it slid off";
    EXPECT_LT(high, 1.5f) << "it lies on the head";
    EXPECT_LT(low, 1.2f);
}

TEST(RigidCloths, ANetOfLinesHoldsItsBoxes) {
    const Scene scene = find_scene("cloth-net");
    EXPECT_TRUE(rigid_scene(scene).cloths.front().cloth.triangles.empty());
    const auto run = start_scene(scene, Place());
    run->step(120);
    Frame frame;
    run->show(frame);
    for (std::size_t b = 1; b < 5; ++b) EXPECT_GT(frame.positions[4 * b + 1], 0.8f) << b;
}

} // namespace
