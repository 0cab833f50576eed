// SPDX-License-Identifier: MIT
// appearance_test.cpp — paint, lines, lights and cameras of an Appearance, as pictures.
#include "render/stand.h"

#include "render/textures.h"
#include "scene/run.h"
#include "scree/scene.h"
#include "scree/warning.h"
#include "support/param_name.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::render::testing {
namespace {

TEST(Paint, OfABodyCountsBeforeThatOfItsParts) {
    Stand stand;
    stand.add(Box{0.5f, 0.5f, 0.5f}, {-1.5f, 0.5f, 0}, {.colour = red}, {.colour = green});
    stand.add(Box{0.5f, 0.5f, 0.5f}, {1.5f, 0.5f, 0}, {}, {.colour = green});
    Stage stage;
    const Camera camera = looking({0, 1, 6}, {0, 0.5f, 0});
    const Image image = picture_of(stage, stand.shown(), camera);
    const auto [x, y] = place_of(camera, image, {1.5f, 0.5f, 0.5f});
    EXPECT_TRUE(is_red(image, place_of(camera, image, {-1.5f, 0.5f, 0.5f})));
    EXPECT_GT(image.pixel(x, y)[1], image.pixel(x, y)[0] + 40);
    // asleep: darker, whoever chose the colour
    stand.frame.flags = {Frame::asleep, Frame::asleep};
    const Image asleep = picture_of(stage, stand.shown(), camera);
    EXPECT_LT(asleep.pixel(x, y)[1], image.pixel(x, y)[1] - 8);
}

TEST(Paint, ABodyIsDrawnAsAMeshWhileItsPartsCollide) {
    // a small sphere collides; a wide tent of two triangles, red on both slopes, is drawn
    const Vec3 vertices[] = {{-1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, 1, 1}, {1, 0, -1}, {1, 0, 1}};
    const std::uint32_t indices[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    const Mesh tent = Mesh::from_triangles(vertices, indices);
    World world(WorldSettings{});
    const BodyId body = world.create_body({.position = {0, 1, 0}});
    world.attach(body, Sphere{0.2f});
    auto look = std::make_shared<Appearance>(appearance_of(world));
    draw_as(*look, 0, {{tent.scaled({1.5f, 1, 1.5f}), {{0, -0.5f, 0}, {}}, {.colour = red}}});
    EXPECT_GT(look->shapes[look->bodies[0].shape].reach, 1.5) << "of what is drawn, for picking";
    Frame frame;
    frame.appearance = look;
    show(world, frame);
    Stage stage;
    const Camera camera = looking({5, 4, 5}, {0, 1, 0});
    const Vec3 on_slope{1.1f, 0.75f, 0.3f}; // far from the sphere
    const Image drawn = picture_of(stage, frame, camera, {.floor = false});
    EXPECT_TRUE(is_red(drawn, place_of(camera, drawn, on_slope)));
    const Image colliders = picture_of(stage, frame, camera, {.colliders = true, .floor = false});
    EXPECT_FALSE(is_red(colliders, place_of(camera, colliders, on_slope)));
    // the world does not know of it: a ray through the tent misses the sphere
    EXPECT_FALSE(world.cast_ray({.origin = {1.1, 5, 0.3}, .translation = {0, -9, 0}}));
    // back to what collides
    auto plain = std::make_shared<Appearance>(*look);
    draw_as(*plain, 0, {});
    frame.appearance = plain;
    EXPECT_FALSE(
        is_red(picture_of(stage, frame, camera, {.floor = false}), place_of(camera, drawn, on_slope)));
    EXPECT_THROW(draw_as(*plain, 1, {}), Error);
    EXPECT_THROW(draw_as(*plain, 0, {{Mesh{}, {}, {}}}), Error);
}

TEST(Paint, TheCallersColoursCountBeforeAllPaint) {
    Stand stand;
    stand.add(Sphere{1}, {0, 1, 0}, {}, {.colour = green});
    Stage stage;
    WorldModel model(stage.renderer);
    const Camera camera = looking({0, 1, 5}, {0, 1, 0});
    const std::vector<std::uint32_t> colours{pose_colour(red)};
    for (const bool chosen : {false, true, false}) {
        model.colour(chosen ? std::span<const std::uint32_t>(colours) : std::span<const std::uint32_t>());
        model.update(stand.shown());
        const Image image = stage.picture(camera);
        EXPECT_EQ(is_red(image, place_of(camera, image, {0, 1, 1})), chosen);
    }
}

TEST(Paint, EachTextureShowsOnBodiesAndOnTheGround) {
    for (const GlChoice choice : {GlChoice::gl, GlChoice::gles}) {
        Stage stage(160, 90, choice);
        stage.settings.ambient_occlusion = false;
        const auto drawn = [&](const std::string& texture, bool ground) {
            Stand stand;
            if (ground) stand.look->ground = {true, {.colour = Vec3{0.6f, 0.6f, 0.6f}, .texture = texture}};
            else stand.look->ground.shown = false;
            stand.add(Box{1, 1, 1}, {0, 1, ground ? 40.0f : 0.0f}, {.colour = red, .texture = texture});
            return contrast(
                picture_of(stage, stand.shown(),
                           ground ? looking({0.5f, 5, 4}, {0, 0, 0}) : looking({0, 1, 4}, {0, 1, 0})));
        };
        const double plain = drawn("", false);
        for (const std::string_view name : texture_names) {
            SCOPED_TRACE(name);
            EXPECT_GT(drawn(std::string(name), false), 2 * plain);
            EXPECT_GT(drawn(std::string(name), true), 2);
        }
    }
}

TEST(Paint, WoodOnTheGroundIsBoards) {
    // along a board it changes less than across
    Stand stand;
    stand.look->ground = {true, {.colour = Vec3{0.6f, 0.6f, 0.6f}, .texture = "wood"}};
    stand.add(Sphere{0.1f}, {0, 0.1f, 40});
    Stage stage(240, 240);
    const Image image = picture_of(stage, stand.shown(), looking({0, 9, 0.01f}, {0, 0, 0}));
    double along = 0, across = 0;
    for (int y = 20; y < 219; ++y)
        for (int x = 20; x < 219; ++x) {
            along += std::abs(brightness(image, x + 1, y) - brightness(image, x, y));
            across += std::abs(brightness(image, x, y + 1) - brightness(image, x, y));
        }
    EXPECT_GT(across, 3 * along);
}

TEST(Paint, BodiesOfParticlesHaveTheirOwnOrThatOfTheirShape) {
    Stand stand;
    for (const float x : {-1.5f, 1.5f}) {
        const std::uint32_t body = stand.add(Sphere{1}, {x, 1, 0}, {}, {.colour = green});
        stand.look->shapes[body].particles = {{{0, 0, 0}, 1, {}}};
    }
    stand.look->bodies[0].paint.colour = red;
    Stage stage;
    const Camera camera = looking({0, 1, 8}, {0, 1, 0});
    const Image image = picture_of(stage, stand.shown(), camera);
    EXPECT_TRUE(is_red(image, place_of(camera, image, {-1.5f, 1, 1})));
    const auto [x, y] = place_of(camera, image, {1.5f, 1, 1});
    EXPECT_GT(image.pixel(x, y)[1], image.pixel(x, y)[0] + 40);
}

TEST(Paint, TheSkyHasTheColoursOfTheAppearance) {
    Stand stand;
    stand.look->ground.shown = false;
    stand.add(Sphere{0.1f}, {0, 1, 0});
    Stage stage;
    const Camera camera = looking({0, 1, 8}, {0, 1, 0});
    EXPECT_FALSE(is_red(picture_of(stage, stand.shown(), camera), {5, 5}));
    stand.look->sky.zenith = stand.look->sky.horizon = Vec3{0.9f, 0, 0};
    EXPECT_TRUE(is_red(picture_of(stage, stand.shown(), camera), {5, 5}));
}

TEST(Paint, TheGroundHidesNothingAboveIt) {
    // a plate 2 mm above the ground, from near and from far
    Stage stage(160, 90);
    for (const float away : {2.0f, 20.0f, 60.0f}) {
        Stand stand;
        stand.look->bodies.push_back({0, BodyType::fixed});
        stand.look->shapes.push_back(appearance_of("", {{Plane{}, {}}}));
        stand.frame.resize(++stand.look->body_count);
        stand.frame.set_pose(0, {});
        stand.add(Box{40, 0.0005f, 40}, {0, 0.0015f, 0}, {.colour = red});
        WorldModel model(stage.renderer);
        model.update(stand.shown());
        Camera camera = looking({0.7f * away, 0.5f * away, away}, {0, 0, 0});
        fit_planes(camera, stage.renderer.measure_bounds());
        const Image image = stage.picture(camera);
        for (float x = -0.3f; x < 0.31f; x += 0.05f)
            for (float z = -0.3f; z < 0.31f; z += 0.05f)
                EXPECT_TRUE(is_red(image, place_of(camera, image, {x * away, 0.002f, z * away})))
                    << x << " " << z << " from " << away;
    }
}

TEST(Paint, TheGroundBeforeASmallBodyIsNotCutOff) {
    Stage stage(160, 90);
    Stand stand;
    stand.look->ground = {true, {.colour = red}};
    stand.add(Sphere{0.2f}, {0, 0.2f, 0});
    WorldModel model(stage.renderer);
    model.update(stand.shown());
    Camera camera = looking({0, 2, 12}, {0, 0, 0});
    fit_planes(camera, stage.renderer.measure_bounds());
    EXPECT_TRUE(is_red(stage.picture(camera), {80, 88}));
}

TEST(Paint, FlushPartsHaveNoLineBetweenThem) {
    // plates side by side, so far away that their bevels are narrower than a pixel
    Stage stage(320, 180);
    stage.settings.sun_shadows = false;
    Stand stand;
    stand.look->ground.shown = false;
    for (const float x : {-2.0f, 2.0f}) stand.add(Box{2, 2, 0.2f}, {x, 0, 0}, {.colour = red});
    const Camera camera = looking({3, 2.5f, 14}, {0, 0, 0});
    const Image image = picture_of(stage, stand.shown(), camera);
    for (float y = -1.5f; y < 1.5f; y += 0.02f) {
        const auto [x, row] = place_of(camera, image, {0, y, 0.2f});
        const int beside = brightness(image, x - 6, row);
        for (int i = -2; i <= 2; ++i) EXPECT_NEAR(brightness(image, x + i, row), beside, 4) << y;
    }
}

TEST(Paint, AnUprightPlaneIsAPane) {
    const Camera camera = looking({0, 2, 9}, {0, 1, 0});
    Stage stage;
    const auto drawn = [&](bool plane) {
        Stand stand;
        stand.look->low = {-1, 0, -1}, stand.look->high = {1, 2, 1};
        stand.look->ground.shown = false;
        stand.add(Sphere{0.2f}, {0, 0.2f, 0}, {.colour = red});
        if (plane) {
            const std::uint32_t wall = stand.add(Plane{}, {0, 0, 0}, {.colour = green});
            stand.look->bodies[wall].type = BodyType::fixed;
            stand.frame.set_pose(wall, {{0, 0, -1}, rotation_about({1, 0, 0}, 1.5707963f)});
        }
        return picture_of(stage, stand.shown(), camera);
    };
    const Image with = drawn(true), without = drawn(false);
    for (const auto& [at, seen] : {std::pair{Vec3{0.5f, 1.5f, -1}, true}, std::pair{Vec3{2, 3, -1}, false}}) {
        const auto [x, y] = place_of(camera, with, at);
        const int greener =
            with.pixel(x, y)[1] - with.pixel(x, y)[0] - without.pixel(x, y)[1] + without.pixel(x, y)[0];
        EXPECT_EQ(greener > 30, seen);
    }
}

TEST(Paint, AnUnknownTextureIsRefusedWithThoseThatAreKnown) {
    Stand stand;
    stand.add(Box{}, {}, {.texture = "plaid"});
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    const std::string words = test::error_message([&] { model.update(stand.shown()); });
    EXPECT_NE(words.find("plaid"), std::string::npos) << words;
    for (const std::string_view name : texture_names) EXPECT_NE(words.find(name), std::string::npos) << words;
}

TEST(Paint, WhatIsHalfOpaqueShowsWhatIsBehindIt) {
    Stage stage;
    const Camera camera = looking({0, 1, 6}, {0, 1, 0});
    std::array<int, 3> redness{};
    for (std::size_t i = 0; i < 3; ++i) {
        Stand stand;
        stand.add(Box{1, 1, 0.1f}, {0, 1, -1}, {.colour = red});
        stand.add(Box{1, 1, 0.1f}, {0, 1, 1}, {.colour = green, .opacity = static_cast<float>(i) * 0.5f});
        const Image image = picture_of(stage, stand.shown(), camera);
        const auto [x, y] = place_of(camera, image, {0, 1, 1.1f});
        redness[i] = int{image.pixel(x, y)[0]} - image.pixel(x, y)[1];
    }
    EXPECT_GT(redness[0], redness[1] + 30);
    EXPECT_GT(redness[1], redness[2] + 30);
}

TEST(Paint, TheGroundIsShownAndPaintedAsAsked) {
    Stage stage;
    const Camera camera = looking({0, 3, 8}, {0, 0, 0});
    Stand stand;
    stand.add(Sphere{0.3f}, {3, 0.3f, 0});
    stand.look->ground = {true, {.colour = red, .texture = "stripes"}};
    EXPECT_TRUE(is_red(picture_of(stage, stand.shown(), camera, {.floor = false}), {60, 100}));
    stand.look = std::make_shared<Appearance>(*stand.look); // it is told apart by its address
    stand.look->ground.shown = false;
    WorldModel model(stage.renderer);
    model.update(stand.shown());
    EXPECT_FALSE(model.ground());
    EXPECT_FALSE(is_red(stage.picture(camera), {60, 100}));
}

TEST(Lines, AreWhereTheirVerticesAre) {
    for (const GlChoice choice : {GlChoice::gl, GlChoice::gles}) {
        Stage stage(240, 136, choice);
        stage.settings.samples = 1;
        Stand stand;
        stand.look->lines.push_back({"string", 1, 2, {0, 1}, {1, 0, 0}});
        stand.frame.vertices = {{9, 9, 9}, {-2, 1, 0}, {2, 1, 0}};
        WorldModel model(stage.renderer, {.floor = false});
        const Camera camera = looking({0, 1, 6}, {0, 0.7f, 0});
        const auto red_around = [&](const Image& image, Vec3 at) {
            const auto [x, y] = place_of(camera, image, at);
            int found = 0;
            for (int k = -2; k <= 2; ++k) found += is_red(image, {x, y + k});
            return found;
        };
        for (const float height : {1.0f, 0.2f}) {
            stand.frame.vertices[1].y = stand.frame.vertices[2].y = height;
            model.update(stand.shown());
            stage.renderer.lines().clear(); // the caller's own are others
            const Image image = stage.picture(camera);
            for (const float x : {-1.5f, 0.0f, 1.5f}) {
                EXPECT_GE(red_around(image, {x, height, 0}), 1) << height;
                EXPECT_EQ(red_around(image, {x, 1.2f - height, 0}), 0) << height;
            }
        }
    }
}

TEST(Lights, OfTheAppearanceReplaceTheSun) {
    Stage stage;
    stage.settings.ambient_occlusion = false;
    const Camera camera = looking({0, 1, 6}, {0, 1, 0});
    const auto sides = [&](const AppearanceLight& light) {
        Stand stand;
        stand.add(Sphere{1}, {0, 1, 0}, {.colour = Vec3{0.8f, 0.8f, 0.8f}});
        stand.look->lights.push_back(light);
        const Image image = picture_of(stage, stand.shown(), camera);
        const auto at = [&](float x) {
            const auto [px, py] = place_of(camera, image, {x, 1, 0.6f});
            return brightness(image, px, py);
        };
        return at(0.7f) - at(-0.7f); // the right one less the left one
    };
    EXPECT_GT(sides({.direction = {1, 0.3f, 0}}), 40);
    EXPECT_LT(sides({.direction = {-1, 0.3f, 0}}), -40);
    EXPECT_GT(sides({.position = Vec3{3, 1, 1}}), 40);
    EXPECT_LT(sides({.position = Vec3{-3, 1, 1}}), -40);
    EXPECT_EQ(stage.renderer.lights().alive(), 0u); // gone with the model
}

TEST(Lights, SeveralSunsShineFromTheirDirectionsEverywhere) {
    const Camera camera = looking({0, 1, 6}, {0, 1, 0});
    const auto lit = [&](const std::vector<AppearanceLight>& lights, Vec3 origin, bool culling, bool passes) {
        Stage stage;
        stage.settings.ambient_occlusion = false, stage.settings.sun_shadows = false;
        stage.settings.light_culling = culling, stage.settings.one_light_a_pass = passes;
        Stand stand;
        stand.add(Sphere{1}, origin + Vec3{0, 1, 0}, {.colour = Vec3{0.5f, 0.5f, 0.5f}, .roughness = 1});
        stand.look->lights = lights;
        stand.look->sky.strength = 0;
        Camera moved = camera;
        moved.eye = moved.eye + origin, moved.target = moved.target + origin;
        return picture_of(stage, stand.shown(), moved);
    };
    const auto at = [&](const Image& image, float x) {
        const auto [px, py] = place_of(camera, image, {x, 1, 0.6f});
        return image.pixel(px, py);
    };
    const AppearanceLight red{.direction = {1, 0, 0.2f}, .colour = {1, 0, 0}},
        green{.direction = {-1, 0, 0.2f}, .colour = {0, 1, 0}};
    for (const bool culling : {true, false})
        for (const bool passes : {false, true}) {
            const Image both = lit({red, green}, {}, culling, passes);
            EXPECT_GT(int{at(both, 0.7f)[0]}, int{at(both, 0.7f)[1]} + 40);
            EXPECT_GT(int{at(both, -0.7f)[1]}, int{at(both, -0.7f)[0]} + 40);
            // whichever is the sky's sun, and wherever things are
            EXPECT_LE(difference(lit({green, red}, {}, culling, passes), both).largest, 2);
            EXPECT_LE(difference(lit({green, red}, {300, 0, 0}, culling, passes), both).mean, 0.2);
        }
}

TEST(Lights, GoWhereTheBodiesThatCarryThemAre) {
    Stage stage;
    stage.night();
    WorldModel model(stage.renderer);
    Stand stand;
    stand.add(Box{2, 0.1f, 2}, {0, 0, 0}, {.colour = Vec3{0.8f, 0.8f, 0.8f}});
    const std::uint32_t lamp = stand.add(Sphere{0.05f}, {-1, 1, 0});
    stand.look->lights.push_back({.position = Vec3{0, -0.2f, 0}, .range = 1.5f, .body = lamp});
    const Camera camera = looking({0, 4, 3});
    const auto lit = [&](float x) {
        model.update(stand.shown());
        const Image image = stage.picture(camera);
        const auto [px, py] = place_of(camera, image, {x, 0.1f, 0});
        return brightness(image, px, py);
    };
    EXPECT_GT(lit(-1), lit(1) + 40);
    stand.frame.set_pose(lamp, {{1, 1, 0}, rotation_about({0, 0, 1}, 1.5707963f)}); // on its side
    EXPECT_EQ(stage.renderer.lights()[0].position.x, -1);
    EXPECT_GT(lit(1.2f), lit(-1) + 40);
    EXPECT_NEAR(stage.renderer.lights()[0].position.x, 1.2f, 1e-5f);
    stand.frame.flags[lamp] = Frame::absent;
    EXPECT_LT(lit(1.2f), 10);
}

TEST(Lights, OfBodiesThatAreAbsentTakeNoShadowsFromOthers) {
    Stage stage;
    stage.night();
    WorldModel model(stage.renderer);
    Stand stand;
    stand.add(Box{2, 0.1f, 2}, {0, 0, 0}, {.colour = Vec3{0.8f, 0.8f, 0.8f}});
    stand.add(Box{0.1f, 0.4f, 0.1f}, {0.4f, 0.5f, 0});
    const std::uint32_t first = stand.add(Sphere{0.05f}, {0, 2, 1.5f});
    for (int i = 1; i < max_shadow_lights; ++i) stand.add(Sphere{0.05f}, {0, 2, 1.5f});
    stand.look->lights.push_back({.position = Vec3{-1, 1, 0}, .range = 5});
    const Camera camera = looking({0, 4, 3});
    model.update(stand.shown());
    const Image alone = stage.picture(camera);
    stand.look = std::make_shared<Appearance>(*stand.look);
    for (std::uint32_t b = first; b < first + max_shadow_lights; ++b) {
        stand.look->lights.push_back({.position = Vec3{}, .range = 5, .body = b});
        stand.frame.flags[b] = Frame::absent;
    }
    model.update(stand.shown());
    const Image with = stage.picture(camera);
    stand.look->lights.clear();
    const auto [x, y] = place_of(camera, with, {0.9f, 0.1f, 0}); // behind the post
    EXPECT_LT(brightness(alone, x, y), 30);
    EXPECT_LT(brightness(with, x, y), 30);
}

TEST(Lights, BeyondSixtyFourAreToldAndNotDrawn) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    Stand stand;
    stand.add(Sphere{1}, {});
    for (int i = 0; i < 66; ++i) stand.look->lights.push_back({.position = Vec3{0, 2, 0}});
    model.update(stand.shown());
    set_warning_handler({});
    EXPECT_EQ(stage.renderer.lights().alive(), ~LightMask{0});
    EXPECT_EQ(warnings, std::vector<std::string>{"2 lights of the scene are not drawn: at most 64 are"});
}

TEST(Cameras, OfTheAppearanceAreThereToBeUsed) {
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    Stand stand;
    EXPECT_FALSE(model.camera());
    stand.look->camera = AppearanceCamera{{1, 2, 3}, {4, 5, 6}, 90};
    model.update(stand.shown());
    ASSERT_TRUE(model.camera());
    EXPECT_EQ(model.camera()->eye, (Vec3{1, 2, 3}));
    EXPECT_EQ(model.camera()->target, (Vec3{4, 5, 6}));
    EXPECT_NEAR(model.camera()->fov_y, 1.5708f, 1e-4f);
}

TEST(Cameras, OthersAreFoundByTheirNames) {
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    Stand stand;
    stand.look->cameras = {{{9, 0, 0}, {}, 30, "side"}, {{0, 9, 1}, {}, 30, "top"}};
    model.update(stand.shown());
    EXPECT_FALSE(model.camera());
    EXPECT_EQ(model.camera("side")->eye, (Vec3{9, 0, 0}));
    EXPECT_EQ(model.camera("top")->eye, (Vec3{0, 9, 1}));
    EXPECT_NE(test::error_message([&] { model.camera("back"); }).find("one of side, top"), std::string::npos);
}

/// Least and most of the places of a thing's silhouette, in units of half the picture.
struct Extent {
    float low = 1e30f, high = -1e30f;
    void add(float value) { low = std::min(low, value), high = std::max(high, value); }
    float share() const { return (high - low) / 2; }
};

class Cameramen : public ::testing::TestWithParam<const char*> {};

TEST_P(Cameramen, FillThePictureWithWhatMovesAndCutNothingOff) {
    const Scene scene = find_scene(GetParam());
    Frame frame;
    start_scene(scene, Place())->show(frame);
    Stage stage(64, 36);
    WorldModel model(stage.renderer);
    model.update(frame);
    constexpr float aspect = 16 / 9.0f;
    Framing framing(aspect);
    model.frame(framing);
    Camera camera = framing.camera();
    fit_planes(camera, stage.renderer.measure_bounds());
    Extent across, up;
    const Mat4 matrix = camera.projection(aspect) * camera.view();
    for (std::uint32_t b = 0; b < frame.appearance->body_count; ++b) {
        const AppearanceBody& body = frame.appearance->bodies[b];
        if (body.type == BodyType::fixed) continue;
        const AppearanceShape& shape = frame.appearance->shapes[body.shape];
        const Pose pose = frame.pose(b);
        const auto add = [&](Vec3 local) {
            const Vec3 p = pose.position + rotate(pose.rotation, local);
            const Vec4 clip = matrix * Vec4{p.x, p.y, p.z, 1};
            EXPECT_GT(clip.w, 0);
            across.add(clip.x / clip.w);
            up.add(clip.y / clip.w);
        };
        for (const ShapeParticle& particle : shape.particles) add(particle.offset);
        for (const AppearancePart& part : shape.parts) {
            add(part.pose.position);
            if (!shape.particles.empty()) continue;
            if (const Hull* hull = std::get_if<Hull>(&part.geometry))
                for (const Vec3& v : hull->vertices()) add(apply(part.pose, v));
            if (const Box* box = std::get_if<Box>(&part.geometry))
                for (int i = 0; i < 8; ++i)
                    add(apply(part.pose, {i & 1 ? box->x : -box->x, i & 2 ? box->y : -box->y,
                                          i & 4 ? box->z : -box->z}));
        }
    }
    EXPECT_LT(std::max({-across.low, across.high, -up.low, up.high}), 0.9f);
    // particles and round shapes are points here: what is about them is missing
    EXPECT_GT(std::max(across.share(), up.share()), 0.6f);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Cameramen,
                         ::testing::Values("wrecking-ball", "boxes-pile", "stream-300", "mixed-shapes",
                                           "card-house", "pyramid-10", "chain", "arch"),
                         test::ParamName());

} // namespace
} // namespace scree::render::testing
