// SPDX-License-Identifier: MIT
// map_reader_test.cpp — .map files of each format, and what is wrong with broken ones.
#include "level/map_texts.h"
#include "scree/level.h"
#include "support/refused.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace scree {
namespace {

using namespace testing;

Map parsed(const std::string& text) { return parse_map(text, "a.map"); }

const std::string cube = box({0, 0, 0}, {64, 64, 64});
const std::string valve_end = "wall [ 1 0 0 8 ] [ 0 -1 0 16 ] 0 0.5 0.25";

std::string matrix_brush() {
    std::string out = "{\nbrushDef\n{\n";
    for (const PlanePoints& plane : box_planes({0, 0, 0}, {64, 64, 64}))
        out += points(plane) + "( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) wall 0 4 0\n";
    return out + "}\n}\n";
}

const std::string doom_brush = R"({
brushDef3
{
( 1 0 0 -64 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
( -1 0 0 0 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
( 0 1 0 -64 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
( 0 -1 0 0 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
( 0 0 1 -64 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
( 0 0 -1 0 ) ( ( 0.0078125 0 0.5 ) ( 0 0.0078125 0.25 ) ) "textures/a wall" 0 0 0
}
}
)";

const std::string patch = R"({
patchDef2
{
base/floor
( 3 3 0 0 0 )
(
( ( 0 0 0 0 0 ) ( 0 32 0 0 1 ) ( 0 64 0 0 2 ) )
( ( 32 0 16 1 0 ) ( 32 32 16 1 1 ) ( 32 64 16 1 2 ) )
( ( 64 0 0 2 0 ) ( 64 32 0 2 1 ) ( 64 64 0 2 2 ) )
)
}
}
)";

TEST(MapReader, ReadsEntitiesWithKeysAndBrushes) {
    const Map map =
        parsed("// Game: Quake\n" + world("\"message\" \"a \\\"hall\\\"\"\n" + cube) +
               "{ \"classname\" \"light\" \"origin\" \"1 -2.5 3e1\" }\n{\n\"classname\"\t\"func_wall\"\n" +
               cube + cube + "}\n");
    EXPECT_EQ(map.format, MapFormat::standard);
    ASSERT_EQ(map.entities.size(), 3u);
    EXPECT_EQ(map.entities[0].classname(), "worldspawn");
    EXPECT_EQ(*map.entities[0].find("message"), "a \\\"hall\\\"");
    EXPECT_EQ(map.entities[0].brushes.size(), 1u);
    EXPECT_EQ(map.entities[0].brushes[0].faces.size(), 6u);
    EXPECT_EQ(map.entities[0].brushes[0].place.line, 5u);
    EXPECT_EQ(map.entities[1].vector("origin"), (DVec3{1, -2.5, 30}));
    EXPECT_EQ(map.entities[1].vector("classname"), std::nullopt);
    EXPECT_EQ(map.entities[2].brushes.size(), 2u);
    EXPECT_EQ(map.materials, std::vector<std::string>{"wall"});
    EXPECT_TRUE(map.warnings.empty());
}

TEST(MapReader, ReadsEachFormat) {
    const Map quake3 = parsed(world(box({0, 0, 0}, {8, 8, 8}, "base/wall 1 2 45 0.5 0.25 134217728 4 7")));
    EXPECT_EQ(quake3.format, MapFormat::standard);
    const MapFace& face = quake3.entities[0].brushes[0].faces[0];
    EXPECT_EQ(face.contents, 134217728);
    EXPECT_EQ(face.flags, 4);
    EXPECT_EQ(face.value, 7);
    EXPECT_EQ(face.texture[2], 45);

    const Map valve = parsed(world(box({0, 0, 0}, {8, 8, 8}, valve_end)));
    EXPECT_EQ(valve.format, MapFormat::valve);
    EXPECT_EQ(valve.entities[0].brushes[0].faces[0].texture,
              (std::array<double, 11>{1, 0, 0, 8, 0, -1, 0, 16, 0, 0.5, 0.25}));

    EXPECT_EQ(parsed(world(matrix_brush())).format, MapFormat::brush_def);
    const Map doom = parsed("Version 2\n" + world(doom_brush));
    EXPECT_EQ(doom.format, MapFormat::brush_def3);
    EXPECT_EQ(doom.materials, std::vector<std::string>{"textures/a wall"});
    EXPECT_EQ(doom.entities[0].brushes[0].faces[0].plane[3], -64);

    const Map curved = parsed(world(patch + cube));
    ASSERT_EQ(curved.entities[0].patches.size(), 1u);
    EXPECT_EQ(curved.entities[0].patches[0].points[3].position, (DVec3{32, 0, 16}));
}

TEST(MapReader, NamesOfTexturesMayHoldBracesAndSigns) {
    const Map map = parsed(world(box({0, 0, 0}, {8, 8, 8}, "{grate 0 0 0 1 1") +
                                 box({0, 0, 0}, {8, 8, 8}, "*water(1 0 0 0 1 1") +
                                 box({0, 0, 0}, {8, 8, 8}, "\"with space\" 0 0 0 1 1")));
    EXPECT_EQ(map.materials, (std::vector<std::string>{"{grate", "*water(1", "with space"}));
}

TEST(MapReader, SaysWhereAndWhatWasExpected) {
    struct Case {
        std::string text, where, what;
    };
    const std::string start = "{\n\"classname\" \"worldspawn\"\n";
    const std::string three = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ";
    const Case cases[] = {
        {"", "a.map", "holds no entities"},
        {"hello", "a.map:1:1", "expected an entity, which begins with {"},
        {"{ classname", "a.map:1:3", "expected a key in quotes"},
        {start + "\"key\" 3 }", "a.map:3:7", "expected the value of the key"},
        {start + "\"key\n\" \"x\" }", "a.map:3:1", "without an end"},
        {start, "a.map:3:1", "the entity that begins in line 1 is not closed"},
        {start + "{\n" + three, "a.map:4:31", "expected the name of a texture"},
        {start + "{\n" + three + "wall 0 0 0 1 1\n", "a.map:5:1",
         "the brush or patch that begins in line 3 is not closed"},
        {start + "{\n( 0 0 zero ) ", "a.map:4:7", "expected a coordinate, a number, found"},
        {start + "{\n( 0 0 nan ) ", "a.map:4:7", "expected a coordinate, a number, found"},
        {start + "{\n( 0 0 1e9 ) ", "a.map:4:7", "expected a number from -16,777,216 to 16,777,216"},
        {start + "{\n( 0 0 1e999 ) ", "a.map:4:7", "expected a number from -16,777,216 to 16,777,216"},
        {start + "{\n( 0 0 ) ", "a.map:4:7", "expected a coordinate"},
        {start + "{\n( 0 0 0 0 ) ", "a.map:4:9", "expected ), after three coordinates"},
        {start + "{\n" + three + "wall [ 1 0 0 0 [ ", "a.map:4:46",
         "expected ], after four numbers of an axis"},
        {start + "{\n" + three + "wall 0 0 0 1 1\n}\n}", "a.map:3:1",
         "a brush of 1 face; expected at least 4"},
        {start + "{\n}\n}", "a.map:4:1", "expected a face, brushDef, brushDef3, patchDef2 or patchDef3"},
        {start + "{\nterrainDef\n{", "a.map:4:1",
         "expected a face, brushDef, brushDef3, patchDef2 or patchDef3"},
        {start + "{\npatchDef2\n{\nx\n( 4 3 0 0 0 )", "a.map:7:3",
         "the width of the patch is 4; expected an odd number from 3 to 129"},
        {start + "{\npatchDef2\n{\nx\n( 3 999999999 0 0 0 )", "a.map:7:5",
         "the height of the patch is 999999999"},
        {start + "{\npatchDef2\n{\nx\n( 3 3 0 0 0 )\n(\n( ( 0 0 0 0 0 ) )", "a.map:9:17",
         "expected (, which begins a control point"},
        {"Version 9\n{", "a.map:1:9", "version 9 of the format; expected 1 or 2"},
        {"{\n\"é\" \"ü\" x", "a.map:2:9", "expected a key in quotes"},
    };
    for (const Case& one : cases) {
        const test::Refusal refusal = test::refusal([&] { parsed(one.text); });
        EXPECT_EQ(refusal.where, one.where) << one.text;
        EXPECT_NE(refusal.what.find(one.what), std::string::npos) << one.text << "\n" << refusal.what;
    }
    EXPECT_NE(test::error_message([] { read_map("no/such.map"); }).find("no/such.map"), std::string::npos);
    EXPECT_NE(
        test::error_message([] { parse_map(world(cube), "a.map", {.max_bytes = 10}); }).find("10 bytes"),
        std::string::npos);
}

TEST(MapReader, AFileHoldsOneFormat) {
    const std::string other[] = {box({0, 0, 0}, {8, 8, 8}, valve_end), matrix_brush(), doom_brush};
    for (const std::string& brush : other)
        EXPECT_NE(test::error_message([&] {
                      parsed(world(cube + brush));
                  }).find("the first face of the file, in line 4, is in standard format"),
                  std::string::npos);
}

TEST(MapReader, AnyPartOfAFileIsReadOrRefused) {
    const std::string text = world("\"message\" \"x\"\n" + cube + patch) + world(cube);
    parsed(text);
    for (std::size_t size = 0; size < text.size(); ++size) {
        const std::string place = test::error_place([&] { parsed(text.substr(0, size)); });
        if (place == "no error") continue;
        EXPECT_EQ(place.substr(0, 5), "a.map");
    }
}

TEST(MapReader, FindsGroupsAndLayers) {
    const auto entity = [](const std::string& keys) {
        return "{\n\"classname\" \"func_group\"\n" + keys + cube + "}\n";
    };
    const Map map = parsed(
        world("") +
        entity("\"_tb_type\" \"_tb_layer\"\n\"_tb_id\" \"1\"\n\"_tb_layer_omit_from_export\" \"1\"\n") +
        entity("\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"2\"\n\"_tb_layer\" \"1\"\n") +
        entity("\"_tb_group\" \"2\"\n") + entity("\"_tb_group\" \"7\"\n") +
        entity("\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"3\"\n\"_tb_group\" \"4\"\n") +
        entity("\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"4\"\n\"_tb_group\" \"3\"\n"));
    EXPECT_EQ(map.entities[3].group, 2u);
    EXPECT_EQ(map.entities[2].group, 1u);
    EXPECT_TRUE(map.entities[1].omitted && map.entities[2].omitted && map.entities[3].omitted);
    EXPECT_FALSE(map.entities[0].omitted || map.entities[4].omitted || map.entities[5].omitted);
    ASSERT_EQ(map.warnings.size(), 1u);
    EXPECT_NE(map.warnings[0].find("there is no group or layer"), std::string::npos);
    const Level level = build_level(map);
    EXPECT_EQ(level.omitted_entities, 3u);
    EXPECT_EQ(level.brushes.size(), 3u);
}

TEST(MapReader, WarnsOfEntitiesWithoutAClassAndKeysGivenTwice) {
    const Map map = parsed("{\n}\n{ \"classname\" \"a\" \"x\" \"1\" \"x\" \"2\" }");
    ASSERT_EQ(map.warnings.size(), 2u);
    EXPECT_EQ(map.warnings[0], "a.map:1:1: an entity without \"classname\"");
    EXPECT_EQ(map.warnings[1].substr(0, 11), "a.map:3:27:");
    EXPECT_EQ(*map.entities[1].find("x"), "1");
}

TEST(MapReader, ReadsFilesWithEndsOfLinesOfOtherSystems) {
    std::string text = "\xef\xbb\xbf" + world(cube);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    TemporaryFolder folder;
    std::ofstream(folder.file("b.map"), std::ios::binary) << text;
    EXPECT_EQ(read_map(folder.file("b.map")).entities[0].brushes.size(), 1u);
}

} // namespace
} // namespace scree
