// SPDX-License-Identifier: MIT
// rigid_program_test.cpp — the program runs, records, replays and verifies rigid scenes as it does granular ones.

#ifdef SCREE_PROGRAM

#include "system/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

using scree::testing::file_bytes;
using scree::testing::ProgramResult;
using scree::testing::run_program;
using scree::testing::run_verify;
using scree::testing::TemporaryFolder;

TEST(RigidProgram, RunsASceneAndSaysWhatHappened) {
    const ProgramResult result = run_program({"run", "ramp-stays"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("simulated").find("2 bodies of 2 shapes, 300 steps of 0.01667 s = 5 s"),
              std::string::npos)
        << result;
    EXPECT_NE(result.line("speed").find("body-steps/s"), std::string::npos) << result;
    EXPECT_NE(result.line("expected").find("expectations hold"), std::string::npos) << result;
    EXPECT_TRUE(result.complained("ramp-stays: step 30/300, ")) << result;
    const ProgramResult hash = run_program({"run", "ramp-stays", "--threads=1", "--lanes=1", "--hash"});
    EXPECT_EQ(hash.out, result.line("hash") + "\n") << hash;
}

TEST(RigidProgram, TakesSettingsStepsAndBodies) {
    const ProgramResult result = run_program(
        {"run", "stack-10", "--bodies", "4", "--steps", "20", "--dt", "0.01", "--set", "solver=sor"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_NE(result.line("simulated").find("5 bodies of 2 shapes, 20 steps of 0.01 s"), std::string::npos)
        << result;
    EXPECT_NE(result.line("expected").find("not checked"), std::string::npos) << result;
}

TEST(RigidProgram, RecordsAndVerifiesByRunningAgain) {
    const TemporaryFolder folder;
    const std::string rec = folder.file("a.rec"), csv = folder.file("a.csv");
    const ProgramResult result =
        run_program({"run", "spheres-box-500", "--bodies", "30", "--steps", "40", "--every", "10", "--set",
                     "substeps=2", "--record", rec, "--csv", csv});
    EXPECT_EQ(result.code, 0) << result;
    const std::string rows = file_bytes(csv);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 6) << rows;
    EXPECT_NE(rows.find("asleep,mean_overlap,p99_overlap,mean_speed,mean_height,joint_error\n"),
              std::string::npos);
    const ProgramResult info = run_program({"replay", rec});
    EXPECT_EQ(info.line("bodies"), "31 in the last frame") << info;
    EXPECT_EQ(info.line("hash"), result.line("hash") + " at the last frame") << info;
    const ProgramResult again = run_program({"replay", rec, "--verify", "--threads", "2"});
    EXPECT_EQ(again.code, 0) << again;
    EXPECT_TRUE(again.said("VERIFIED")) << again;
}

TEST(RigidProgram, VerifyComparesThreadsLanesAndARestoredWorld) {
    const auto [result, text] = run_verify({"ramp-slides", "interlock-5", "--steps", "40"});
    EXPECT_TRUE(result.said("ramp-slides, rigid mode, 2 bodies, 40 steps")) << result;
    EXPECT_TRUE(result.said("cpu, 8 threads, ")) << result;
    EXPECT_TRUE(result.said("cpu, restored half-way, ")) << result;
    EXPECT_NE(text.find("ramp-slides (rigid, 2 bodies, 40 steps)"), std::string::npos) << text;
}

TEST(RigidProgram, FailsWhenTheSceneIsNotAsExpected) {
    const TemporaryFolder folder;
    const std::string file = folder.file("falls.json");
    std::ofstream(file) << R"({"scree": 1, "kind": "rigid", "title": "a ball falls", "steps": 10,
        "shapes": [{"name": "ball", "sphere": {"radius": 1}}], "bodies": [{"shape": "ball", "position": [0, 5, 0]}],
        "expect": {"top": {"min": 100}}})";
    const ProgramResult result = run_program({"run", file});
    EXPECT_EQ(result.code, 1) << result;
    EXPECT_TRUE(result.complained("FAILED: falls: top is 4.")) << result;
}

TEST(RigidProgram, RefusesWhatOnlyGranularScenesHave) {
    const ProgramResult result = run_program({"run", "stack-10", "--set", "stiffness=3"});
    EXPECT_EQ(result.code, 2) << result;
    EXPECT_TRUE(result.complained("--set stiffness=3: the setting \"stiffness\" is not known")) << result;
}

#endif
