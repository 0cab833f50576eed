// SPDX-License-Identifier: MIT
// springs_test.cpp — a kind of scene that the programs have never heard of (tests/springs) works in all of them.
#include "record/replay.h"
#include "support/temporary_folder.h"
#include "system/program.h"

#ifdef SCREE_HAS_RENDER
#include "render/image.h"
#endif

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace scree {
namespace {

using testing::file_bytes;
using testing::ProgramResult;
using testing::TemporaryFolder;

const std::string net = std::string(SCREE_SOURCE_DIR) + "/tests/springs/net.json";

ProgramResult springs(const std::vector<std::string>& arguments) {
    return testing::run_program(arguments, SCREE_SPRINGS_PROGRAM);
}

TEST(AnotherKind, IsUnknownToTheProgramWithoutIt) {
    const ProgramResult result = testing::run_program({"run", net});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(result.complained("springs")) << result;
}

TEST(AnotherKind, IsRunMeasuredAndChecked) {
    const TemporaryFolder folder;
    const ProgramResult result =
        springs({"run", net, "--csv", folder.file("a.csv"), "--plot", folder.file("a.svg")});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("48 points on 82 springs")) << result;
    EXPECT_TRUE(result.said("2 expectations hold")) << result;
    EXPECT_EQ(file_bytes(folder.file("a.csv")).rfind("step,time,kinetic_energy,bottom,longest\n", 0), 0u);
    EXPECT_NE(file_bytes(folder.file("a.svg")).find("longest"), std::string::npos);
    // a weaker net is longer than its scene expects, and settings are checked
    const ProgramResult weak = springs({"run", net, "--set", "stiffness=5"});
    EXPECT_TRUE(weak.said("not checked")) << weak;
    EXPECT_EQ(springs({"run", net, "--set", "stiffness=-5"}).code, 2);
    EXPECT_TRUE(springs({"run", net, "--set", "stifness=5"}).complained("did you mean \"stiffness\"?"));
}

TEST(AnotherKind, IsVerifiedOverThreadsAndRestored) {
    const ProgramResult result = springs({"verify", net, "--steps", "60"});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("restored half-way")) << result;
    EXPECT_TRUE(result.said("agree")) << result;
}

TEST(AnotherKind, IsRecordedReplayedAndVerifiedFromTheFileAlone) {
    const TemporaryFolder folder;
    const std::string scene = folder.file("mine.json"), recording = folder.file("a.rec");
    std::filesystem::copy_file(net, scene);
    ASSERT_EQ(springs({"run", scene, "--record", recording, "--every", "10"}).code, 0);
    std::filesystem::remove(scene);
    const ProgramResult contents = springs({"replay", recording});
    EXPECT_EQ(contents.code, 0) << contents;
    EXPECT_TRUE(contents.said("48 in the last frame")) << contents;
    const ProgramResult again = springs({"replay", recording, "--verify"});
    EXPECT_EQ(again.code, 0) << again;
    EXPECT_TRUE(again.said("VERIFIED 21 frames")) << again;
    // anyone can look at it, without knowing the kind
    EXPECT_EQ(testing::run_program({"replay", recording}).code, 0);
    EXPECT_EQ(testing::run_program({"replay", recording, "--verify"}).code, 2);
}

TEST(AnotherKind, IsBenchmarked) {
    const TemporaryFolder folder;
    const ProgramResult result = springs({"bench", "scenes", net, "--threads", "1", "--steps", "20",
                                          "--repeat", "2", "--csv", folder.file("a.csv")});
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_TRUE(result.said("ms a step")) << result;
    EXPECT_NE(file_bytes(folder.file("a.csv")).find("net,springs,cpu,1,48,20,"), std::string::npos);
}

#ifdef SCREE_HAS_RENDER
/// Pixels that are clearly blue, as the net is.
int blue(const render::Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto p = image.pixel(x, y);
            count += p[2] > p[0] + 40 && p[2] > 60;
        }
    return count;
}

TEST(AnotherKind, IsRenderedFromTheSceneAndFromItsRecording) {
    const TemporaryFolder folder;
    const std::string recording = folder.file("a.rec");
    ASSERT_EQ(springs({"run", net, "--record", recording, "--every", "100"}).code, 0);
    const ProgramResult first = springs({"render", net, "--size", "320x180", "-o", folder.file("a.png")});
    ASSERT_EQ(first.code, 0) << first;
    ASSERT_EQ(springs({"render", recording, "--size", "320x180", "-o", folder.file("b.png")}).code, 0);
    const render::Image scene = render::read_png(folder.file("a.png")),
                        file = render::read_png(folder.file("b.png"));
    EXPECT_GT(blue(scene), 400);
    EXPECT_LT(render::difference(scene, file, 24).share_above, 0.001);
}
#endif

#ifdef SCREE_HAS_VIEWER
TEST(AnotherKind, IsViewedPulledAndRecordedThere) {
    if (std::system("command -v xvfb-run >/dev/null") != 0) GTEST_SKIP() << "xvfb-run is not installed";
    const TemporaryFolder folder;
    std::ofstream(folder.file("script"))
        << "steps 30\nframes 2\ndrag 240 160 300 120\nsteps 40\nstate " << folder.file("state") << "\n";
    const std::string command = "cd '" + folder.file("") +
                                "' && timeout 300 xvfb-run -a -s '-screen 0 1024x720x24 +extension GLX' "
                                "'" SCREE_SPRINGS_PROGRAM "' view '" +
                                net + "' --script script --size 480x320 --threads 1 >out 2>err </dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << file_bytes(folder.file("err"));
    const std::string state = file_bytes(folder.file("state"));
    EXPECT_NE(state.find("scene = net\n"), std::string::npos) << state;
    EXPECT_NE(state.find("bodies = 48\n"), std::string::npos) << state;
    EXPECT_NE(state.find("stiffness = 300\n"), std::string::npos) << state;
}
#endif

} // namespace
} // namespace scree
