// SPDX-License-Identifier: MIT
// frame_loop_test.cpp — moments of the loop, controllers of the engine's and of one's own.
#include "render/controllers.h"
#include "render/recording_backend.h"
#include "scree/error.h"
#include "stage.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace scree::render {
namespace {

struct FrameLoops : ::testing::Test {
    void frame(double seconds) { loop.frame(seconds, Camera{}, {}, {}, 64, 64); }
    void expect_position(PositionId node, Vec3 expected) {
        const Vec3 p = renderer.positions().local(node).position;
        EXPECT_NEAR(p.x, expected.x, 1e-5f);
        EXPECT_NEAR(p.y, expected.y, 1e-5f);
        EXPECT_NEAR(p.z, expected.z, 1e-5f);
    }
    RecordingBackend backend{false};
    Renderer renderer{backend};
    FrameLoop loop{renderer};
};

/// A controller of somebody else: the engine knows nothing of it.
class Breathing final : public Controller {
public:
    Breathing(PositionId node, std::string& log) : node_(node), log_(log) {}
    bool run(Renderer& renderer, const FrameTime& time) override {
        log_ += "controller ";
        Transform local = renderer.positions().local(node_);
        local.scale = 1 + static_cast<float>(time.seconds);
        renderer.positions().set(node_, local);
        return ++runs_ < 3;
    }

private:
    PositionId node_;
    std::string& log_;
    int runs_ = 0;
};

TEST_F(FrameLoops, MomentsComeInOrderAndControllersOnceAFrame) {
    std::string log;
    const PositionId node = renderer.positions().add({});
    constexpr std::pair<Moment, const char*> moments[] = {{Moment::finish, "finish "},
                                                          {Moment::drawn, "drawn "},
                                                          {Moment::draw, "draw "},
                                                          {Moment::frame, "frame "},
                                                          {Moment::start, "start "}};
    for (const auto& [moment, name] : moments)
        loop.on(moment, [&log, word = name](const FrameTime&) { log += word; });
    loop.add(std::make_unique<Breathing>(node, log));
    loop.start({}, 64, 64);
    EXPECT_EQ(log, "start ");
    frame(0.5);
    EXPECT_EQ(log, "start frame controller draw drawn ");
    EXPECT_FLOAT_EQ(renderer.positions().local(node).scale, 1.5f);
    frame(0.75);
    frame(1);
    log.clear();
    frame(2); // it was wanted three times
    loop.finish();
    loop.finish();
    EXPECT_EQ(log, "frame draw drawn finish ");
}

TEST_F(FrameLoops, WhatIsSetInAFrameIsDrawnInIt) {
    const auto root =
        renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(Material{}));
    GeometryNode box;
    box.mesh = renderer.box_mesh();
    box.position = renderer.positions().add({});
    renderer.description().add_geometry(root, box);
    loop.on(Moment::frame, [&](const FrameTime& time) {
        renderer.positions().set(box.position, {{static_cast<float>(time.seconds), 0, 0}, {}, 1});
    });
    Vec3 seen{};
    loop.on(Moment::drawn, [&](const FrameTime&) { seen = renderer.bounds().centre(); });
    loop.start({}, 64, 64);
    frame(7);
    EXPECT_NEAR(seen.x, 7, 1e-4f);
}

TEST_F(FrameLoops, TimesAreThoseOfTheCaller) {
    std::vector<FrameTime> times;
    loop.on(Moment::draw, [&](const FrameTime& time) { times.push_back(time); });
    loop.start({}, 64, 64);
    for (const double t : {10.0, 10.5, 12.0}) frame(t);
    ASSERT_EQ(times.size(), 3u);
    EXPECT_EQ(times[0].step, 0);
    EXPECT_EQ(times[2].step, 1.5);
    EXPECT_EQ(times[2].seconds, 12);
    EXPECT_EQ(times[2].frame, 2u);
}

TEST_F(FrameLoops, HandlersMayAddAndRemoveThemselvesAndOthers) {
    int first = 0, second = 0, late = 0;
    FrameLoop::HookId own = 0, other = 0;
    own = loop.on(Moment::frame, [&](const FrameTime&) {
        ++first;
        loop.remove(own);
        loop.remove(other);
        loop.on(Moment::frame, [&](const FrameTime&) { ++late; });
    });
    other = loop.on(Moment::frame, [&](const FrameTime&) { ++second; });
    loop.start({}, 64, 64);
    frame(0);
    EXPECT_EQ(late, 0);
    frame(1);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 0);
    EXPECT_EQ(late, 1);
}

TEST_F(FrameLoops, StartAddsThingsBeforePrecachingAndFinishComesAlsoWithTheLoopsEnd) {
    loop.on(Moment::start, [&](const FrameTime&) {
        GeometryNode box;
        box.mesh = renderer.box_mesh();
        renderer.description().add_geometry({}, box);
    });
    loop.start({}, 64, 64);
    frame(0);
    EXPECT_EQ(renderer.counters().all.created, 0u);
    EXPECT_EQ(renderer.counters().things, 1u);
    bool finished = false;
    {
        FrameLoop short_one(renderer);
        short_one.on(Moment::finish, [&](const FrameTime&) { finished = true; });
        short_one.start({}, 64, 64);
    }
    EXPECT_TRUE(finished);
}

TEST_F(FrameLoops, MisuseIsRefused) {
    EXPECT_THROW(frame(0), Error);
    EXPECT_THROW(loop.on(Moment::draw, {}), Error);
    EXPECT_THROW(loop.add(nullptr), Error);
    loop.start({}, 64, 64);
    EXPECT_THROW(loop.start({}, 64, 64), Error);
    EXPECT_THROW(PositionController({}, {}), Error);
    EXPECT_THROW(PositionController({}, {{1, {}}, {1, {}}}), Error);
    EXPECT_THROW(RotationController({}, {}, 1), Error);
    EXPECT_THROW(FlipbookController({}, 2, 2, 1, 5), Error);
    EXPECT_THROW(renderer.description().edit_texture({}), Error);
}

TEST_F(FrameLoops, APositionControllerPassesThroughItsKeys) {
    const PositionId once = renderer.positions().add({}, {{}, {.x = 1, .s = 0}, 2}),
                     again = renderer.positions().add({});
    const std::vector<PositionController::Key> keys{{1, {0, 0, 0}}, {2, {4, 0, 0}}, {4, {4, 2, 0}}};
    loop.add(std::make_unique<PositionController>(once, keys));
    loop.add(std::make_unique<PositionController>(again, keys, true));
    loop.start({}, 64, 64);
    frame(0);
    expect_position(once, {0, 0, 0});
    expect_position(again, {4, 1, 0}); // as at 3 s
    frame(1.25);
    expect_position(once, {1, 0, 0});
    frame(3);
    expect_position(once, {4, 1, 0});
    frame(4.5);
    expect_position(once, {4, 2, 0});
    expect_position(again, {2, 0, 0});
    EXPECT_EQ(renderer.positions().local(once).scale, 2);
    EXPECT_EQ(renderer.positions().local(once).rotation.x, 1);
    renderer.positions().remove(once);
    frame(5); // it goes with its node
}

TEST_F(FrameLoops, ARotationControllerTurnsAtItsSpeedAtAnyFrameRate) {
    const PositionId node = renderer.positions().add({}, {{1, 2, 3}, {}, 1});
    const PositionId upright = renderer.positions().add({});
    loop.add(std::make_unique<RotationController>(node, Vec3{0, 0, 2}, std::numbers::pi_v<float> / 2));
    loop.add(std::make_unique<RotationController>(upright, Vec3{0, 1, 0}, std::numbers::pi_v<float> / 2));
    loop.start({}, 64, 64);
    for (const double t : {5.0, 5.1, 5.97, 6.0}) frame(t);
    EXPECT_NEAR(rotate(renderer.positions().local(upright).rotation, {1, 0, 0}).z, -1, 1e-5f);
    const Vec3 x = rotate(renderer.positions().local(node).rotation, {1, 0, 0});
    EXPECT_NEAR(x.x, 0, 1e-5f);
    EXPECT_NEAR(x.y, 1, 1e-5f);
    expect_position(node, {1, 2, 3});
}

TEST_F(FrameLoops, ATextureControllerSlidesWithoutFlatteningTheTreeAnew) {
    const auto node =
        renderer.description().add_technique({}, std::make_unique<TextureTechnique>(TextureId{3}));
    GeometryNode box;
    box.mesh = renderer.box_mesh();
    const auto leaf = renderer.description().add_geometry(node, box);
    loop.add(std::make_unique<TextureScrollController>(node, 0.25f, -0.5f));
    loop.start({}, 64, 64);
    const std::uint64_t revision = renderer.description().revision();
    frame(1);
    EXPECT_FLOAT_EQ(renderer.description().state(leaf).window.offset_u, 0.25f);
    EXPECT_FLOAT_EQ(renderer.description().state(leaf).window.offset_v, 0.5f);
    frame(6);
    EXPECT_FLOAT_EQ(renderer.description().state(leaf).window.offset_u, 0.5f);
    EXPECT_EQ(renderer.description().revision(), revision);
}

TEST(FrameLoopPicture, AFlipbookShowsOnePictureAfterTheOther) {
    for (const bool one_light_a_pass : {false, true}) {
        testing::Stage stage(64, 64);
        stage.settings.one_light_a_pass = one_light_a_pass;
        // red and green above blue and white
        constexpr int side = 64;
        std::vector<std::uint8_t> texels;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const int picture = x / (side / 2) + 2 * (y / (side / 2));
                for (int c = 0; c < 3; ++c) texels.push_back(picture == c || picture == 3 ? 255 : 20);
                texels.push_back(255);
            }
        const auto material = stage.material({1, 1, 1});
        const auto node = stage.technique(
            std::make_unique<TextureTechnique>(stage.renderer.create_texture(side, side, texels, true)),
            material);
        stage.thing(node, stage.renderer.box_mesh(), {1, 1, 1});
        // with a window of its own: stays as it is
        const auto still = stage.technique(
            std::make_unique<TextureTechnique>(stage.renderer.create_texture(side, side, texels, true),
                                               TextureId{}, TextureWindow{0.5f, 0, 0.5f, 0.5f}),
            material);
        stage.thing(still, stage.renderer.box_mesh(), {1, 1, 1}, {{2.2f, 0, 0}, {}, 1});
        Light light;
        light.position = {1, 1, 4};
        light.colour = {0.2f, 0.2f, 0.2f};
        stage.renderer.lights().add(light);
        FrameLoop loop(stage.renderer);
        loop.add(std::make_unique<FlipbookController>(node, 2, 2, 10));
        loop.start(stage.settings, 64, 64);
        const Camera camera = testing::looking({1.1f, 0, 6}, {1.1f, 0, 0});
        for (int frame = 0; frame < 5; ++frame) {
            const int picture = frame % 4;
            loop.frame(frame * 0.1 + 0.05, camera, stage.settings, stage.target.id(), 64, 64);
            Image image{64, 64, std::vector<std::uint8_t>(64 * 64 * 4)};
            stage.target.read(image.rgba);
            const auto [x, y] = testing::place_of(camera, image, {0, 0, 1});
            const auto p = image.pixel(x, y);
            for (std::size_t c = 0; c < 3; ++c) {
                const bool bright = picture == static_cast<int>(c) || picture == 3;
                EXPECT_EQ(p[c] > 100, bright)
                    << "picture " << picture << ", channel " << c << ": " << int{p[c]};
            }
            const auto [sx, sy] = testing::place_of(camera, image, {2.2f, 0, 1});
            EXPECT_GT(image.pixel(sx, sy)[1], image.pixel(sx, sy)[0] + 50);
        }
    }
}

} // namespace
} // namespace scree::render
