// SPDX-License-Identifier: MIT
// compile_program_test.cpp — `scree compile` from outside.
#include "level/map_texts.h"
#include "scree/level_file.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace scree {
namespace {

using namespace testing;

TEST(CompileProgram, TellsOfALevelAndEndsWithOneIfItLeaks) {
    const TemporaryFolder folder;
    const std::string sides = box({0, 0, -16}, {64, 64, 0}) + box({-16, 0, 0}, {0, 64, 64}) +
                              box({64, 0, 0}, {80, 64, 64}) + box({0, -16, 0}, {64, 0, 64}) +
                              box({0, 64, 0}, {64, 80, 64});
    const std::string start = "{ \"classname\" \"info_player_start\" \"origin\" \"32 32 32\" }\n";
    std::ofstream(folder.file("closed.map")) << world(sides + box({0, 0, 64}, {64, 64, 80})) + start;
    std::ofstream(folder.file("open.map")) << world(sides) + start;
    const ProgramResult closed = run_program({"compile", folder.file("closed.map")});
    EXPECT_EQ(closed.code, 0) << closed;
    EXPECT_TRUE(closed.said("standard format, 2 entities, 6 brushes, 0 patches, 1 texture")) << closed;
    EXPECT_TRUE(closed.said("leaks      none")) << closed;
    const ProgramResult open =
        run_program({"compile", folder.file("open.map"), "--lin", folder.file("open.lin")});
    EXPECT_EQ(open.code, 1) << open;
    EXPECT_TRUE(open.complained("LEAK: entity 1 (info_player_start) in line")) << open;
    EXPECT_EQ(file_bytes(folder.file("open.lin")).substr(0, 30), "32.000000 32.000000 32.000000\n");
}

/// Rooms with crates, a curved patch and lights in one corner: every option changes what is made of them.
std::string furnished_rooms() {
    std::string patch = "{\npatchDef2\n{\ncurve\n( 3 3 0 0 0 )\n(\n";
    for (const double x : {10, 50, 90}) {
        patch += "(";
        for (const double y : {10, 50, 90})
            patch += " ( " + number(x) + " " + number(y) + " " + (x == 50 ? "90" : "10") + " 0 0 )";
        patch += " )\n";
    }
    std::string crates, lights;
    for (int i = 0; i < 6; ++i)
        crates += box({160.0 + 17 * i, 20.0 + 11 * i, 0}, {172.0 + 17 * i, 29.0 + 11 * i, 20.0 + 7 * i});
    for (int i = 0; i < 12; ++i)
        lights += "{ \"classname\" \"light\" \"origin\" \"" + number(20.0 + 4 * i) + " 20 100\" }\n";
    return world(room_grid(3, 2) + crates + patch + ")\n}\n}\n") + lights;
}

std::string as_text(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(CompileProgram, WritesTheLevelItsTreeAndItsGraph) {
    const TemporaryFolder folder;
    const std::string map = folder.file("rooms.map"), scl = folder.file("rooms.scl"),
                      bsp = folder.file("rooms.bsp"), grf = folder.file("rooms.grf");
    std::ofstream(map) << furnished_rooms();
    const ProgramResult done = run_program({"compile", map, "-o", scl, "--bsp", bsp, "--grf", grf});
    EXPECT_EQ(done.code, 0) << done;
    EXPECT_EQ(folder.file_count(), 4u);
    // what the library makes of the map, byte for byte, and what it reads again
    const CompiledLevel level = compile_level(read_map(map));
    EXPECT_EQ(file_bytes(scl), as_text(encode_level(level)));
    EXPECT_EQ(file_bytes(bsp), bsp_text(level.cells));
    EXPECT_EQ(file_bytes(grf), grf_text(graph_of(level)));
    const CompiledLevel read = read_level(scl);
    EXPECT_EQ(read.level.lights.size(), 12u);
    const DVec3 door{136, 64, 40};
    EXPECT_NE(read.cells.cell_at(door), LevelCells::solid);
    EXPECT_EQ(parse_bsp(file_bytes(bsp), bsp).cell_at(door), read.cells.cell_at(door));
    EXPECT_EQ(parse_grf(file_bytes(grf), grf).cells.size(), read.cells.cells.size());
    // and it says what it did
    EXPECT_EQ(done.line("written").find(scl + ", "), 0u) << done;
    EXPECT_TRUE(done.said(bsp + ", ") && done.said(grf + ", ")) << done;
    EXPECT_EQ(done.line("lights"), "12") << done;
    std::size_t inside = 0;
    for (const LevelCells::Cell& cell : level.cells.cells) inside += !cell.outside;
    EXPECT_EQ(done.line("cells").find(std::to_string(inside) + " inside with "), 0u) << done;
}

TEST(CompileProgram, EachOptionIsTheOneOfTheLibraryAndChangesTheLevel) {
    const TemporaryFolder folder;
    const std::string file = folder.file("rooms.map"), scl = folder.file("rooms.scl");
    std::ofstream(file) << furnished_rooms();
    const Map map = read_map(file);
    const auto made = [&](const LevelCellOptions& options, double patch_error = 1) {
        LevelOptions making;
        making.patch_error = patch_error;
        return as_text(encode_level(compile_level(map, making, options)));
    };
    const std::string usual = made({});
    const auto expect_made = [&](const std::vector<std::string>& given, const std::string& expected) {
        std::vector<std::string> words{"compile", file, "-o", scl};
        words.insert(words.end(), given.begin(), given.end());
        const ProgramResult done = run_program(words);
        // brushes that are left undivided seal the level all the same
        EXPECT_EQ(done.code, 0) << done;
        const std::string level = file_bytes(scl);
        // sizes first: a failing comparison would print both files
        EXPECT_TRUE(level.size() == expected.size() && level == expected) << given[0] << ' ' << given[1];
        EXPECT_FALSE(level == usual) << given[0] << ' ' << given[1];
    };
    expect_made({"--cells", "leaves"}, made({.merge = CellMerge::none}));
    expect_made({"--cells", "convex"}, made({.merge = CellMerge::convex}));
    expect_made({"--openness", "0.05"}, made({.openness = 0.05}));
    expect_made({"--choice", "cuts"}, made({.tree = {.choice = PlaneChoice::cuts}}));
    expect_made({"--choice", "balance"}, made({.tree = {.choice = PlaneChoice::balance}}));
    expect_made({"--choice", "drawing"}, made({.tree = {.choice = PlaneChoice::drawing}}));
    expect_made({"--stop-brushes", "3"}, made({.tree = {.stop_brushes = 3}}));
    expect_made({"--stop-depth", "7"}, made({.tree = {.stop_depth = 7}}));
    expect_made({"--stop-size", "100"}, made({.tree = {.stop_size = 100}}));
    expect_made({"--stop-cost", "60"}, made({.tree = {.stop_cost = 60}}));
    expect_made({"--patch-error", "0.1"}, made({}, 0.1));
    EXPECT_TRUE(made({.merge = CellMerge::rooms}) == usual &&
                made({.tree = {.choice = PlaneChoice::both}}) == usual);
}

TEST(CompileProgram, RefusesAMapThatMakesMoreNodesThanItMay) {
    const TemporaryFolder folder;
    const std::string map = folder.file("rooms.map");
    std::ofstream(map) << furnished_rooms();
    const ProgramResult refused =
        run_program({"compile", map, "-o", folder.file("rooms.scl"), "--max-nodes", "20"});
    EXPECT_EQ(refused.code, 2) << refused;
    EXPECT_TRUE(refused.complained("rooms.map: its brushes make a tree of more than 20 nodes")) << refused;
    EXPECT_FALSE(std::filesystem::exists(folder.file("rooms.scl")));
}

TEST(CompileProgram, NamesTheOptionThatItRefusesAndWritesNothing) {
    const TemporaryFolder folder;
    const std::string map = folder.file("rooms.map");
    std::ofstream(map) << world(room_grid(1, 1));
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"--cells", "halls"},
                                                          {"--choice", "best"},
                                                          {"--openness", "0"},
                                                          {"--stop-brushes", "-1"},
                                                          {"--stop-depth", "1.5"},
                                                          {"--stop-size", "wide"},
                                                          {"--stop-cost", "-8"},
                                                          {"--max-nodes", "0"},
                                                          {"--patch-error", "0"}}) {
        const ProgramResult refused =
            run_program({"compile", map, "-o", folder.file("rooms.scl"), option, value});
        EXPECT_EQ(refused.code, 2) << refused;
        EXPECT_TRUE(refused.complained(option) && refused.complained("\"" + value + "\"")) << refused;
    }
    const ProgramResult nowhere = run_program({"compile", map, "-o", folder.file("no/rooms.scl")});
    EXPECT_EQ(nowhere.code, 2) << nowhere;
    EXPECT_TRUE(nowhere.complained("no/rooms.scl")) << nowhere;
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(CompileProgram, NamesTheGapOfALeakAndWeldsItOnRequest) {
    const TemporaryFolder folder;
    const std::string sides = box({0, 0, -16}, {64, 64, 0}) + box({-16, 0, 0}, {0, 64, 64}) +
                              box({64, 0, 0}, {80, 64, 64}) + box({0, -16, 0}, {64, 0, 64}) +
                              box({0, 64, 0}, {64, 80, 64});
    std::ofstream(folder.file("a.map"))
        << world(sides + box({0, 0, 64.0625}, {64, 64, 80})) +
               "{ \"classname\" \"info_player_start\" \"origin\" \"32 32 32\" }\n";
    const ProgramResult open = run_program({"compile", folder.file("a.map")});
    EXPECT_EQ(open.code, 1) << open;
    EXPECT_TRUE(open.complained("the narrowest gap is 0.0625 units wide, between brush ")) << open;
    EXPECT_TRUE(open.complained("brush 5 of entity 0 (line 43)")) << open; // the ceiling
    const ProgramResult welded = run_program({"compile", folder.file("a.map"), "--weld", "0.1"});
    EXPECT_EQ(welded.code, 0) << welded;
    EXPECT_TRUE(welded.said("welded     1 face")) << welded;
    EXPECT_TRUE(welded.complained("was moved by up to 0.0625 units into the plane of line")) << welded;
}

TEST(CompileProgram, ClosesGapsOfRoundedNumbersAndSaysSo) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("a.map")) << rounded_room();
    const ProgramResult closed = run_program({"compile", folder.file("a.map")});
    EXPECT_EQ(closed.code, 0) << closed;
    EXPECT_TRUE(closed.complained("gap of rounded numbers: entity 1 (info_player_start)")) << closed;
    EXPECT_TRUE(closed.said("leaks      none")) << closed;
    const ProgramResult exact = run_program({"compile", folder.file("a.map"), "--weld", "0"});
    EXPECT_EQ(exact.code, 1) << exact;
}

TEST(CompileProgram, DrawsFromAboveWhatIsSeenThroughPortals) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("rooms.map")) << world(room_grid(3, 3));
    const auto count = [&](const std::string& eye, const std::string& what) {
        const std::string file = folder.file("top.svg");
        const ProgramResult done =
            run_program({"compile", folder.file("rooms.map"), "--top-view", file, "--eye", eye});
        EXPECT_TRUE(done.said("written    " + file)) << done;
        const std::string svg = file_bytes(file);
        EXPECT_EQ(svg.substr(0, 4), "<svg");
        std::size_t found = 0;
        for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
        return found;
    };
    const char* cell = "fill=\"#ffd27f\"";      // that is seen
    EXPECT_EQ(count("20 64 64 180", cell), 1u); // at a wall
    EXPECT_GT(count("20 64 64 0", cell), 4u);   // through two doors
    EXPECT_EQ(count("20 64 64 0", "<circle"), 1u);
    EXPECT_GT(count("20 64 64 0", "stroke=\"#10a030\""), count("20 64 64 180", "stroke=\"#10a030\""));
    EXPECT_GT(count("20 64 64 0", "stroke=\"#e06060\""), 2u); // sides of windows
    EXPECT_EQ(
        run_program({"compile", folder.file("rooms.map"), "--top-view", folder.file("x.svg"), "--eye", "1 2"})
            .code,
        2);
}

TEST(CompileProgram, RefusesBadFilesAndOptions) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("bad.map")) << "{\n\"classname\" \"worldspawn\"\n{\n( 0 0 x )";
    const ProgramResult bad =
        run_program({"compile", folder.file("bad.map"), "--lin", folder.file("bad.lin")});
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(bad.complained("bad.map:4:7: expected a coordinate, a number")) << bad;
    EXPECT_EQ(folder.file_count(), 1u); // nothing was written
}

} // namespace
} // namespace scree
