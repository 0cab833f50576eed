// SPDX-License-Identifier: MIT
// level_texture_test.cpp — pictures from files on the faces of a level.
#include "level/map_texts.h"
#include "render/level_textures.h"
#include "render/recording_backend.h"
#include "render/renderer.h"
#include "render/stage.h"
#include "scree/level_cells.h"
#include "scree/level_file.h"
#include "scree/warning.h"
#include "support/refused.h"

#include <gtest/gtest.h>

namespace scree::render {
namespace {

using namespace testing;
using namespace scree::testing;

/// A JPEG of 16 x 16 pixels, the left half red and the right half green; every byte as two digits.
constexpr std::string_view red_and_green =
    "ffd8ffdb0043000806060706070808080808080909090a0a0a090909090a0a0a0a0a0a0c0c0c0a0a0a0a0a0a0a0c0c0c"
    "0c0d0e0d0d0d0c0d0e0e0f0f0f1212111115151519191fffc4004f000101000000000000000000000000000000060101"
    "000301000000000000000000000000000406080710010000000000000000000000000000000011010000000000000000"
    "0000000000000000ffc00011080010001003011200021200031200ffda000c03010002110311003f009615f1d7c5708c"
    "32b0ffd9";

std::string bytes_of_hex(std::string_view hex) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1]));
    return bytes;
}

/// Columns of these colours, each `width / columns` wide.
std::string png_of(int width, int height, const std::vector<std::array<std::uint8_t, 3>>& columns) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto& c =
                columns[static_cast<std::size_t>(x) * columns.size() / static_cast<std::size_t>(width)];
            image.rgba.insert(image.rgba.end(), {c[0], c[1], c[2], 255});
        }
    const std::vector<std::uint8_t> bytes = png_bytes(image);
    return {bytes.begin(), bytes.end()};
}

Image decoded(const std::string& file, const std::string& name = "wall.jpg") {
    return decode_image(std::as_bytes(std::span(file)), name);
}

TEST(ImageFiles, PngAndJpegAreRead) {
    const Image jpeg = decoded(bytes_of_hex(red_and_green));
    ASSERT_EQ(jpeg.width, 16);
    ASSERT_EQ(jpeg.height, 16);
    EXPECT_NEAR(jpeg.pixel(2, 5)[0], 220, 8);
    EXPECT_NEAR(jpeg.pixel(2, 5)[1], 30, 8);
    EXPECT_NEAR(jpeg.pixel(13, 5)[0], 30, 8);
    EXPECT_NEAR(jpeg.pixel(13, 5)[1], 200, 8);
    EXPECT_EQ(jpeg.pixel(13, 5)[3], 255);
    const Image png = decoded(png_of(6, 3, {{10, 20, 30}, {40, 50, 60}}));
    ASSERT_EQ(png.width, 6);
    ASSERT_EQ(png.height, 3);
    EXPECT_EQ(png.pixel(2, 0)[2], 30);
    EXPECT_EQ(png.pixel(3, 2)[0], 40);
}

std::string tga_of(int kind, int width, int height, int bits, int origin, const std::string& pixels) {
    std::string file(18, '\0');
    file[2] = static_cast<char>(kind);
    file[12] = static_cast<char>(width), file[14] = static_cast<char>(height);
    file[16] = static_cast<char>(bits), file[17] = static_cast<char>(origin);
    return file + pixels;
}

TEST(ImageFiles, TgaIsReadPlainAndInRuns) {
    const std::string a = "\x01\x02\x03", b = "\x11\x12\x13"; // blue, green, red
    const auto red_of = [](const Image& image) {
        std::string all;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) all += image.pixel(x, y)[0] == 3 ? 'a' : 'b';
        return all;
    };
    const std::string rows = a + b + b + a + a + a; // from the bottom
    const Image plain = decoded(tga_of(2, 3, 2, 24, 0, rows));
    ASSERT_EQ(plain.width, 3);
    ASSERT_EQ(plain.height, 2);
    EXPECT_EQ(red_of(plain), "aaaabb");
    EXPECT_EQ(plain.pixel(0, 0)[1], 2);
    EXPECT_EQ(plain.pixel(0, 0)[2], 1);
    EXPECT_EQ(plain.pixel(0, 0)[3], 255);
    EXPECT_EQ(red_of(decoded(tga_of(2, 3, 2, 24, 32, rows))), "abbaaa"); // from the top
    EXPECT_EQ(red_of(decoded(tga_of(2, 3, 2, 24, 16, rows))), "aaabba"); // from the right
    // a different one, two equal, then three equal with one too many
    const std::string runs = std::string("\0", 1) + a + "\x81" + b + "\x83" + a;
    EXPECT_EQ(red_of(decoded(tga_of(10, 3, 2, 24, 0, runs))), "aaaabb");
    EXPECT_EQ(decoded(tga_of(2, 1, 1, 32, 0, a + "\x40")).pixel(0, 0)[3], 0x40);
    EXPECT_EQ(decoded(tga_of(3, 1, 1, 8, 0, "\x50")).pixel(0, 0)[2], 0x50);
    for (std::size_t length = 18; length < 18 + runs.size(); ++length)
        EXPECT_EQ(test::error_message([&] { decoded(tga_of(10, 3, 2, 24, 0, runs).substr(0, length)); }),
                  "wall.jpg: is cut off")
            << length;
    EXPECT_EQ(test::error_message([&] { decoded(tga_of(2, 3, 2, 24, 0, rows.substr(1))); }),
              "wall.jpg: is cut off");
    EXPECT_NE(test::error_message([&] { decoded(tga_of(2, 0, 2, 24, 0, rows)); }).find("0x2"),
              std::string::npos);
}

TEST(ImageFiles, WhatIsNoPictureOrCutOffIsRefusedWithItsName) {
    const auto said = [](const std::string& file) { return test::error_message([&] { decoded(file); }); };
    EXPECT_EQ(said("BM6"), "wall.jpg: is not a picture that can be read: expected a PNG, JPEG or TGA file");
    EXPECT_EQ(said(""), "wall.jpg: is not a picture that can be read: expected a PNG, JPEG or TGA file");
    EXPECT_EQ(said(png_of(8193, 1, {{1, 2, 3}})),
              "wall.jpg: is a picture of 8193x1; expected sides of 1 to 8192 pixels");
    const std::string jpeg = bytes_of_hex(red_and_green), png = png_of(64, 64, {{1, 2, 3}, {9, 8, 7}});
    for (std::size_t length = 0; length < jpeg.size(); ++length)
        EXPECT_NE(said(jpeg.substr(0, length)).find("wall.jpg"), std::string::npos) << length;
    for (std::size_t length = 0; length + 16 < png.size(); ++length) // its end has no picture
        EXPECT_NE(said(png.substr(0, length)).find("wall.jpg"), std::string::npos) << length;
    for (const std::string& good : {jpeg, png})
        for (std::size_t i = 0; i < 8 * good.size(); ++i) { // a broken one is an error or a picture
            std::string bad = good;
            bad[i / 8] = static_cast<char>(bad[i / 8] ^ (1 << i % 8));
            try {
                const Image image = decoded(bad);
                EXPECT_EQ(image.rgba.size(), 4u * static_cast<std::size_t>(image.width * image.height));
            } catch (const Error&) {}
        }
}

/// A room of 256 x 256 x 128 units whose floor is of the material "floor".
struct TexturedRoom {
    explicit TexturedRoom(const AppearanceTexture& floor, const std::string& patch = "") {
        const std::string shell = box({-16, -16, -16}, {272, 272, 0}, "floor 0 0 0 1 1") +
                                  box({-16, -16, 128}, {272, 272, 144}) + box({-16, -16, 0}, {0, 272, 128}) +
                                  box({256, -16, 0}, {272, 272, 128}) + box({0, -16, 0}, {256, 0, 128}) +
                                  box({0, 256, 0}, {256, 272, 128});
        auto level = std::make_shared<CompiledLevel>(compile_level(parse_map(world(shell + patch), "room")));
        auto look = std::make_shared<Appearance>();
        look->shapes = {appearance_of("room", {})};
        look->bodies.push_back({.shape = 0, .type = BodyType::fixed});
        look->body_count = 1;
        look->ground.shown = false;
        look->lights.push_back({.position = narrow(from_map({128, 128, 120})), .intensity = 4, .range = 30});
        look->levels.push_back({0, level, level_scale, {}, {}, {}});
        AppearanceLevel& drawn = look->levels[0];
        drawn.paints.resize(level->level.materials.size(), {.colour = Vec3{0.5f, 0.5f, 0.5f}});
        drawn.textures.resize(1 + floor_number(*level));
        drawn.textures.back() = floor;
        frame.appearance = look;
        frame.resize(1);
        frame.set_pose(0, {});
        model.update(frame);
        model.light(stage.settings.sky);
        stage.settings.ambient_occlusion = false;
        camera.near_plane = 0.03f;
        camera.fov_y = 1.9f;
    }
    static std::size_t floor_number(const CompiledLevel& level) {
        const auto& all = level.level.materials;
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), "floor") - all.begin());
    }
    /// Of the floor, at a place of the map.
    std::array<int, 3> colour_at(double x, double y) {
        const Image image = stage.picture(camera);
        const auto [px, py] = place_of(camera, image, narrow(from_map({x, y, 0})));
        if (px < 0 || px >= image.width || py < 0 || py >= image.height)
            throw Error("this place is not in the picture");
        const auto p = image.pixel(px, py);
        return {int{p[0]}, int{p[1]}, int{p[2]}};
    }

    Stage stage{160, 120};
    WorldModel model{stage.renderer};
    Frame frame;
    Camera camera = looking(narrow(from_map({128, 90, 126})), narrow(from_map({128, 128, 0})));
};

std::shared_ptr<const std::string> shared(std::string bytes) {
    return std::make_shared<const std::string>(std::move(bytes));
}

const std::array<std::uint8_t, 3> red{220, 20, 20}, green{20, 200, 20};

TEST(LevelTextures, FacesShowThePicturesOfTheirMaterialsInTheMapsTexels) {
    { // 128 texels wide: red from 0 to 64, then green, and again
        TexturedRoom wide({"floor.png", shared(png_of(128, 32, {red, green})), {}});
        for (const auto& [x, is_red] :
             {std::pair(32, true), std::pair(96, false), std::pair(160, true), std::pair(224, false)}) {
            const auto colour = wide.colour_at(x, 130);
            EXPECT_EQ(colour[0] > colour[1], is_red) << x;
            EXPECT_GT(std::abs(colour[0] - colour[1]), 60) << x;
        }
    }
    // a texel is a unit, so a smaller picture comes back sooner
    TexturedRoom small({"floor.jpg", shared(bytes_of_hex(red_and_green)), {}});
    for (const auto& [x, is_red] : {std::pair(132, true), std::pair(140, false), std::pair(148, true)}) {
        const auto colour = small.colour_at(x, 130);
        EXPECT_EQ(colour[0] > colour[1], is_red) << x;
    }
}

TEST(LevelTextures, PatchesShowThePicturesAsOftenAsTheySay) {
    // a carpet on which the picture is twice from left to right, however large it is
    const std::string carpet = "{\npatchDef2\n{\nfloor\n( 3 3 0 0 0 )\n(\n"
                               "( ( 0 0 1 0 0 ) ( 0 128 1 0 1 ) ( 0 256 1 0 2 ) )\n"
                               "( ( 128 0 1 1 0 ) ( 128 128 1 1 1 ) ( 128 256 1 1 2 ) )\n"
                               "( ( 256 0 1 2 0 ) ( 256 128 1 2 1 ) ( 256 256 1 2 2 ) )\n)\n}\n}\n";
    for (const int width : {16, 128}) {
        TexturedRoom room({"floor.png", shared(png_of(width, 32, {red, green})), {}}, carpet);
        for (const auto& [x, is_red] :
             {std::pair(32, true), std::pair(96, false), std::pair(160, true), std::pair(224, false)}) {
            const auto colour = room.colour_at(x, 130);
            EXPECT_EQ(colour[0] > colour[1], is_red) << x << " of a picture " << width << " wide";
            EXPECT_GT(std::abs(colour[0] - colour[1]), 60) << x;
        }
    }
}

TEST(LevelTextures, NormalMapsBendTheLight) {
    // one room at a time: each has the graphics context
    const auto green_at = [](const std::shared_ptr<const std::string>& normals) {
        TexturedRoom room({"floor.png", shared(png_of(8, 8, {{220, 220, 220}})), normals});
        return std::array{room.colour_at(60, 130)[1], room.colour_at(196, 130)[1], room.colour_at(128, 60)[1],
                          room.colour_at(128, 180)[1]};
    };
    const auto flat = green_at({});
    // normals that lean towards growing u, which is x here: towards the light on one side of it, away on the other
    const auto bent = green_at(shared(png_of(8, 8, {{210, 128, 210}})));
    EXPECT_GT(bent[0], flat[0] + 3);
    EXPECT_LT(bent[1], flat[1] - 5);
    // and those that lean up in the picture, towards growing y: v counts down
    const auto up = green_at(shared(png_of(8, 8, {{128, 210, 210}})));
    EXPECT_GT(up[2], flat[2] + 3);
    EXPECT_LT(up[3], flat[3] - 5);
}

TEST(LevelTextures, MaterialsThatTheLevelDoesNotListHaveNone) {
    TexturedRoom room({"floor.png", shared(png_of(8, 8, {red})), {}});
    auto look = std::make_shared<Appearance>(*room.frame.appearance);
    auto level = std::make_shared<CompiledLevel>(*look->levels[0].level);
    for (LevelBrush& brush : level->level.brushes)
        for (LevelFace& face : brush.faces) face.material = 1'000'000'000;
    look->levels[0].level = level;
    room.frame.appearance = look;
    room.model.update(room.frame);
    const auto colour = room.colour_at(128, 130);
    EXPECT_NEAR(colour[0], colour[1], 20);
}

TEST(LevelTextures, TheSameFileIsTheSameTextureHoweverOftenItComes) {
    RecordingBackend backend(false);
    Renderer renderer(backend);
    LevelTextures textures(renderer);
    const std::string first = png_of(8, 8, {red}), second = png_of(8, 8, {green});
    const auto one = textures.find({"floor.png", shared(first), shared(second)});
    const auto again = textures.find({"wall.png", shared(first), shared(second)});
    const auto other = textures.find({"floor.png", shared(second), {}});
    ASSERT_TRUE(one && again && other);
    EXPECT_EQ(one->colours, again->colours);
    EXPECT_EQ(one->normals, again->normals);
    EXPECT_NE(one->colours, other->colours);
    EXPECT_NE(one->normals, other->colours) << "a normal map has no colours";
}

TEST(LevelTextures, ABrokenPictureIsToldOnceAndItsFacesArePainted) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    {
        TexturedRoom room({"walls/floor.png", shared("no picture"), {}});
        const auto colour = room.colour_at(128, 130);
        EXPECT_NEAR(colour[0], colour[1], 20);
        auto again = std::make_shared<Appearance>(*room.frame.appearance);
        again->title = "another";
        room.frame.appearance = again;
        room.model.update(room.frame);
    }
    set_warning_handler({});
    EXPECT_EQ(warnings,
              std::vector<std::string>{"walls/floor.png: is not a picture that can be read: expected a PNG, "
                                       "JPEG or TGA file; its faces are painted"});
}

} // namespace
} // namespace scree::render
