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
