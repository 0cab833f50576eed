// SPDX-License-Identifier: MIT
// look_test.cpp — paint, camera, lights and ground of a scene file reach the appearance of its run.
#include "scene/run.h"
#include "scree/scene.h"

#include <gtest/gtest.h>

namespace scree {
namespace {

Appearance look_of(const std::string& text) {
    const auto run = start_scene(parse_scene(text, "a.json"), {{.threads = 1}});
    return *run->appearance();
}

TEST(SceneLooks, BoundsOfAFigureHoldItsVerticesAndNotItsBones) {
    const Appearance look = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1,
        "characters": [{"figure": {}, "bodies": false, "position": [30, 0, 20]}]})");
    EXPECT_GT(look.low.x, 29);
    EXPECT_LT(look.high.x, 31);
    EXPECT_GT(look.low.z, 19);
    EXPECT_LT(look.high.z, 21);
    EXPECT_NEAR(look.high.y, 1.8f, 0.2f);
}

TEST(SceneLooks, CameraLightsAndGroundAreThoseOfTheFile) {
    const Appearance look = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1,
        "camera": {"eye": [1, 2, 3], "target": [0, 1, 0], "fov": 30},
        "lights": [{"direction": [0, 1, 1], "intensity": 2}, {"position": [4, 5, 6], "colour": "#ff0000", "range": 7}],
        "ground": {"shown": true, "paint": {"texture": "wood", "texture_size": 0.5}},
        "sky": {"zenith": "#0000ff", "strength": 0.5, "fog": 0.25, "fog_colour": "#ff0000"}})");
    ASSERT_TRUE(look.camera);
    EXPECT_EQ(look.camera->eye, (Vec3{1, 2, 3}));
    EXPECT_EQ(look.camera->target, (Vec3{0, 1, 0}));
    EXPECT_EQ(look.camera->fov, 30);
    ASSERT_EQ(look.lights.size(), 2u);
    EXPECT_EQ(look.lights[0].intensity, 2);
    EXPECT_FALSE(look.lights[0].position);
    EXPECT_EQ(look.lights[1].position, (Vec3{4, 5, 6}));
    EXPECT_EQ(look.lights[1].colour, (Vec3{1, 0, 0}));
    EXPECT_EQ(look.lights[1].range, 7);
    EXPECT_EQ(look.ground.shown, true);
    EXPECT_EQ(look.ground.paint.texture, "wood");
    EXPECT_EQ(look.ground.paint.texture_size, 0.5f);
    EXPECT_EQ(look.sky.zenith, (Vec3{0, 0, 1}));
    EXPECT_FALSE(look.sky.horizon);
    EXPECT_EQ(look.sky.strength, 0.5f);
    EXPECT_EQ(look.sky.fog, 0.25f);
    EXPECT_EQ(look.sky.fog_colour, (Vec3{1, 0, 0}));
}

TEST(SceneLooks, OtherCamerasHaveNamesAndManyLightsAreTaken) {
    std::string lights;
    for (int k = 0; k < 64; ++k) lights += std::string(k ? "," : "") + R"({"direction": [0, 1, 0]})";
    const Appearance look = look_of(R"({"scree": 1, "kind": "cloth", "title": "t", "steps": 1, "sheets": [{}],
        "cameras": [{"name": "side", "eye": [9, 1, 0], "target": [0, 1, 0]},
                    {"name": "top", "eye": [0, 9, 0.1], "target": [0, 0, 0], "fov": 20}], "lights": [)" +
                                    lights + "]}");
    EXPECT_FALSE(look.camera);
    ASSERT_EQ(look.cameras.size(), 2u);
    EXPECT_EQ(look.cameras[0].name, "side");
    EXPECT_EQ(look.cameras[0].eye, (Vec3{9, 1, 0}));
    EXPECT_EQ(look.cameras[1].name, "top");
    EXPECT_EQ(look.cameras[1].fov, 20);
    EXPECT_EQ(look.lights.size(), 64u);
    EXPECT_EQ(look.shading, Shading::physical);
    for (const char* second : {"side", "a=b", "a/b", ""})
        EXPECT_THROW(look_of(R"({"scree": 1, "kind": "cloth", "title": "t", "steps": 1, "sheets": [{}],
            "cameras": [{"name": "side", "eye": [9, 1, 0], "target": [0, 1, 0]}, {"name": ")" +
                             std::string(second) + R"(", "eye": [9, 1, 0], "target": [0, 1, 0]}]})"),
                     Error)
            << second;
}

TEST(SceneLooks, PaintOfShapesPartsAndBodiesIsKeptApart) {
    const Appearance look = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1, "shapes": [
        {"name": "s", "paint": {"colour": "#00FF00", "roughness": 0.25}, "compound": [
            {"sphere": {"radius": 1}}, {"sphere": {"radius": 2}, "paint": {"metallic": 1}}]}],
        "bodies": [{"shape": "s", "position": [0, 0, 0]},
                   {"shape": "s", "position": [9, 0, 0], "paint": {"opacity": 0.5}}]})");
    ASSERT_EQ(look.shapes[0].parts.size(), 2u);
    EXPECT_EQ(look.shapes[0].parts[0].paint.colour, (Vec3{0, 1, 0}));
    EXPECT_EQ(look.shapes[0].parts[0].paint.roughness, 0.25f);
    EXPECT_EQ(look.shapes[0].parts[1].paint, (Paint{.metallic = 1.0f}));
    EXPECT_EQ(look.bodies[0].paint, Paint{});
    EXPECT_EQ(look.bodies[1].paint, (Paint{.opacity = 0.5f}));
}

TEST(SceneLooks, BodiesOfParticlesHaveThePaintOfTheirShape) {
    const Appearance look = look_of(R"({"scree": 1, "title": "t", "steps": 1,
        "shapes": [{"name": "a", "cube": {}}, {"name": "b", "grain": {}, "paint": {"texture": "dots"}}],
        "bodies": [{"shape": "b", "position": [0, 1, 0]}]})");
    EXPECT_EQ(look.shapes[0].parts[0].paint, Paint{});
    EXPECT_EQ(look.shapes[look.bodies[0].shape].parts[0].paint.texture, "dots");
}

TEST(SceneLooks, BodiesOfAGeneratorTakeItsColoursInTurn) {
    const std::vector<std::string> scenes{
        R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1, "bodies": [{"molecule": {"side": 2,
            "each": {"paint": {"colours": ["#ff0000", [0, 1, 0]], "metallic": 1}}}}]})",
        R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "a", "cube": {}}], "bodies": [
            {"stream": {"shape": "a", "count": 8, "paint": {"colours": ["#ff0000", [0, 1, 0]], "metallic": 1}}}]})"};
    for (const std::string& text : scenes) {
        const Appearance look = look_of(text);
        ASSERT_GE(look.bodies.size(), 8u);
        for (std::size_t b = 0; b < 8; ++b)
            EXPECT_EQ(look.bodies[b].paint,
                      (Paint{.colour = b % 2 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}, .metallic = 1.0f}));
    }
}

TEST(SceneLooks, ABodyOfAGeneratorIsPaintedByItsName) {
    const Appearance look = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1,
        "bodies": [{"molecule": {"name": "m", "side": 2, "each": {"paint": {"colour": "#ff0000"}}}}],
        "paints": [{"body": "m[3]", "paint": {"colour": "#ffffff"}}]})");
    for (std::size_t b = 0; b < 8; ++b)
        EXPECT_EQ(look.bodies[b].paint.colour, b == 3 ? (Vec3{1, 1, 1}) : (Vec3{1, 0, 0}));
}

TEST(SceneLooks, ContainersFunnelsAndObstaclesTakePaint) {
    const Appearance rigid = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1, "bodies": [
        {"container": {"inner": [1, 1, 1], "paint": {"roughness": 0.5}}},
        {"container": {"inner": [1, 1, 1], "paint": {"opacity": 0.5}}},
        {"funnel": {"top": 2, "hole": 1, "height": 1, "paint": {"metallic": 0.5}}}]})");
    for (std::size_t part = 0; part < 5; ++part) {
        EXPECT_EQ(rigid.shapes[0].parts[part].paint, part == 0 ? Paint{.roughness = 0.5f} : Paint{});
        EXPECT_EQ(rigid.shapes[1].parts[part].paint, Paint{.opacity = 0.5f});
    }
    for (const AppearancePart& board : rigid.shapes[2].parts) EXPECT_EQ(board.paint, Paint{.metallic = 0.5f});

    const Appearance granular = look_of(R"({"scree": 1, "title": "t", "steps": 1,
        "shapes": [{"name": "a", "grain": {}}],
        "bodies": [{"shape": "a", "position": [0, 1, 0]}, {"shape": "a", "position": [3, 1, 0], "paint": {"metallic": 1}}],
        "obstacles": [{"sphere": {"radius": 1, "position": [9, 1, 0], "paint": {"opacity": 0.25}}},
                      {"plane": {"point": [-9, 0, 0], "normal": [1, 1, 0], "paint": {"texture": "stone"}}}]})");
    EXPECT_EQ(granular.bodies[0].paint, Paint{});
    EXPECT_EQ(granular.bodies[1].paint, Paint{.metallic = 1.0f});
    EXPECT_EQ(granular.bodies[2].paint, Paint{.opacity = 0.25f});
    EXPECT_EQ(granular.bodies[3].paint, Paint{.texture = "stone"});
}

} // namespace
} // namespace scree
