// SPDX-License-Identifier: MIT
// sheets_test.cpp — sheets that wave and skins that follow bones, as pictures.
#include "render/stand.h"

#include "render/recording_backend.h"
#include "scree/warning.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace scree::render::testing {
namespace {

/// A square of cells in the plane y = height, waving.
struct Sheet {
    explicit Sheet(std::uint32_t n = 12) : side(n + 1) {
        AppearanceMesh mesh;
        mesh.name = "sheet";
        mesh.vertex_count = side * side;
        mesh.paint.colour = red;
        for (std::uint32_t y = 0; y < n; ++y)
            for (std::uint32_t x = 0; x < n; ++x) {
                const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
                mesh.triangles.insert(mesh.triangles.end(), {a, c, b, b, c, d});
            }
        stand.look->meshes.push_back(mesh);
        stand.frame.vertices.resize(side * side);
        place(1, 0);
    }
    void place(float height, float wave) {
        for (std::uint32_t i = 0; i < side * side; ++i) {
            const auto part = [&](std::uint32_t k) {
                return 2 * static_cast<float>(k) / static_cast<float>(side - 1) - 1;
            };
            const float x = part(i % side), z = part(i / side);
            stand.frame.vertices[i] = {x, height + wave * std::sin(4 * x), z};
        }
    }
    std::uint32_t side;
    Stand stand;
};

TEST(Sheets, WaveInTheLightFromBothSidesWithAShadow) {
    for (const GlChoice choice : {GlChoice::gl, GlChoice::gles}) {
        SCOPED_TRACE(choice == GlChoice::gles ? "gles" : "gl");
        Stage stage(240, 136, choice);
        stage.settings.ambient_occlusion = false;
        Sheet sheet;
        sheet.stand.look->ground.shown = true;
        WorldModel model(stage.renderer);
        const auto drawn = [&](const Camera& camera) {
            model.update(sheet.stand.shown());
            return stage.picture(camera);
        };
        const Camera above = looking({0.6f, 4, 3}, {0, 1, 0});
        const Image flat = drawn(above);
        EXPECT_TRUE(is_red(flat, place_of(above, flat, {0, 1, 0})));
        EXPECT_LT(contrast(flat), 4); // one plane, one brightness
        EXPECT_NEAR(model.ground().value(), 0.998f, 1e-4f);
        // raised over the ground that was found: both sides, and a shadow where the sun does not reach
        sheet.place(2.5f, 0.25f);
        const Image raised = drawn(above);
        EXPECT_FALSE(is_red(raised, place_of(above, raised, {0.9f, 1, 0.9f})));
        EXPECT_TRUE(is_red(raised, place_of(above, raised, {0, 2.5f, 0})));
        const Image waved = drawn(looking({1, 6, 4}, {0, 2.5f, 0}));
        EXPECT_GT(contrast(waved), 6); // its slopes
        const Camera under = looking({0.5f, 1.1f, 5}, {0, 2.5f, 0});
        const Image from_below = drawn(under);
        EXPECT_TRUE(is_red(from_below, place_of(under, from_below, {0, 2.5f, 0})));
        const Vec3 sun = stage.settings.sky.sun_direction;
        const Vec3 shade = Vec3{0, 2.5f, 0} - sun * (1.5f / sun.y);
        const Camera down = looking({shade.x + 4, 4, shade.z + 2}, shade);
        const Image with = drawn(down);
        stage.settings.sun_shadows = false;
        const Image without = drawn(down);
        stage.settings.sun_shadows = true;
        const auto [x, y] = place_of(down, with, {shade.x, 1, shade.z});
        EXPECT_LT(brightness(with, x, y), brightness(without, x, y) - 25);
    }
}

TEST(Sheets, ASheetThatTurnsItsBackToTheSunCastsTheSameShadow) {
    Stage stage;
    Sheet sheet;
    sheet.stand.look->ground.shown = true;
    sheet.stand.look->meshes[0].triangles.clear();
    Sheet other;
    for (std::size_t t = 0; t < other.stand.look->meshes[0].triangles.size(); t += 3) {
        const auto* n = other.stand.look->meshes[0].triangles.data() + t;
        auto& turned = sheet.stand.look->meshes[0].triangles;
        turned.insert(turned.end(), {n[0], n[2], n[1]});
    }
    other.stand.look->ground.shown = true;
    const Camera camera = looking({4, 4, 6}, {0, 1, 0});
    const Image one = picture_of(stage, sheet.stand.shown(), camera),
                two = picture_of(stage, other.stand.shown(), camera);
    EXPECT_LE(difference(one, two, 16).share_above, 0.002);
}

TEST(Sheets, APatternStaysOnTheClothAndMeshesAreUsedAgain) {
    Stage stage;
    WorldModel model(stage.renderer);
    Sheet sheet;
    sheet.stand.look->meshes[0].paint.texture = "checker";
    model.update(sheet.stand.shown());
    const std::size_t vertices = stage.renderer.meshes().vertex_count();
    const Image before = stage.picture(looking({0, 4, 3}, {0, 1, 0}));
    EXPECT_GT(contrast(before), 6); // flat and plain it is less than 4
    // moved as a whole, pattern and all
    sheet.place(6, 0);
    model.update(sheet.stand.shown());
    EXPECT_LE(difference(before, stage.picture(looking({0, 9, 3}, {0, 6, 0})), 40).share_above, 0.3);
    sheet.stand.look = std::make_shared<Appearance>(*sheet.stand.look);
    model.update(sheet.stand.shown());
    EXPECT_EQ(stage.renderer.meshes().vertex_count(), vertices);
    EXPECT_NEAR(model.bounds().centre().y, 6, 1e-3f);
}

TEST(Sheets, PatternsAreOfTheirSizeInMetresHoweverLargeTheSheet) {
    for (const float scale : {1.0f, 3.0f}) {
        Stage stage;
        WorldModel model(stage.renderer, {.floor = false});
        Sheet sheet(48);
        Paint& paint = sheet.stand.look->meshes[0].paint;
        paint.texture = "checker", paint.texture_size = 0.5f * scale;
        for (Vec3& at : sheet.stand.frame.vertices) at = at * scale;
        model.update(sheet.stand.shown());
        Camera camera = looking(Vec3{0, 4, 3} * scale, Vec3{0, 1, 0} * scale);
        const Image image = stage.picture(camera);
        const auto shade = [&](float x, float z) {
            const auto [px, py] = place_of(camera, image, Vec3{x, 1, z} * scale);
            return brightness(image, px, py);
        };
        for (const float x : {-0.75f, -0.25f, 0.25f})
            for (const float z : {-0.75f, -0.25f, 0.25f})
                EXPECT_GT(std::abs(shade(x, z) - shade(x + 0.5f, z)), 15) << x << " " << z;
    }
}

/// 2 x 2 pixels: red and green above, blue and white below.
std::shared_ptr<const std::string> four_colours() {
    const Image image{2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}};
    const std::vector<std::uint8_t> bytes = png_bytes(image);
    return std::make_shared<const std::string>(bytes.begin(), bytes.end());
}

/// A picture over a sheet that is seen from above, and the sheet's far left corner shows its upper left.
void lay_on(Sheet& sheet, const std::shared_ptr<const std::string>& picture) {
    AppearanceMesh& mesh = sheet.stand.look->meshes[0];
    mesh.texture = {"four.png", picture, {}};
    const float last = static_cast<float>(sheet.side - 1);
    for (const std::uint32_t v : mesh.triangles)
        mesh.texture_places.push_back(
            {static_cast<float>(v % sheet.side) / last, static_cast<float>(v / sheet.side) / last});
}

TEST(Sheets, ShowPicturesWhereTheirCornersSayAndMoveWithThem) {
    for (const GlChoice choice : {GlChoice::gl, GlChoice::gles}) {
        SCOPED_TRACE(choice == GlChoice::gles ? "gles" : "gl");
        Stage stage(240, 136, choice);
        stage.settings.ambient_occlusion = false;
        WorldModel model(stage.renderer);
        Sheet sheet(4);
        sheet.stand.look->meshes[0].paint.colour.reset();
        lay_on(sheet, four_colours());
        for (const float height : {1.0f, 5.0f}) {
            sheet.place(height, 0);
            model.update(sheet.stand.shown());
            const Camera camera = looking({0, height + 4, 0.01f}, {0, height, 0});
            const Image image = stage.picture(camera);
            const auto at = [&](float x, float z) {
                const auto [px, py] = place_of(camera, image, {x, height, z});
                const auto p = image.pixel(px, py);
                return std::array<int, 3>{p[0], p[1], p[2]};
            };
            const auto r = at(-0.5f, -0.5f), g = at(0.5f, -0.5f), b = at(-0.5f, 0.5f), w = at(0.5f, 0.5f);
            EXPECT_GT(r[0], r[1] + 80);
            EXPECT_GT(r[0], r[2] + 80);
            EXPECT_GT(g[1], g[0] + 80);
            EXPECT_GT(b[2], b[0] + 80);
            EXPECT_LT(std::abs(w[0] - w[1]), 40);
            EXPECT_GT(w[0], 120);
        }
    }
}

TEST(Sheets, SeamsOfPicturesDoNotShowAsEdges) {
    // the triangles take the same colour from places of the picture that are far apart
    Stage stage;
    Sheet plain, parted;
    for (Sheet* sheet : {&plain, &parted}) {
        lay_on(*sheet, four_colours());
        sheet->place(1, 0.3f);
        auto& places = sheet->stand.look->meshes[0].texture_places;
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = {0.75f + (sheet == &parted ? static_cast<float>(i / 3) : 0.0f), 0.75f};
    }
    const Camera camera = looking({0, 3, 2}, {0, 1, 0});
    const Image one = picture_of(stage, plain.stand.shown(), camera),
                two = picture_of(stage, parted.stand.shown(), camera);
    EXPECT_LE(difference(one, two).largest, 2);
    EXPECT_GT(stage.renderer.meshes().vertex_count(), 13u * 13u + 3u * 2u * 12u * 12u - 1);
}

TEST(Sheets, PicturesThatCannotBeReadAreToldAndTheirSurfacePainted) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    Stage stage;
    Sheet sheet;
    const Camera camera = looking({0, 4, 3}, {0, 1, 0});
    const Image painted = picture_of(stage, sheet.stand.shown(), camera);
    lay_on(sheet, std::make_shared<const std::string>("no picture"));
    sheet.stand.look = std::make_shared<Appearance>(*sheet.stand.look);
    EXPECT_EQ(difference(painted, picture_of(stage, sheet.stand.shown(), camera)).largest, 0);
    set_warning_handler({});
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("four.png"), std::string::npos) << warnings[0];
    sheet.stand.look = std::make_shared<Appearance>(*sheet.stand.look);
    sheet.stand.look->meshes[0].texture_places.pop_back();
    WorldModel model(stage.renderer);
    EXPECT_NE(test::error_message([&] {
                  model.update(sheet.stand.shown());
              }).find("sheet: there are 863 texture coordinates: expected one for each of 864"),
              std::string::npos);
}

TEST(Sheets, PositionsAndNormalsAreUploadedOnceAPicture) {
    RecordingBackend backend(false);
    Renderer renderer(backend);
    WorldModel model(renderer);
    Sheet sheet(60);
    const auto uploaded = [&](float height) {
        if (height > 0) {
            sheet.place(height, 0.1f);
            model.update(sheet.stand.shown());
        }
        const std::uint64_t before = backend.counters().uploaded;
        renderer.draw(looking({0, 4, 3}, {0, 1, 0}), {}, {}, 64, 64);
        return backend.counters().uploaded - before;
    };
    uploaded(1);
    const std::uint64_t moved = uploaded(2), still = uploaded(0), vertices = sizeof(MeshVertex) * 61 * 61;
    EXPECT_GE(moved - still, vertices); // shadows and surfaces draw the same
    EXPECT_LT(moved - still, vertices * 3 / 2);
    EXPECT_LT(still, vertices / 2);
}

/// A sheet that follows two bones, the second more and more along x.
struct Arm : Sheet {
    explicit Arm(std::uint32_t n = 12) : Sheet(n) {
        auto skin = std::make_shared<AppearanceSkin>();
        skin->vertices = stand.frame.vertices;
        skin->normals.assign(skin->vertices.size(), {0, 1, 0});
        for (const Vec3& v : skin->vertices) {
            const float far = 0.5f + 0.5f * v.x;
            skin->bones.push_back({0, 1, 0, 0});
            skin->weights.push_back({1 - far, far, 0, 0});
        }
        AppearanceMesh& mesh = stand.look->meshes[0];
        mesh.skin = skin;
        mesh.vertex_count = 8;
        swing(0);
    }
    void swing(float angle) {
        const float c = std::cos(angle), s = std::sin(angle);
        stand.frame.vertices = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {0, 0, 0},
                                {c, s, 0}, {-s, c, 0}, {0, 0, 1}, {0, 0.5f * s, 0.3f * s}};
    }
};

TEST(Skins, FollowTheirBonesOnTheGpuAsOnTheHostWithTheirShadows) {
    for (const GlChoice choice : {GlChoice::gl, GlChoice::gles}) {
        SCOPED_TRACE(choice == GlChoice::gles ? "gles" : "gl");
        Stage stage(160, 90, choice);
        stage.settings.ambient_occlusion = false;
        Arm arm;
        lay_on(arm, four_colours());
        arm.stand.look->ground.shown = true;
        // others that the host bends lie before and behind it among the vertices
        const auto beside = [&](float x) {
            AppearanceMesh mesh;
            mesh.first_vertex = 8 + (x > 0 ? 3 : 0);
            mesh.vertex_count = 3;
            mesh.triangles = {0, 1, 2};
            return mesh;
        };
        arm.stand.look->meshes.insert(arm.stand.look->meshes.begin(), beside(-2));
        arm.stand.look->meshes.push_back(beside(2));
        std::vector<Image> images;
        for (const bool on_host : {false, true}) {
            WorldModel model(stage.renderer, {.skin_on_host = on_host});
            for (const float angle : {0.2f, 0.9f}) {
                arm.swing(angle);
                for (const float x : {-2.0f, 2.0f})
                    for (const Vec3 corner : {Vec3{0, 0, 0}, {0, 0, 1}, {1, angle, 0}})
                        arm.stand.frame.vertices.push_back(corner + Vec3{x, 0, 0});
                model.update(arm.stand.shown());
                images.push_back(stage.picture(looking({0, 4, 4}, {0, 1, 0})));
            }
        }
        for (const std::size_t k : {0u, 1u}) {
            // rounding moves an edge over the middle of a pixel here and there
            EXPECT_LE(difference(images[k], images[k + 2], 1).share_above, 5e-4);
            EXPECT_LT(difference(images[k], images[k + 2]).mean, 0.01);
        }
        EXPECT_GT(difference(images[0], images[1], 16).share_above, 0.05);
    }
}

TEST(Skins, StayAsTheyAreWhileWhatLiesAroundThemInTheBufferBends) {
    Stage stage(160, 90);
    Sheet first(2), last(2);
    Arm arm;
    WorldModel before(stage.renderer), skinned(stage.renderer), behind(stage.renderer);
    arm.swing(0.9f);
    first.place(-3, 0);
    last.place(-4, 0);
    const Camera camera = looking({0, 4, 4}, {0, 1, 0});
    before.update(first.stand.shown());
    skinned.update(arm.stand.shown());
    behind.update(last.stand.shown());
    const Image image = stage.picture(camera);
    before.update(first.stand.shown());
    behind.update(last.stand.shown());
    EXPECT_EQ(difference(image, stage.picture(camera)).largest, 0);
}

TEST(Skins, OnlyTheirBonesAreUploadedForAPicture) {
    const auto uploaded = [](bool on_host) {
        RecordingBackend backend(false);
        Renderer renderer(backend);
        WorldModel model(renderer, {.skin_on_host = on_host});
        Arm arm(60);
        std::uint64_t bytes = 0;
        for (const float angle : {0.0f, 0.1f, 0.2f}) {
            arm.swing(angle);
            model.update(arm.stand.shown());
            const std::uint64_t before = backend.counters().uploaded;
            renderer.draw(looking({0, 4, 3}, {0, 1, 0}), {}, {}, 64, 64);
            bytes = backend.counters().uploaded - before;
        }
        return bytes;
    };
    const std::uint64_t vertices = sizeof(MeshVertex) * 61 * 61, gpu = uploaded(false), host = uploaded(true);
    EXPECT_GE(host, vertices);
    EXPECT_LT(gpu, host - vertices + 4096); // a row of bones in place of the vertices
}

TEST(Skins, BoundsHoldWhatFollowsAndBrokenOnesAreRefused) {
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    Arm arm;
    arm.swing(1);
    model.update(arm.stand.shown());
    std::vector<Vec3> vertices, normals;
    find_vertices(arm.stand.look->meshes[0], arm.stand.frame, vertices, normals);
    ASSERT_EQ(vertices.size(), 169u);
    const Bounds bounds = model.bounds();
    for (const Vec3& v : vertices)
        for (const auto& [low, at, high] : {std::tuple(bounds.low.x, v.x, bounds.high.x),
                                            {bounds.low.y, v.y, bounds.high.y},
                                            {bounds.low.z, v.z, bounds.high.z}})
            EXPECT_TRUE(low <= at + 1e-5f && at <= high + 1e-5f);
    arm.stand.look = std::make_shared<Appearance>(*arm.stand.look);
    auto bad = std::make_shared<AppearanceSkin>(*arm.stand.look->meshes[0].skin);
    bad->bones[7] = {0, 0, 0, 2};
    arm.stand.look->meshes[0].skin = bad;
    EXPECT_EQ(test::error_message([&] { model.update(arm.stand.shown()); }),
              "sheet: vertex 7 follows bone 2; there are 2");
}

TEST(Sheets, NumbersOfVerticesThatAreNotThereAreRefused) {
    Stage stage(16, 16);
    WorldModel model(stage.renderer);
    Sheet sheet;
    sheet.stand.frame.vertices.pop_back();
    EXPECT_THROW(model.update(sheet.stand.shown()), Error);
    Sheet other;
    other.stand.look->meshes[0].triangles.back() = other.side * other.side;
    EXPECT_THROW(model.update(other.stand.shown()), Error);
}

} // namespace
} // namespace scree::render::testing
