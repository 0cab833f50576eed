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

TEST(SceneLooks, CameraLightsAndGroundAreThoseOfTheFile) {
    const Appearance look = look_of(R"({"scree": 1, "kind": "rigid", "title": "t", "steps": 1,
        "camera": {"eye": [1, 2, 3], "target": [0, 1, 0], "fov": 30},
        "lights": [{"direction": [0, 1, 1], "intensity": 2}, {"position": [4, 5, 6], "colour": "#ff0000", "range": 7}],
        "ground": {"shown": true, "paint": {"texture": "wood"}}})");
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

} // namespace
} // namespace scree
