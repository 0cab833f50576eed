// SPDX-License-Identifier: MIT
// timeline_test.cpp — recordings: scrubbing, playing, and where a run again differs.
#include "view/timeline.h"

#include "scree/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace scree::view {
namespace {

using testing::TemporaryFolder;

/// Ten steps by hand, and a shot, recorded.
Frame record(const std::string& scene, const std::string& file, bool touch = true) {
    Session session(find_scene(scene), {}, scene, {{.threads = 1}});
    session.record(file, 2);
    for (int k = 0; k < 40; ++k) {
        if (touch && k == 11) session.command(Shoot{{0, 2, 4}, {0, 0, -6}});
        session.step();
    }
    session.stop_recording();
    Frame frame;
    session.show(frame, {});
    return frame;
}

ReplayCheck::Progress check(const std::string& file) {
    ReplayCheck replay(file, {.threads = 1});
    replay.wait();
    return replay.progress();
}

/// The frames, with other commands.
void copy_with_commands(const std::string& from, const std::string& to, std::string_view commands) {
    RecordingReader reader(from);
    RecordingWriter writer(to, reader.header());
    writer.add_commands(commands);
    for (std::size_t i = 0; i < reader.frame_count(); ++i)
        writer.add_frame(reader.read(i), reader.info(i).state_hash);
    writer.finish();
}

TEST(Timeline, ShowsTheFramesThatWereRecorded) {
    const TemporaryFolder folder;
    for (const char* scene : {"stack-10", "tower-2", "shapes-zoo"}) {
        const std::string file = folder.file(std::string(scene) + ".rec");
        const Frame end = record(scene, file);
        Timeline timeline(file);
        EXPECT_EQ(timeline.frame_count(), 21u);
        EXPECT_EQ(timeline.frame().step, 0u);
        timeline.go(1000);
        EXPECT_EQ(timeline.at(), 20u);
        const Frame& shown = timeline.frame();
        EXPECT_EQ(shown.step, 40u);
        ASSERT_EQ(shown.size(), end.size());
        EXPECT_EQ(value_of(shown.counters, "awake"), value_of(end.counters, "awake"));
        EXPECT_GT(value_of(shown.measures, "highest centre"), value_of(shown.measures, "lowest centre"));
        ASSERT_EQ(shown.appearance->bodies.size(), end.size());
        for (std::size_t b = 0; b < end.size(); ++b) EXPECT_EQ(shown.pose(b), end.pose(b));
        timeline.go(0); // the ball has not been shot yet
        EXPECT_EQ(timeline.frame().size(), end.size() - 1);
    }
}

TEST(Timeline, PlaysAtItsTimeForwardAndBack) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    record("stack-10", file);
    Timeline timeline(file);
    timeline.advance(1); // not playing
    EXPECT_EQ(timeline.at(), 0u);
    timeline.play(true);
    timeline.advance(0.17);
    EXPECT_EQ(timeline.step_of(timeline.at()), 10u);
    timeline.advance(0.02);
    timeline.advance(0.02);
    EXPECT_EQ(timeline.step_of(timeline.at()), 12u); // what is less than a frame adds up
    timeline.advance(-0.1);
    EXPECT_EQ(timeline.step_of(timeline.at()), 6u);
    EXPECT_TRUE(timeline.playing());
    timeline.advance(100);
    EXPECT_EQ(timeline.at(), 20u);
    EXPECT_FALSE(timeline.playing());
}

TEST(Timeline, ARecordingOfASceneThatIsGoneIsShownAsItWas) {
    const TemporaryFolder folder;
    const std::string scene = folder.file("mine.json"), file = folder.file("a.rec");
    std::FILE* out = std::fopen(scene.c_str(), "wb");
    ASSERT_TRUE(out);
    const std::string_view text = builtin_scene_text("stack-10");
    std::fwrite(text.data(), 1, text.size(), out);
    std::fclose(out);
    record(scene, file);
    std::remove(scene.c_str());
    Timeline timeline(file);
    timeline.go(20);
    EXPECT_EQ(timeline.frame().size(), timeline.frame().appearance->bodies.size());
    for (const AppearanceShape& shape : timeline.frame().appearance->shapes)
        EXPECT_FALSE(shape.parts.empty());
    EXPECT_FALSE(check(file).diverged); // the recording holds the scene
    EXPECT_EQ(check(file).message, "");
    EXPECT_THROW(Timeline(folder.file("none.rec")), Error);
}

TEST(ReplayCheck, ARunAgainWithTheCommandsIsTheSame) {
    const TemporaryFolder folder;
    for (const char* scene : {"stack-10", "tower-2"}) {
        const std::string file = folder.file("same.rec");
        record(scene, file);
        const auto progress = check(file);
        EXPECT_TRUE(progress.done);
        EXPECT_EQ(progress.message, "");
        EXPECT_FALSE(progress.diverged);
        EXPECT_EQ(progress.compared, 21u);
    }
}

TEST(ReplayCheck, MarksTheFrameWhereItDiverges) {
    const TemporaryFolder folder;
    const std::string file = folder.file("other.rec");
    record("stack-10", file);
    // without the shot before step 11 the frame of step 12 is the first that differs
    copy_with_commands(file, folder.file("without.rec"), "");
    const auto progress = check(folder.file("without.rec"));
    ASSERT_TRUE(progress.diverged);
    EXPECT_EQ(*progress.diverged, 6u);
    EXPECT_TRUE(progress.done);
}

TEST(ReplayCheck, SaysWhyItCannotRun) {
    const TemporaryFolder folder;
    EXPECT_NE(check(folder.file("none.rec")).message, "");
    const std::string file = folder.file("bad.rec");
    record("stack-10", file);
    copy_with_commands(file, folder.file("dance.rec"), "12 dance\n");
    EXPECT_NE(check(folder.file("dance.rec")).message.find("dance"), std::string::npos);
}

TEST(ReplayCheck, CanBeStopped) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.rec");
    record("boxes-4096", file, false); // so many that the first comparison comes long after the stop
    ReplayCheck replay(file, {.threads = 1});
    replay.stop();
    EXPECT_TRUE(replay.progress().done);
    EXPECT_LT(replay.progress().compared, 21u);
    EXPECT_EQ(replay.progress().message, "");
}

} // namespace
} // namespace scree::view
