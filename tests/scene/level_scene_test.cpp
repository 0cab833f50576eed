// SPDX-License-Identifier: MIT
// level_scene_test.cpp — scenes whose shapes are maps from an editor.
#include "level/map_texts.h"
#include "record/format.h"
#include "scene/kind.h"
#include "scene/run.h"
#include "scree/level_file.h"
#include "scree/level_weld.h"
#include "scree/rigid_scene.h"
#include "scree/scene.h"
#include "scree/warning.h"
#include "support/refused.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace scree {
namespace {

using namespace testing;

std::string scene_text(const std::string& level) {
    return R"({"scree": 1, "kind": "rigid", "title": "a map", "steps": 1,
"shapes": [{"name": "hall", "level": )" +
           level + R"(}, {"name": "ball", "sphere": {"radius": 0.5}}],
"bodies": [{"shape": "hall", "type": "fixed", "position": [0, 0, 0]},
{"name": "ball", "shape": "ball", "position": [0, 3, 0]}]})";
}

struct LevelScene : ::testing::Test {
    TemporaryFolder folder;
    std::vector<std::string> warnings;

    LevelScene() {
        set_warning_handler([this](const std::string& text) { warnings.push_back(text); });
    }
    ~LevelScene() override { set_warning_handler({}); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
        std::ofstream(folder.file(name), std::ios::binary) << text;
    }
    Scene read(const std::string& level) const {
        return parse_scene(scene_text(level), folder.file("scene.json"));
    }
    std::string said_of(const std::string& level) const {
        return test::error_message([&] { read(level); });
    }
};

TEST_F(LevelScene, CollisionCellsAreThoseOfALevelThatLiesWhereItsMapDoes) {
    write("rooms.map", world(room_grid(2, 1)));
    const auto start = [&](std::string text) {
        const auto run = start_scene(parse_scene(text, folder.file("scene.json")), Place());
        run->step();
        const std::vector<std::byte> saved = run->save();
        run->restore(saved); // which has no cells: they are set again
        run->step();
        Details details;
        run->observe(details, {.detector = true});
        return details.detector ? details.detector->counters.cells : 0;
    };
    const std::string text = impacts_in_rooms(R"(, "collision_cells": 0)");
    EXPECT_GE(start(text), 2u);
    EXPECT_EQ(start(impacts_in_rooms("")), 0u);
    std::string moved = text;
    moved.replace(moved.find("\"position\": [0, 0, 0]"), 21, "\"position\": [0, 1, 0]");
    EXPECT_EQ(test::error_place([&] { start(moved); }), "collision_cells");
    EXPECT_NE(said_of(R"({"file": "rooms.map", "collision_cells": -1})").find("collision_cells"),
              std::string::npos);
}

TEST_F(LevelScene, ABallRestsOnAMapBesideTheScene) {
    write("maps/hall.map", world(box({-64, -64, -32}, {64, 64, 0}) + box({-64, -64, 0}, {-48, 64, 64})));
    const Scene scene = read(R"({"file": "maps/hall.map", "scale": 0.0625})");
    EXPECT_EQ(rigid_scene(scene).shapes[0].parts.size(), 2u);
    ASSERT_EQ(scene.files.size(), 1u); // for recordings
    EXPECT_EQ(scene.files[0].name, "maps/hall.map");
    World made = build_rigid_world(scene);
    step_scene(scene, made, 200);
    EXPECT_NEAR(made.state(made.bodies()[1]).position.y, 0.5, 0.01);
    EXPECT_TRUE(warnings.empty());
}

TEST_F(LevelScene, NamesTheSceneAndTheLineOfTheMapThatIsWrong) {
    write("broken.map", "{\n\"classname\" \"worldspawn\"\n{\n( 0 0 nan )");
    const std::string said = said_of(R"({"file": "broken.map"})");
    EXPECT_NE(said.find("scene.json:2: shapes[0].level: broken.map:4:7: expected a coordinate, a number"),
              std::string::npos)
        << said;
    write("empty.map", world(""));
    EXPECT_NE(said_of(R"({"file": "empty.map"})").find("empty.map: has no solid brushes or patches"),
              std::string::npos);
    write("hall.map", world(box({0, 0, 0}, {8, 8, 8})));
    EXPECT_NE(said_of(R"({"file": "hall.map", "scale": 0})").find("shapes[0].level.scale"),
              std::string::npos);
    EXPECT_NE(said_of(R"({"file": "hall.map", "size": 1})").find("shapes[0].level.size"), std::string::npos);
}

TEST_F(LevelScene, MapsInOtherFoldersAreRefused) {
    write("hall.map", world(box({0, 0, 0}, {8, 8, 8})));
    std::filesystem::create_directories(folder.file("inner"));
    const std::string said = test::error_message(
        [&] { parse_scene(scene_text(R"({"file": "../hall.map"})"), folder.file("inner/scene.json")); });
    EXPECT_NE(said.find("shapes[0].level.file: the file \"../hall.map\" is outside the "), std::string::npos)
        << said;
}

TEST_F(LevelScene, WarnsOfWhatItLeavesOut) {
    write("hall.map", world(box({0, 0, 0}, {8, 8, 8}) + box({0, 0, 0}, {8, 8, 0})));
    read(R"({"file": "hall.map"})");
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "hall.map:11:1: brush 1 of entity 0 (worldspawn) has no volume; left out"});
}

TEST_F(LevelScene, PartsLookAsTheirTexturesAreCalled) {
    write("hall.map", world(box({0, 0, 0}, {8, 8, 8}, "base/Brick_7 0 0 0 1 1") +
                            box({9, 0, 0}, {12, 8, 8}, "x 0 0 0 1 1")));
    const Scene scene = read(R"({"file": "hall.map"})");
    const RigidShape& hall = rigid_scene(scene).shapes[0];
    EXPECT_EQ(hall.parts[0].paint.texture, "bricks");
    EXPECT_EQ(hall.parts[1].paint.texture, "");
    EXPECT_NE(hall.parts[0].paint.colour, hall.parts[1].paint.colour);
}

TEST_F(LevelScene, SkyIsNotDrawnAndLiquidsAre) {
    write("hall.map",
          world(box({0, 0, 0}, {8, 8, 8}, "brick 0 0 0 1 1") + box({9, 0, 0}, {12, 8, 8}, "sky1 0 0 0 1 1") +
                box({20, 0, 0}, {28, 8, 8}, "*water 0 0 0 1 1")));
    const Scene scene = read(R"({"file": "hall.map"})");
    const RigidShape& hall = rigid_scene(scene).shapes[0];
    EXPECT_EQ(hall.parts.size(), 2u); // the sky is solid, the water is not
    ASSERT_EQ(hall.drawn.size(), 2u);
    EXPECT_EQ(hall.drawn[0].paint.texture, "bricks");
    EXPECT_LT(hall.drawn[1].paint.opacity.value_or(1), 1);
}

TEST_F(LevelScene, BrushesLookLikeTheirFirstFaceThatIsDrawnAndThoseWithoutAreNotSeen) {
    std::string mixed = box({0, 0, 0}, {8, 8, 8}, "brick 0 0 0 1 1");
    mixed.replace(mixed.find("brick"), 5, "common/caulk");
    write("hall.map", world(mixed + box({9, 0, 0}, {12, 8, 8}, "common/caulk 0 0 0 1 1") +
                            box({20, 0, 0}, {28, 8, 8}, "CLIP 0 0 0 1 1") +
                            box({30, 0, 0}, {38, 8, 8}, "skyline/brick 0 0 0 1 1") +
                            box({40, 0, 0}, {48, 8, 8}, "*waterskip 0 0 0 1 1")));
    const Scene scene = read(R"({"file": "hall.map"})");
    const RigidShape& hall = rigid_scene(scene).shapes[0];
    EXPECT_EQ(hall.parts.size(), 4u); // solid
    ASSERT_EQ(hall.drawn.size(), 2u);
    EXPECT_EQ(hall.drawn[0].paint.texture, "bricks");
    EXPECT_EQ(hall.drawn[1].paint.texture, "bricks");
}

TEST_F(LevelScene, TheMapsLightsShineWhereTheBodyIsIfTheSceneSaysSo) {
    write(
        "hall.map",
        world(box({-64, -64, -32}, {64, 64, 0})) +
            "{ \"classname\" \"light\" \"origin\" \"0 64 96\" \"light\" \"160\" \"_color\" \"1 0.5 0.25\" }\n"
            "{ \"classname\" \"light\" \"origin\" \"32 0 32\" }\n");
    const auto lights = [&](const std::string& level) {
        return start_scene(read(level), Place())->appearance()->lights;
    };
    EXPECT_TRUE(lights(R"({"file": "hall.map"})").empty());
    const std::vector<AppearanceLight> lit = lights(R"({"file": "hall.map", "lights": true})");
    ASSERT_EQ(lit.size(), 2u);
    EXPECT_EQ(lit[0].position, (Vec3{1, 1, 0})); // the brighter one, 300 as it says nothing
    EXPECT_EQ(lit[1].position, (Vec3{0, 3, -2}));
    EXPECT_EQ(lit[1].colour, (Vec3{1, 0.5f, 0.25f}));
    EXPECT_EQ(lit[1].range, 5);
}

TEST_F(LevelScene, TheFogOfTheMapIsSeenWithItsLights) {
    const auto sky = [&](const std::string& fog, const std::string& level) {
        write("hall.map", "{\n\"classname\" \"worldspawn\"\n\"fog\" \"" + fog + "\"\n" +
                              box({0, 0, 0}, {8, 8, 8}) + "}\n");
        return start_scene(read(level), Place())->appearance()->sky;
    };
    const std::string lit = R"({"file": "hall.map", "lights": true})";
    const AppearanceSky thick = sky("0.03 .5 .25 1", lit);
    EXPECT_FLOAT_EQ(thick.fog, 0.015f); // Quake's 1/64 of a unit, at 32 units a metre
    EXPECT_EQ(thick.fog_colour, (Vec3{0.5f, 0.25f, 1}));
    EXPECT_EQ(sky("0.03 .5 .25 1", R"({"file": "hall.map"})").fog, 0);
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(sky("thick", lit).fog, 0);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0],
              "hall.map: the fog \"thick\" is left out: expected how thick it is and a colour of three "
              "numbers from 0 to 1");
}

TEST_F(LevelScene, AFogHasAWholeColourOrNone) {
    const auto sky = [&](const std::string& fog) {
        write("hall.map", "{\n\"classname\" \"worldspawn\"\n\"fog\" \"" + fog + "\"\n" +
                              box({0, 0, 0}, {8, 8, 8}) + "}\n");
        return start_scene(read(R"({"file": "hall.map", "lights": true})"), Place())->appearance()->sky;
    };
    EXPECT_EQ(sky("0.03 ").fog_colour, (Vec3{0.3f, 0.3f, 0.3f}));
    EXPECT_EQ(sky("0.03 1 0 1 0.5").fog_colour, (Vec3{1, 0, 1})); // some games have more numbers
    EXPECT_TRUE(warnings.empty());
    for (const char* cut : {"0.03 red", "0.03 .5", "0.03 .5 .25 blue"}) EXPECT_EQ(sky(cut).fog, 0) << cut;
    EXPECT_EQ(warnings.size(), 3u);
}

TEST_F(LevelScene, ALeakIsInTheLookForTheViewer) {
    const auto leak = [&](const std::string& rooms) {
        write("rooms.map",
              world(rooms) + "{ \"classname\" \"info_player_start\" \"origin\" \"64 64 32\" }\n");
        return start_scene(read(R"({"file": "rooms.map"})"), Place())->appearance()->levels.at(0).leak;
    };
    EXPECT_TRUE(leak(room_grid(2, 1)).empty());
    const std::string whole = room_grid(2, 1), part = whole.substr(0, whole.rfind("{"));
    const std::vector<Vec3> way = leak(part);
    ASSERT_GE(way.size(), 2u);
    EXPECT_EQ(way.front(), (Vec3{2, 1, -2}));
    // a compiled level brings its own
    write_level(folder.file("rooms.scl"), compile_level(read_map(folder.file("rooms.map"))));
    EXPECT_EQ(start_scene(read(R"({"file": "rooms.scl"})"), Place())->appearance()->levels.at(0).leak, way);
}

TEST_F(LevelScene, AMapIsDrawnAsItsCompiledLevelWithGapsOfRoundedNumbersClosed) {
    write("room.map", rounded_room());
    const auto look = start_scene(read(R"({"file": "room.map", "patch_error": 2})"), Place())->appearance();
    EXPECT_TRUE(look->levels.at(0).leak.empty());
    Map map = read_map(folder.file("room.map"));
    ASSERT_TRUE(compile_level(map).leak.size() > 1);
    EXPECT_EQ(encode_level(*look->levels[0].level), encode_level(compile_closed(map)));
    EXPECT_EQ(look->levels[0].paints.size(), 1u);
}

TEST_F(LevelScene, BodiesCarryTheLightsOfTheirShape) {
    const Scene scene = parse_scene(R"({"scree": 1, "kind": "rigid", "title": "a lamp that falls", "steps": 1,
"shapes": [{"name": "lamp", "sphere": {"radius": 0.1}, "lights": [{"position": [0, 0.5, 0], "colour": "#ff8040", "intensity": 2, "range": 6}]}],
"bodies": [{"name": "stone", "shape": "lamp", "position": [4, 9, 0]}, {"name": "lamp", "shape": "lamp", "position": [0, 3, 0]}]})",
                                    folder.file("scene.json"));
    const auto look = start_scene(scene, Place())->appearance();
    ASSERT_EQ(look->lights.size(), 2u);
    EXPECT_EQ(look->lights[1].body, 1u);
    EXPECT_EQ(look->lights[1].position, (Vec3{0, 0.5f, 0}));
    EXPECT_EQ(look->lights[1].range, 6);
    const Appearance again = record::decode_appearance(record::encode(*look), "look");
    ASSERT_EQ(again.lights.size(), 2u);
    EXPECT_EQ(again.lights[1].body, 1u);
    Appearance wrong = *look;
    wrong.lights[1].body = 2;
    EXPECT_NE(test::error_message([&] {
                  record::decode_appearance(record::encode(wrong), "look");
              }).find("light 1 has a body that does not exist"),
              std::string::npos);
    Appearance nobody;
    nobody.lights = {look->lights[0]};
    EXPECT_NE(test::error_message([&] {
                  record::decode_appearance(record::encode(nobody), "look");
              }).find("light 0 has a body that does not exist"),
              std::string::npos);
}

TEST_F(LevelScene, ACompiledLevelIsReadLikeItsMap) {
    const std::string text = world(box({-64, -64, -32}, {64, 64, 0}) + box({-64, -64, 0}, {-48, 64, 64}));
    const std::vector<std::byte> bytes = encode_level(compile_level(parse_map(text, "hall.map")));
    write("hall.scl", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    EXPECT_EQ(rigid_scene(read(R"({"file": "hall.scl"})")).shapes[0].parts.size(), 2u);
    write("hall.scl", {reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1});
    EXPECT_NE(said_of(R"({"file": "hall.scl"})").find("bytes follow the header; expected"),
              std::string::npos);
}

TEST_F(LevelScene, PicturesAreFoundByTheNamesOfMaterialsAndRecordingsKeepThem) {
    const auto solid = [](double x, const std::string& material) {
        return box({x, 0, 0}, {x + 8, 8, 8}, material + " 0 0 0 1 1");
    };
    write("maps/hall.map", world(solid(0, "base/Brick_7") + solid(10, "textures/stone") + solid(20, "metal") +
                                 solid(30, "../secret") + solid(40, "*slime")));
    write("pictures/base/brick_7.jpg", "brick");
    write("pictures/base/brick_7_norm.png", "bumps");
    write("pictures/stone.jpeg", "stone");
    write("pictures/#slime.png", "slime");
    write("secret.png", "secret");
    const Scene scene = read(R"({"file": "maps/hall.map", "textures": "pictures"})");
    const auto look = start_scene(scene, Place())->appearance();
    ASSERT_EQ(look->levels.size(), 1u);
    const auto picture = [&](const Appearance& of, const std::string& material) {
        const auto& all = of.levels[0].level->level.materials;
        return of.levels[0].textures.at(
            static_cast<std::size_t>(std::find(all.begin(), all.end(), material) - all.begin()));
    };
    const AppearanceTexture brick = picture(*look, "base/Brick_7");
    EXPECT_EQ(brick.name, "pictures/base/brick_7.jpg");
    ASSERT_TRUE(brick.colours && brick.normals);
    EXPECT_EQ(*brick.colours, "brick");
    EXPECT_EQ(*brick.normals, "bumps");
    EXPECT_EQ(*picture(*look, "textures/stone").colours, "stone");
    EXPECT_EQ(*picture(*look, "*slime").colours, "slime");
    EXPECT_FALSE(picture(*look, "textures/stone").normals);
    EXPECT_FALSE(picture(*look, "metal").colours);
    EXPECT_FALSE(picture(*look, "../secret").colours);
    EXPECT_EQ(warnings,
              std::vector<std::string>{
                  folder.file("scene.json") +
                  ":2: shapes[0].level.textures: 2 of 5 materials have no .png, .jpg, .jpeg or .tga file in "
                  "\"pictures/\" and are painted by their names: metal, ../secret"});
    // a recording has the scene's files and the look's pictures
    EXPECT_EQ(scene.files.size(), 5u);
    const Appearance again = record::decode_appearance(record::encode(*look), "look");
    ASSERT_TRUE(picture(again, "base/Brick_7").normals);
    EXPECT_EQ(*picture(again, "base/Brick_7").normals, "bumps");
    EXPECT_EQ(*picture(again, "*slime").colours, "slime");
    EXPECT_FALSE(picture(again, "metal").colours);
}

TEST_F(LevelScene, PicturesOutsideTheScenesFolderAreRefused) {
    write("scenes/hall.map", world(box({0, 0, 0}, {8, 8, 8})));
    write("pictures/wall.png", "wall");
    const auto said = [&](const std::string& textures) {
        return test::error_message([&] {
            parse_scene(scene_text(R"({"file": "hall.map", "textures": ")" + textures + "\"}"),
                        folder.file("scenes/scene.json"));
        });
    };
    for (const std::string& outside : {std::string("../pictures"), folder.file("pictures")})
        EXPECT_NE(said(outside).find("shapes[0].level.textures: invalid value \"" + outside +
                                     "\": expected a folder beside the scene or below it"),
                  std::string::npos)
            << said(outside);
}

TEST_F(LevelScene, TheLookHasTheCellsAndRecordingsKeepThem) {
    const std::string text = world(room_grid(2, 1));
    write("rooms.map", text);
    const auto look = start_scene(read(R"({"file": "rooms.map", "scale": 0.0625})"), Place())->appearance();
    ASSERT_EQ(look->levels.size(), 1u);
    const AppearanceLevel& level = look->levels[0];
    EXPECT_EQ(level.body, 0u);
    EXPECT_EQ(level.scale, 0.0625f);
    EXPECT_EQ(level.paints.size(), level.level->level.materials.size());
    EXPECT_GE(level.level->cells.cells.size(), 3u);
    const Appearance again = record::decode_appearance(record::encode(*look), "look");
    ASSERT_EQ(again.levels.size(), 1u);
    EXPECT_EQ(encode_level(*again.levels[0].level), encode_level(*level.level));
    EXPECT_EQ(again.levels[0].paints, level.paints);
    EXPECT_EQ(again.levels[0].scale, level.scale);
    // a compiled level brings its cells along
    const std::vector<std::byte> bytes = encode_level(compile_level(parse_map(text, "rooms.map")));
    write("rooms.scl", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const auto compiled = start_scene(read(R"({"file": "rooms.scl"})"), Place())->appearance();
    EXPECT_EQ(encode_level(*compiled->levels.at(0).level), bytes);
}

TEST(BuiltinLevel, NeedsNoFile) {
    const Scene scene = find_scene("level-steps");
    EXPECT_EQ(scene.files.size(), 1u);
    EXPECT_EQ(rigid_scene(scene).shapes[0].parts.size(), 12u);
}

} // namespace
} // namespace scree
