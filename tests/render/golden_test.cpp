// SPDX-License-Identifier: MIT
// golden_test.cpp — whole pictures of scenes against those in golden/.
//
// Tolerance: a mean difference of 2 of 255 over all channels, and at most 2 % of the pixels off by more than 24: drivers
// differ in how they round and where they put samples. To make them anew: SCREE_WRITE_GOLDEN=1 scree_tests
// --gtest_filter='Golden*', then look at them.
#include "render/stage.h"

#include "scene/run.h"
#include "scree/scene.h"
#include "support/param_name.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace scree::render::testing {
namespace {

void compare(const std::string& name, const Image& image) {
    const std::string file = std::string(SCREE_SOURCE_DIR) + "/tests/render/golden/" + name + ".png";
    if (std::getenv("SCREE_WRITE_GOLDEN")) write_png(image, file, 9);
    const ImageDifference d = difference(image, read_png(file), 24);
    EXPECT_LE(d.mean, 2) << name;
    EXPECT_LE(d.share_above, 0.02) << name;
}

struct Shot {
    const char* scene;
    int steps;
    Vec3 eye, target;
};

class Golden : public ::testing::TestWithParam<Shot> {};

TEST_P(Golden, SceneLooksAsItDid) {
    const auto [name, steps, eye, target] = GetParam();
    const Scene scene = find_scene(name);
    Stage stage(320, 180);
    WorldModel model(stage.renderer);
    Frame frame;
    const auto run = start_scene(scene, Place());
    run->step(static_cast<std::uint64_t>(steps));
    run->show(frame);
    model.update(frame);
    model.light(stage.settings.sky);
    Camera camera = looking(eye, target);
    camera.fov_y = 0.62f;
    fit_planes(camera, stage.renderer.measure_bounds());
    compare(name, stage.picture(camera));
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, Golden,
    ::testing::Values(Shot{"mixed-shapes", 60, {10.625f, 12.155f, 17.48f}, {-0.175f, 2.928f, -0.134f}},
                      Shot{"tower-10-improved", 60, {11.094f, 15.473f, 18.093f}, {0.001f, 5.996f, 0}},
                      Shot{"funnel-100", 30, {7.638f, 14.107f, 12.451f}, {-0.002f, 7.579f, -0.011f}},
                      Shot{"obstacles", 100, {12.464f, 14.692f, 19.92f}, {0.13f, 4.154f, -0.198f}}),
    [](const auto& tested) { return test::word_of(tested.param.scene); });

TEST(GoldenFeatures, LightsGlassTexturesAndAnOutline) {
    Stage stage(320, 180);
    stage.ground({0.5f, 0.5f, 0.55f});
    stage.settings.sky.strength = 0.15f;
    stage.settings.sky.sun_colour = {0.25f, 0.25f, 0.3f};
    const Vec3 tints[] = {{1, 0.3f, 0.2f}, {0.2f, 1, 0.4f}, {0.3f, 0.4f, 1}};
    for (int i = 0; i < 3; ++i) {
        Light light;
        light.position = {2.5f * static_cast<float>(i) - 2.5f, 2, 1.5f};
        light.colour = tints[i];
        light.intensity = 6;
        light.radius = 7;
        light.shadows = true;
        stage.renderer.lights().add(light);
    }
    std::vector<std::uint8_t> squares(16 * 16 * 4, 255);
    for (std::size_t i = 0; i < 256; ++i)
        if ((i / 4 + i / 64) % 2) squares[4 * i] = squares[4 * i + 1] = squares[4 * i + 2] = 90;
    const auto texture = stage.renderer.create_texture(16, 16, squares, true);
    const auto white = stage.material({0.9f, 0.9f, 0.9f}, {}, 0.35f);
    stage.thing(white, stage.renderer.sphere_mesh(), {0.8f, 0.8f, 0.8f}, {{-1.8f, 0.8f, 0}, {}, 1});
    stage.thing(stage.technique(std::make_unique<TextureTechnique>(texture), white),
                stage.renderer.box_mesh(), {0.6f, 0.6f, 0.6f},
                {{0.3f, 0.6f, 0}, rotation_about({0, 1, 0}, 0.5f), 1});
    stage.thing(
        stage.technique(std::make_unique<TransparencyTechnique>(0.4f), stage.material({0.3f, 0.8f, 0.9f})),
        stage.renderer.cylinder_mesh(), {0.6f, 0.9f, 0.6f}, {{2, 0.9f, 0.5f}, {}, 1});
    compare("features", stage.picture(looking({3, 3.2f, 6}, {0.2f, 0.7f, 0})));
}

} // namespace
} // namespace scree::render::testing
