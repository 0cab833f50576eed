// SPDX-License-Identifier: MIT
// compile_program_test.cpp — `scree compile` from outside.
#include "level/map_texts.h"
#include "system/program.h"

#include <gtest/gtest.h>

#include <fstream>

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
    // a room turned by 30 degrees whose ceiling was written with two decimals, a hundredth higher at one corner
    const TemporaryFolder folder;
    const auto at = [](double x, double y, double z) {
        return DVec3{0.86 * x - 0.51 * z, y, 0.51 * x + 0.86 * z};
    };
    const auto turned = [&](DVec3 low, DVec3 high, double off = 0) {
        std::vector<PlanePoints> planes = box_planes(low, high);
        for (PlanePoints& plane : planes) {
            for (std::size_t k = 1; k < 3; ++k) plane[k] = plane[0] + 50.0 * (plane[k] - plane[0]);
            for (DVec3& p : plane) p = at(p.x, p.y, p.z);
        }
        planes[4][0].z += off;
        return brush(planes);
    };
    const std::string sides = turned({0, 0, -16}, {64, 64, 0}) + turned({-16, 0, 0}, {0, 64, 64}) +
                              turned({64, 0, 0}, {80, 64, 64}) + turned({0, -16, 0}, {64, 0, 64}) +
                              turned({0, 64, 0}, {64, 80, 64});
    const DVec3 middle = at(32, 32, 32);
    std::ofstream(folder.file("a.map")) << world(sides + turned({0, 0, 64}, {64, 64, 80}, 0.01)) +
                                               "{ \"classname\" \"info_player_start\" \"origin\" \"" +
                                               number(middle.x) + " " + number(middle.y) + " " +
                                               number(middle.z) + "\" }\n";
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
    EXPECT_EQ(run_program({"compile", folder.file("bad.map"), "--choice", "best"}).code, 2);
}

} // namespace
} // namespace scree
