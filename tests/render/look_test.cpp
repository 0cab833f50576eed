// SPDX-License-Identifier: MIT
// look_test.cpp — what pictures show: shadows without acne or gaps, true transparency, lights, levels of detail.
#include "render/stage.h"

#include "render/shader_source.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <fstream>

namespace scree::render::testing {
namespace {

TEST(Shadows, ALitPlaneHasNoDarkTexels) {
    // the plane is covered by the shadow map of a box high above, out of the picture
    Stage stage;
    stage.ground();
    stage.thing(stage.material({0.8f, 0.3f, 0.3f}), stage.renderer.box_mesh(), {2, 0.5f, 2},
                {{-9, 12, 6}, {}, 1});
    stage.thing(stage.material({0.8f, 0.3f, 0.3f}), stage.renderer.box_mesh(), {0.5f, 0.5f, 0.5f},
                {{30, 0.5f, -8}, {}, 1});
    stage.settings.ambient_occlusion = false;
    for (const Vec3 eye : {Vec3{0, 3, 12}, Vec3{6, 1, 9}, Vec3{-2, 9, 9}}) {
        const Camera camera = looking(eye, {0, 0, 4});
        stage.settings.sun_shadows = false;
        const Image lit = stage.picture(camera);
        stage.settings.sun_shadows = true;
        const Image shadowed = stage.picture(camera);
        // dark is where the box's shadow is expected: around the point below it along the sun, and nowhere else
        const Vec3 sun = normalized(stage.settings.sky.sun_direction);
        const Vec3 foot = Vec3{-9, 12, 6} - sun * (12 / sun.y);
        int dark = 0;
        for (int y = lit.height / 2; y < lit.height; ++y)
            for (int x = 0; x < lit.width; ++x)
                if (brightness(shadowed, x, y) < brightness(lit, x, y) - 3) {
                    // back to the ground
                    const Mat4 back = inverse(
                        camera.projection(static_cast<float>(lit.width) / static_cast<float>(lit.height)) *
                        camera.view());
                    const Vec4 q =
                        back * Vec4{(static_cast<float>(x) + 0.5f) / static_cast<float>(lit.width) * 2 - 1,
                                    1 - (static_cast<float>(y) + 0.5f) / static_cast<float>(lit.height) * 2,
                                    1, 1};
                    const Vec3 ray = Vec3{q.x / q.w, q.y / q.w, q.z / q.w} - camera.eye;
                    const Vec3 hit = camera.eye + ray * (-camera.eye.y / ray.y);
                    if (length(hit - foot) > 4 && length(hit - Vec3{31, 0, -9}) > 4) ++dark;
                }
        EXPECT_EQ(dark, 0) << "seen from " << eye.x << " " << eye.y << " " << eye.z;
    }
}

/// Along the ground away from a box that stands on it, on the side without sun: no light before the shadow's end.
void expect_attached(Stage& stage, const Camera& camera, Vec3 base, Vec3 away, Vec3 lit, float until) {
    const Image image = stage.picture(camera);
    const auto [fx, fy] = place_of(camera, image, lit);
    const int open = brightness(image, fx, fy);
    for (float d = 0.03f; d < until; d += 0.02f) {
        const auto [x, y] = place_of(camera, image, base + away * d);
        EXPECT_LT(brightness(image, x, y), open - 25) << "light at " << d << " m from the box";
    }
}

TEST(Shadows, AShadowBeginsWhereItsCasterStands) {
    Stage stage(480, 270);
    stage.ground();
    stage.thing(stage.material({0.9f, 0.9f, 0.9f}), stage.renderer.box_mesh(), {0.5f, 0.5f, 0.5f},
                {{0, 0.5f, 0}, {}, 1});
    stage.settings.sky.sun_direction = {-1, 1, 0};
    stage.settings.ambient_occlusion = false;
    expect_attached(stage, looking({3.5f, 2, 2}, {0.7f, 0.2f, 0}), {0.5f, 0, 0}, {1, 0, 0}, {0.8f, 0, 0.9f},
                    0.8f);
}

TEST(Shadows, APointLightsShadowBeginsWhereItsCasterStands) {
    Stage stage(480, 270);
    stage.ground();
    stage.thing(stage.material({0.9f, 0.9f, 0.9f}), stage.renderer.box_mesh(), {0.5f, 0.5f, 0.5f},
                {{0, 0.5f, 0}, {}, 1});
    stage.night();
    Light light;
    light.position = {-2, 2.6f, 0};
    light.intensity = 20;
    light.radius = 12;
    light.shadows = true;
    stage.renderer.lights().add(light);
    const Camera camera = looking({3.5f, 2, 2}, {0.7f, 0.2f, 0});
    const Image shadowed = stage.picture(camera);
    for (float d = 0.04f; d < 0.8f; d += 0.02f) {
        const auto [x, y] = place_of(camera, shadowed, {0.5f + d, 0, 0});
        EXPECT_LT(brightness(shadowed, x, y), 12) << d;
    }
    // and no acne: before the box everything is lit
    for (float d = 0; d < 0.4f; d += 0.02f) {
        const auto [x, y] = place_of(camera, shadowed, {0.3f, 0, 1 + d});
        EXPECT_GT(brightness(shadowed, x, y), 40) << d;
    }
}

void add_pane(Stage& stage, Vec3 colour, const Transform& at, Vec3 size = {1, 1, 0.001f},
              float alpha = 0.5f) {
    const auto glass =
        stage.technique(std::make_unique<TransparencyTechnique>(alpha, false), stage.material(colour));
    stage.thing(glass, stage.renderer.box_mesh(), size, at);
}

TEST(Transparency, PanesInAnyOrderGiveTheSamePicture) {
    const std::pair<Vec3, float> panes[] = {{{0.9f, 0.2f, 0.2f}, 0.0f},
                                            {{0.2f, 0.8f, 0.2f}, 0.5f},
                                            {{0.2f, 0.3f, 0.9f}, 1.0f},
                                            {{0.9f, 0.8f, 0.1f}, -0.5f}};
    const Camera camera = looking({1.5f, 1, 4});
    const auto drawn = [&](std::initializer_list<int> order) {
        Stage stage;
        stage.thing(stage.material({0.8f, 0.8f, 0.8f}), stage.renderer.sphere_mesh(), {0.4f, 0.4f, 0.4f});
        for (const int i : order)
            add_pane(stage, panes[i].first, {{0.15f * static_cast<float>(i), 0, panes[i].second}, {}, 1});
        return stage.picture(camera);
    };
    const Image reference = drawn({3, 0, 1, 2}); // from back to front
    EXPECT_EQ(difference(drawn({2, 1, 0, 3}), reference).largest, 0);
    EXPECT_EQ(difference(drawn({0, 2, 3, 1}), reference).largest, 0);
    // and it is not one where everything is opaque
    EXPECT_GT(difference(drawn({2}), reference).largest, 20);
    // where all overlap each pane shows, the one behind three others too
    const auto [x, y] = place_of(camera, reference, {0.6f, 0.5f, 0});
    const std::initializer_list<int> without[] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    for (int i = 0; i < 4; ++i) {
        const Image image = drawn(without[i]);
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c)
            most = std::max(most, std::abs(int{image.pixel(x, y)[c]} - int{reference.pixel(x, y)[c]}));
        EXPECT_GT(most, 3) << "without pane " << i;
    }
}

/// How much redder than blue the picture is where a point of the world is.
int red_less_blue(const Image& image, const Camera& camera, Vec3 point) {
    const auto [x, y] = place_of(camera, image, point);
    return int{image.pixel(x, y)[0]} - image.pixel(x, y)[2];
}

const Vec3 red_glass{0.9f, 0.2f, 0.2f}, blue_glass{0.2f, 0.3f, 0.9f};

TEST(Transparency, TheNearerPaneShowsMore) {
    const Camera camera = looking({0, 0, 4});
    const auto drawn = [&](Vec3 first, float first_z, Vec3 second, float second_z) {
        Stage stage;
        add_pane(stage, first, {{0, 0, first_z}, {}, 1});
        add_pane(stage, second, {{0, 0, second_z}, {}, 1});
        return red_less_blue(stage.picture(camera), camera, {});
    };
    EXPECT_GT(drawn(red_glass, 0.5f, blue_glass, -0.5f), 20);
    EXPECT_GT(drawn(blue_glass, -0.5f, red_glass, 0.5f), 20);
    EXPECT_LT(drawn(red_glass, -0.5f, blue_glass, 0.5f), -10);
    EXPECT_LT(drawn(blue_glass, 0.5f, red_glass, -0.5f), -10);
}

TEST(Transparency, IntersectingPanesEqualTheirPiecesInOrder) {
    // two panes that cross: the same as four halves that only meet
    const Camera camera = looking({1.2f, 1.4f, 4});
    const Quat left = rotation_about({0, 1, 0}, 0.7f), right = rotation_about({0, 1, 0}, -0.7f);
    Stage whole, pieces;
    add_pane(whole, red_glass, {{}, left, 1});
    add_pane(whole, blue_glass, {{}, right, 1});
    for (const float side : {-0.5f, 0.5f}) {
        add_pane(pieces, blue_glass, {rotate(right, {side, 0, 0}), right, 1}, {0.5f, 1, 0.001f});
        add_pane(pieces, red_glass, {rotate(left, {side, 0, 0}), left, 1}, {0.5f, 1, 0.001f});
    }
    const Image a = whole.picture(camera);
    const Image b = pieces.picture(camera);
    // the seams of the pieces have end faces of a millimetre
    EXPECT_LT(difference(a, b, 4).share_above, 0.01);
    // on either side of the crossing another pane is in front
    EXPECT_GT(red_less_blue(a, camera, rotate(left, {-0.6f, 0, 0})), 3);
    EXPECT_LT(red_less_blue(a, camera, rotate(right, {0.6f, 0, 0})), -3);
}

TEST(Transparency, ALayerBlendsByItsAlpha) {
    // a dark pane of alpha 1/2 before a bright wall lets half of the light through
    Stage stage;
    stage.settings.ambient_occlusion = false;
    stage.settings.sun_shadows = false;
    stage.settings.samples = 1;
    stage.thing(stage.material({0.8f, 0.8f, 0.8f}), stage.renderer.box_mesh(), {2, 2, 0.1f},
                {{0, 0, -1}, {}, 1});
    const Camera camera = looking({0, 0, 4});
    const Image before = stage.picture(camera);
    add_pane(stage, {0, 0, 0}, {}, {1, 1, 0.001f}, 0.5f);
    stage.settings.exposure = 2; // twice the light, half of it absorbed
    const Image after = stage.picture(camera);
    const int x = before.width / 2, y = before.height / 2;
    // what the pane mirrors of the sky comes on top
    EXPECT_GE(brightness(after, x, y), brightness(before, x, y) - 2);
    EXPECT_LE(brightness(after, x, y), brightness(before, x, y) + 22);
}

void add_lights(Stage& stage, int count) {
    stage.ground();
    const auto shiny = stage.material({0.8f, 0.7f, 0.6f}, {}, 0.3f);
    stage.thing(shiny, stage.renderer.sphere_mesh(), {1, 1, 1}, {{0, 1, 0}, {}, 1});
    stage.thing(shiny, stage.renderer.box_mesh(), {0.6f, 0.6f, 0.6f}, {{2.5f, 0.6f, 0}, {}, 1});
    for (int i = 0; i < count; ++i) {
        Light light;
        const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(count);
        light.position = {4 * std::cos(angle), 1.5f, 4 * std::sin(angle)};
        light.colour = {0.5f + 0.5f * std::cos(angle), 0.6f, 0.5f + 0.5f * std::sin(angle)};
        light.intensity = 2;
        light.radius = 5;
        stage.renderer.lights().add(light);
    }
}

TEST(Lights, TwelveInOnePassEqualTwelveAdditivePasses) {
    Stage stage;
    add_lights(stage, 12);
    stage.settings.ambient_occlusion = false;
    const Camera camera = looking({5, 5, 7}, {0.5f, 0.5f, 0});
    const Image one = stage.picture(camera);
    stage.settings.one_light_a_pass = true;
    const Image many = stage.picture(camera);
    EXPECT_LE(difference(one, many).largest, 1);
    // the lights do something
    Stage dark;
    add_lights(dark, 0);
    dark.settings.ambient_occlusion = false;
    EXPECT_GT(difference(dark.picture(camera), one).mean, 3);
}

TEST(Lights, CullingChangesNothing) {
    Stage stage;
    add_lights(stage, 20);
    const Camera camera = looking({5, 3, 6}, {0.5f, 0.5f, 0});
    const Image culled = stage.picture(camera);
    stage.settings.light_culling = false;
    EXPECT_EQ(difference(stage.picture(camera), culled).largest, 0);
}

TEST(Lights, MovingOneChangesTheNextPicture) {
    Stage stage;
    add_lights(stage, 1);
    stage.night();
    const Camera camera = looking({5, 5, 7}, {0.5f, 0.5f, 0});
    const Image before = stage.picture(camera);
    EXPECT_EQ(difference(stage.picture(camera), before).largest, 0);
    Light light = stage.renderer.lights()[0];
    light.position.z += 2;
    stage.renderer.lights().set(0, light);
    EXPECT_GT(difference(stage.picture(camera), before).largest, 10);
}

/// Lamps in a row, each with a post beside it.
void add_lamps(Stage& stage, int count, float z = 0) {
    for (int i = 0; i < count; ++i) {
        const float x = 1.5f * static_cast<float>(i) - 0.75f * static_cast<float>(count - 1);
        stage.renderer.lights().add(
            {.position = {x, 0.9f, z}, .intensity = 4, .radius = 2.5f, .shadows = true});
        stage.thing(stage.material({0.7f, 0.7f, 0.7f}), stage.renderer.box_mesh(), {0.05f, 0.4f, 0.05f},
                    {{x + 0.3f, 0.4f, z}, {}, 1});
    }
}

TEST(Lights, EightInViewCastShadowsAndMoveWithTheirs) {
    Stage stage(200, 80);
    stage.night();
    stage.ground();
    add_lamps(stage, 8);
    const Camera camera = looking({0, 6, 9});
    const Image all = stage.picture(camera);
    LightList& lights = stage.renderer.lights();
    for (int i = 0; i < 8; ++i) {
        const Light lit = lights[i];
        Light other = lit;
        other.shadows = false;
        lights.set(i, other);
        EXPECT_GT(difference(stage.picture(camera), all).largest, 10) << i;
        other = lit;
        other.position.x += 0.8f; // to the other side of its post
        lights.set(i, other);
        const Image moved = stage.picture(camera);
        const auto [x, y] = place_of(camera, all, {lit.position.x + 0.1f, 0, 0});
        EXPECT_GT(brightness(all, x, y), brightness(moved, x, y) + 10) << i;
        lights.set(i, lit);
    }
    EXPECT_EQ(difference(stage.picture(camera), all).largest, 0);
}

TEST(Lights, ThoseOutOfThePictureTakeNoShadowsFromThoseInIt) {
    Stage stage(200, 80);
    stage.night();
    stage.ground();
    add_lamps(stage, 12, 40); // behind the eye
    const int near = stage.renderer.lights().size();
    add_lamps(stage, 1);
    const Camera camera = looking({0, 6, 9});
    const Image with = stage.picture(camera);
    Light lamp = stage.renderer.lights()[near];
    lamp.shadows = false;
    stage.renderer.lights().set(near, lamp);
    EXPECT_GT(difference(stage.picture(camera), with).largest, 10);
}

TEST(Lights, WithoutReachTheyLightNothing) {
    Stage stage;
    stage.night();
    stage.ground();
    const Camera camera = looking({0, 4, 6});
    const Image dark = stage.picture(camera);
    stage.renderer.lights().add({.position = {0, 1, 0}, .radius = 0});
    EXPECT_EQ(difference(stage.picture(camera), dark).largest, 0);
}

TEST(Fog, HidesWhatIsFarAndLeavesWhatIsNear) {
    Stage stage;
    stage.settings.ambient_occlusion = false;
    const auto white = stage.material({0.9f, 0.9f, 0.9f});
    stage.thing(white, stage.renderer.box_mesh(), {0.5f, 0.5f, 0.5f}, {{-1, 0, 0}, {}, 1});
    stage.thing(white, stage.renderer.box_mesh(), {20, 20, 20}, {{60, 0, -150}, {}, 1});
    const Camera camera = looking({0, 0, 5}, {0, 0, 0});
    const Image clear = stage.picture(camera);
    stage.settings.sky.fog = 0.02f;
    stage.settings.sky.fog_colour = Vec3{0.6f, 0.1f, 0.1f};
    const Image fog = stage.picture(camera);
    const auto at = [&](const Image& image, Vec3 place) {
        const auto [x, y] = place_of(camera, image, place);
        return image.pixel(x, y);
    };
    const auto near = at(fog, {-1, 0, 0.5f}), near_before = at(clear, {-1, 0, 0.5f});
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(near[c], near_before[c], 10);
    const auto far = at(fog, {55, 0, -130}), low = at(fog, {-40, -0.5f, -90});
    EXPECT_GT(int{far[0]}, 2 * far[1]);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(far[c], low[c], 6); // as what is behind everything
    // and the sky is blue above it
    const auto high = at(fog, {-30, 30, -90});
    EXPECT_GT(high[2], high[0]);
    EXPECT_GT(int{low[0]}, 2 * low[2]);
    // with lights of passes of their own it is the same
    stage.renderer.lights().add({.position = {-1, 1, 2}, .intensity = 6, .radius = 8});
    const Image one = stage.picture(camera);
    stage.settings.one_light_a_pass = true;
    EXPECT_LE(difference(stage.picture(camera), one).largest, 1);
}

TEST(Lights, ALightOnANodeShinesOnWhatIsBelowItOnly) {
    Stage stage;
    stage.night();
    Light light;
    light.position = {0, 0, 3};
    light.everywhere = false;
    const int number = stage.renderer.lights().add(light);
    const auto white = stage.material({0.9f, 0.9f, 0.9f});
    const auto lit = stage.technique(std::make_unique<LightTechnique>(number), white);
    stage.thing(lit, stage.renderer.sphere_mesh(), {0.5f, 0.5f, 0.5f}, {{-1, 0, 0}, {}, 1});
    stage.thing(white, stage.renderer.sphere_mesh(), {0.5f, 0.5f, 0.5f}, {{1, 0, 0}, {}, 1});
    const Camera camera = looking({0, 0, 6});
    const Image image = stage.picture(camera);
    const auto [ax, ay] = place_of(camera, image, {-1, 0, 0});
    const auto [bx, by] = place_of(camera, image, {1, 0, 0});
    EXPECT_GT(brightness(image, ax, ay), 60);
    EXPECT_LT(brightness(image, bx, by), 3);
}

TEST(LevelOfDetail, CoarseMeshesStayWithinTheirErrorOnTheScreen) {
    Stage stage(480, 270);
    const auto red = stage.material({0.9f, 0.3f, 0.2f});
    for (int i = 0; i < 8; ++i)
        stage.thing(
            red, i % 2 ? stage.renderer.sphere_mesh() : stage.renderer.cylinder_mesh(), {0.5f, 0.5f, 0.5f},
            {{static_cast<float>(i % 4) * 2 - 3, static_cast<float>(i / 4) * 2, -static_cast<float>(i) * 4},
             {},
             1});
    stage.settings.samples = 1;
    stage.settings.ambient_occlusion = false;
    stage.settings.sun_shadows = false;
    const Camera camera = looking({0, 2, 12}, {0, 1, -8});
    const Image coarse = stage.picture(camera);
    const auto with = stage.renderer.counters().all.triangles;
    stage.settings.lod = false;
    const Image fine = stage.picture(camera);
    EXPECT_LT(with * 3, stage.renderer.counters().all.triangles * 2);
    // a silhouette may be off by a part of a pixel: a pixel that differs much has a neighbour in the other picture that
    // does not
    int off = 0;
    for (int y = 1; y + 1 < fine.height; ++y)
        for (int x = 1; x + 1 < fine.width; ++x) {
            bool found = false;
            for (int dy = -1; dy <= 1 && !found; ++dy)
                for (int dx = -1; dx <= 1 && !found; ++dx)
                    found = std::abs(brightness(fine, x, y) - brightness(coarse, x + dx, y + dy)) < 12;
            off += !found;
        }
    EXPECT_EQ(off, 0);
}

TEST(Picture, AllThreeModesDrawTheSame) {
    Stage stage;
    add_lights(stage, 3);
    add_pane(stage, {0.2f, 0.8f, 0.6f}, {{0, 1, 2}, {}, 1});
    const Camera camera = looking({5, 4, 7}, {0.5f, 0.5f, 0});
    const Image pooled = stage.picture(camera);
    stage.settings.mode = DrawMode::precached;
    EXPECT_EQ(difference(stage.picture(camera), pooled).largest, 0);
    stage.settings.mode = DrawMode::tree;
    EXPECT_EQ(difference(stage.picture(camera), pooled).largest, 0);
}

TEST(Picture, TexturesAndNormalMapsShow) {
    Stage stage;
    stage.settings.ambient_occlusion = false;
    std::vector<std::uint8_t> halves(8 * 8 * 4, 255), bumps(8 * 8 * 4, 255);
    for (std::size_t i = 0; i < 64; ++i) {
        if (i % 8 < 4) halves[4 * i + 1] = halves[4 * i + 2] = 0;           // left half red
        bumps[4 * i] = 210, bumps[4 * i + 1] = 128, bumps[4 * i + 2] = 210; // leaning along u
    }
    const auto colours = stage.renderer.create_texture(8, 8, halves, true);
    const auto normals = stage.renderer.create_texture(8, 8, bumps, false);
    const Camera camera = looking({0, 0, 4});
    const auto white = stage.material({0.9f, 0.9f, 0.9f});
    stage.settings.sky.sun_direction = {-1, 0.2f, 1};
    const auto textured = stage.thing(stage.technique(std::make_unique<TextureTechnique>(colours), white),
                                      stage.renderer.box_mesh(), {1, 1, 1});
    const Image flat = stage.picture(camera);
    const auto [lx, ly] = place_of(camera, flat, {-0.5f, 0, 1});
    const auto [rx, ry] = place_of(camera, flat, {0.5f, 0, 1});
    EXPECT_GT(int{flat.pixel(lx, ly)[0]}, int{flat.pixel(lx, ly)[1]} + 60);
    EXPECT_LT(std::abs(int{flat.pixel(rx, ry)[0]} - int{flat.pixel(rx, ry)[1]}), 40);
    // normals that lean away from the sun darken the face
    stage.renderer.description().remove(textured);
    stage.thing(stage.technique(std::make_unique<TextureTechnique>(colours, normals), white),
                stage.renderer.box_mesh(), {1, 1, 1});
    EXPECT_LT(brightness(stage.picture(camera), rx, ry), brightness(flat, rx, ry) - 15);
}

TEST(Picture, TheOutlineSurroundsTheChosenBodyOnly) {
    World world;
    std::vector<BodyId> bodies;
    for (const float x : {-1.0f, 1.0f}) {
        bodies.push_back(world.create_body({.position = {x, 0.5f, 0}}));
        world.attach(bodies.back(), Box{});
    }
    Stage stage;
    WorldModel model(stage.renderer);
    const Frame frame = frame_of(world);
    model.update(frame);
    const Camera camera = looking({0, 1, 6});
    const Image before = stage.picture(camera);
    stage.renderer.outline(model.records_of(1));
    const Image after = stage.picture(camera);
    int left = 0, right = 0;
    for (int y = 0; y < after.height; ++y)
        for (int x = 0; x < after.width; ++x) {
            const auto p = after.pixel(x, y), q = before.pixel(x, y);
            if (std::abs(int{p[0]} - q[0]) + std::abs(int{p[2]} - q[2]) > 40)
                ++(x < after.width / 2 ? left : right);
        }
    EXPECT_EQ(left, 0);
    EXPECT_GT(right, 50);
}

TEST(Picture, AmbientOcclusionDarkensCornersAndNotOpenGround) {
    Stage stage;
    stage.ground();
    stage.thing(stage.material({0.7f, 0.7f, 0.7f}), stage.renderer.box_mesh(), {1, 1, 1}, {{0, 1, 0}, {}, 1});
    stage.settings.occlusion_radius = 0.6f;
    const Camera camera = looking({3, 4, 6}, {0, 0.5f, 0.5f});
    const Image with = stage.picture(camera);
    stage.settings.ambient_occlusion = false;
    const Image without = stage.picture(camera);
    const auto [cx, cy] = place_of(camera, with, {0, 0, 1.06f});
    const auto [ox, oy] = place_of(camera, with, {-0.5f, 0, 3});
    EXPECT_LT(brightness(with, cx, cy), brightness(without, cx, cy) - 4);
    EXPECT_NEAR(brightness(with, ox, oy), brightness(without, ox, oy), 2);
}

TEST(Picture, WireframeShowsEdgesInTheComplement) {
    Stage stage;
    stage.settings.background = false;
    stage.thing(stage.material({1, 0.1f, 0.1f}), stage.renderer.box_mesh(), {1, 1, 1});
    stage.settings.wireframe = Wireframe::only;
    const Image wire = stage.picture(looking({0, 0, 5}));
    int cyan = 0, red = 0;
    for (int y = 0; y < wire.height; ++y)
        for (int x = 0; x < wire.width; ++x) {
            const auto p = wire.pixel(x, y);
            cyan += p[1] > p[0] + 20 && p[2] > p[0] + 20;
            red += p[0] > p[1] + 20;
        }
    EXPECT_GT(cyan, 60);
    EXPECT_EQ(red, 0);
}

TEST(Shaders, AnErrorNamesFileAndLine) {
    Stage stage;
    ProgramSource source = shader_source("body.glsl", {}, false);
    const std::string line = "out vec4 out_colour;";
    source.fragment.replace(source.fragment.find(line), line.size(), "out vec4 out_colour = nonsense;");
    const std::string error = test::error_message([&] { stage.backend->create_program(source); });
    EXPECT_TRUE(test::contains(error, "body.glsl:")) << error;
    EXPECT_TRUE(test::contains(error, "nonsense")) << error;
    EXPECT_EQ(readable_log("1:7(3): error: no\n", std::vector<std::string>{"a.glsl", "b.glsl"}),
              "b.glsl:7: error: no");
    EXPECT_EQ(readable_log("0(12) : error C1: no\n", std::vector<std::string>{"a.glsl"}),
              "a.glsl:12: error C1: no");
    EXPECT_THROW(shader_source("missing.glsl", {}, false), Error);
}

TEST(Picture, EdgesOfBodiesAreDrawnAndNothingElseIs) {
    Stage stage;
    stage.ground();
    stage.settings.sun_shadows = false;
    stage.thing(stage.material({0.8f, 0.6f, 0.4f}), stage.renderer.box_mesh(), {1, 1, 1},
                {{0, 1.5f, 0}, rotation_about({0, 1, 0}, 0.785f), 1});
    const Camera camera = looking({0.6f, 3, 7}, {0, 1, 0});
    // how much darker the nearest upright edge is than both faces beside it
    const auto depth_of_line = [&](const Image& image) {
        const auto [x, y] = place_of(camera, image, {0, 1.5f, 1.414f});
        int line = 255;
        for (int k = -2; k <= 2; ++k) line = std::min(line, brightness(image, x + k, y));
        return std::min(brightness(image, x - 7, y), brightness(image, x + 7, y)) - line;
    };
    const Image drawn = stage.picture(camera);
    EXPECT_GT(depth_of_line(drawn), 10);
    // a flat ground has none, neither within nor where the picture ends
    for (int x = 8; x < drawn.width - 8; x += 4) {
        EXPECT_NEAR(brightness(drawn, x, drawn.height - 1), brightness(drawn, x, drawn.height - 3), 6) << x;
        EXPECT_NEAR(brightness(drawn, x, drawn.height - 6), brightness(drawn, x, drawn.height - 8), 6) << x;
    }
    stage.settings.ambient_occlusion = false; // they are of the same pass
    EXPECT_LT(depth_of_line(stage.picture(camera)), 4);
}

TEST(Picture, TheHorizonHasNoSeam) {
    Stage stage;
    const Image image = stage.picture(looking({0, 3, 10}, {0, 3, -10}));
    for (int y = image.height / 2 - 12; y < image.height / 2 + 12; ++y)
        EXPECT_NEAR(brightness(image, 20, y), brightness(image, 20, y + 1), 3) << "in row " << y;
}

} // namespace
} // namespace scree::render::testing
