// SPDX-License-Identifier: MIT
// session_test.cpp — a scene with its past: commands, their log, steps back, recordings.
#include "view/session.h"

#include "scree/error.h"
#include "support/param_name.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace scree::view {
namespace {

using testing::TemporaryFolder;

Session open(const std::string& name, const HistoryLimits& limits = {}) {
    return Session(find_scene(name), {}, name, {{.threads = 1}}, limits);
}

void step(Session& session, int count) {
    for (int i = 0; i < count; ++i) session.step();
}

void meddle(Session& session) {
    step(session, 10);
    session.command(Grab{1, {}});
    session.command(DragTo{{2, 4, 1}});
    step(session, 20);
    session.command(DragTo{{-2, 5, 0}});
    step(session, 20);
    session.command(Release{});
    session.command(Shoot{{0, 2, 6}, {0, 1, -9}, 0.25f, 2});
    step(session, 25);
    session.command(ChangeSetting{"gravity", "[1, -5, 0]"});
    step(session, 25);
}

class EitherWorld : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, EitherWorld, ::testing::Values("stack-10", "tower-10-improved", "tower-3"),
                         test::ParamName());

TEST_P(EitherWorld, CommandsAtTheirStepsGiveTheSameBitsAgain) {
    Session first = open(GetParam());
    meddle(first);
    Session untouched = open(GetParam());
    step(untouched, 100);
    EXPECT_NE(first.live().hash(), untouched.live().hash());

    // by way of the log's text, as a recording carries it
    Session again = open(GetParam());
    again.set_future(parse_log(log_text(first.log()), "log"));
    step(again, 100);
    EXPECT_EQ(again.live().hash(), first.live().hash());
}

TEST_P(EitherWorld, StepsBackAndForthMeetTheSameStates) {
    Session session = open(GetParam());
    meddle(session);
    const std::uint64_t end = session.live().hash();
    EXPECT_EQ(session.step_back(37), 37u);
    const std::uint64_t before = session.live().hash();
    step(session, 37);
    EXPECT_EQ(session.live().hash(), end);
    // one at a time
    for (int i = 0; i < 37; ++i) EXPECT_EQ(session.step_back(), 1u);
    EXPECT_EQ(session.live().hash(), before);
    EXPECT_EQ(session.step_back(1000), 63u);
    EXPECT_EQ(session.step_back(), 0u);
    Session fresh = open(GetParam());
    EXPECT_EQ(session.live().hash(), fresh.live().hash());
    EXPECT_EQ(session.live().run().body_count(), fresh.live().run().body_count());
    EXPECT_EQ(session.live().run().appearance()->bodies.size(),
              fresh.live().run().appearance()->bodies.size());
}

TEST_P(EitherWorld, GoesOnWithTheSameBitsOnOtherThreadsAndLanes) {
    Session stays = open(GetParam()), moves = open(GetParam());
    meddle(stays);
    step(moves, 10);
    moves.set_future(stays.log());
    step(moves, 30);
    moves.live().move_to({{.threads = 2, .lanes = 1}});
    step(moves, 60);
    EXPECT_EQ(moves.live().hash(), stays.live().hash());
    EXPECT_THROW(moves.live().move_to("no such device"), Error);
    EXPECT_EQ(moves.live().hash(), stays.live().hash());
}

TEST_P(EitherWorld, StepsBackOverAChangedSetting) {
    // the length of a step is a setting of the scene that not every world knows of
    Session session = open(GetParam()), untouched = open(GetParam());
    step(session, 10);
    session.command(ChangeSetting{"time_step", "0.005"});
    step(session, 10);
    const std::uint64_t end = session.live().hash();
    EXPECT_EQ(session.step_back(15), 15u);
    step(untouched, 5);
    EXPECT_EQ(session.live().hash(), untouched.live().hash());
    EXPECT_EQ(setting_value(session.live().scene(), "time_step"),
              setting_value(untouched.live().scene(), "time_step"));
    EXPECT_EQ(session.time_step(), untouched.time_step());
    step(session, 15); // the change happens again
    EXPECT_EQ(session.live().hash(), end);
}

TEST_P(EitherWorld, RestartIsTheBeginning) {
    Session session = open(GetParam());
    const std::uint64_t begin = session.live().hash();
    meddle(session);
    session.restart();
    EXPECT_EQ(session.live().hash(), begin);
    EXPECT_EQ(session.live().steps_done(), 0u);
    EXPECT_TRUE(session.log().empty());
    step(session, 100);
    Session untouched = open(GetParam());
    step(untouched, 100);
    EXPECT_EQ(session.live().hash(), untouched.live().hash());
}

TEST(ViewSession, RestartIsTheBeginningOfClothAndItsObject) {
    Session session = open("v-pb-1");
    const std::uint64_t begin = session.live().hash();
    step(session, 10);
    session.command(Grab{1, {0, 10, 0}});
    session.command(DragTo{{2, 12, 1}});
    session.command(Act{"object left"});
    step(session, 10);
    session.command(ChangeSetting{"gravity", "[1, -5, 0]"});
    session.command(ChangeSetting{"edges_x", "12"});
    step(session, 10);
    EXPECT_NE(session.live().hash(), begin);
    session.restart();
    EXPECT_EQ(session.live().hash(), begin); // vertices and object
    EXPECT_EQ(session.live().steps_done(), 0u);
    EXPECT_EQ(setting_value(session.live().scene(), "edges_x"),
              setting_value(find_scene("v-pb-1"), "edges_x"));
}

TEST(ViewSession, ANewCommandMakesAnotherFuture) {
    Session session = open("stack-10");
    meddle(session);
    const std::uint64_t end = session.live().hash();
    session.step_back(50);
    EXPECT_EQ(session.whole_log().size(), 6u);
    session.command(Shoot{{0, 3, 5}, {0, 0, -8}});
    EXPECT_EQ(session.whole_log().size(), session.log().size());
    step(session, 50);
    EXPECT_NE(session.live().hash(), end);
}

TEST(ViewSession, HistoryKeepsToItsBytes) {
    Session session = open("stack-10", {1u << 20, 2});
    step(session, 400);
    EXPECT_GT(session.oldest_step(), 0u);
    const std::uint64_t possible = 400 - session.oldest_step();
    EXPECT_EQ(session.step_back(10'000), possible);
    EXPECT_EQ(session.live().steps_done(), session.oldest_step());
}

TEST(ViewSession, RefusedCommandsChangeNothing) {
    Session session = open("stack-10"), other = open("stack-10");
    EXPECT_THROW(session.command(Grab{10'000, {}}), Error);
    EXPECT_THROW(session.command(Shoot{{}, {}, -1, 1}), Error);
    EXPECT_THROW(session.command(ChangeSetting{"substeps", "0"}), Error);
    EXPECT_THROW(session.command(ChangeSetting{"nothing", "0"}), Error);
    EXPECT_TRUE(session.log().empty());
    step(session, 20);
    step(other, 20);
    EXPECT_EQ(session.live().hash(), other.live().hash());
}

TEST(ViewSession, AHeldBodyComesToTheMouseAndNoFasterThanItsWeightsAllow) {
    const HoldSettings hold;
    // far away: as much as allowed, and towards the target
    const Vec3 far = hold_force(hold, 9.81, {.mass = 2}, {100, 0, 0});
    EXPECT_FLOAT_EQ(far.x, static_cast<float>(hold.weights * 2 * 9.81));
    EXPECT_EQ(far.y, 0);
    // damped: a body that is there already and moves on is braked
    EXPECT_LT(hold_force(hold, 9.81, {.velocity = {1, 0, 0}, .mass = 2}, {}).x, 0);
    // without gravity there is still a limit
    EXPECT_FLOAT_EQ(hold_force(hold, 0, {.mass = 2}, {0, 100, 0}).y, far.x);

    for (const char* name : {"stack-10", "tower-2"}) {
        Session session = open(name);
        const auto body = static_cast<std::uint32_t>(session.live().run().body_count() - 1);
        Frame frame;
        session.show(frame, {});
        const Vec3 start = frame.pose(body).position;
        session.command(Grab{body, {}});
        session.command(DragTo{{start.x + 1, start.y + 2, start.z}});
        step(session, 300);
        session.show(frame, {});
        const Vec3 end = frame.pose(body).position;
        EXPECT_NEAR(end.x, start.x + 1, 0.15) << name;
        EXPECT_NEAR(end.y, start.y + 2, 0.25) << name; // its weight stretches the spring
        ASSERT_TRUE(frame.hold);
        EXPECT_EQ(frame.hold->body, body);
    }
}

TEST(ViewSession, RecordsWithTheCommands) {
    const TemporaryFolder folder;
    const std::string file = folder.file("meddled.rec");
    Session session = open("stack-10");
    session.record(file, 5);
    meddle(session);
    EXPECT_EQ(session.recorded(), 21u);
    session.stop_recording();
    EXPECT_FALSE(session.recording());

    RecordingReader reader(file);
    ASSERT_EQ(reader.frame_count(), 21u);
    EXPECT_EQ(reader.info(20).state_hash, session.live().hash());
    EXPECT_EQ(parse_log(reader.commands(), file), session.log());
    EXPECT_EQ(folder.file_count(), 1u);
    // the ball has a shape of its own, the last
    const std::shared_ptr<const Appearance> shown = reader.appearance(20);
    const Appearance& last = *shown;
    EXPECT_EQ(last.bodies.size(), reader.appearance(0)->bodies.size() + 1);
    EXPECT_EQ(last.bodies.back().shape, last.shapes.size() - 1);
    EXPECT_TRUE(std::holds_alternative<Sphere>(last.shapes.back().parts.front().geometry));
}

TEST(ViewSession, StepsBackEndARecording) {
    const TemporaryFolder folder;
    Session session = open("stack-10");
    session.record(folder.file("a.rec"), 1);
    step(session, 10);
    session.step_back(5);
    EXPECT_FALSE(session.recording());
    EXPECT_EQ(RecordingReader(folder.file("a.rec")).frame_count(), 11u);
}

TEST(ViewCommandLog, ReadsWhatItWrites) {
    const std::vector<LoggedCommand> log{{0, Grab{3, {0.1f, -2, 1e-9f}}},
                                         {4, DragTo{{1.0f / 3, 2, 3}}},
                                         {4, Release{}},
                                         {9, Shoot{{1, 2, 3}, {4, 5, 6}, 0.3f, 7}},
                                         {9, ChangeSetting{"gravity", "[0, -1, 0]"}}};
    EXPECT_EQ(parse_log(log_text(log), "log"), log);
}

TEST(ViewCommandLog, RefusesWhatItDoesNotKnow) {
    for (const char* bad : {"x release", "1 jump", "1 drag 1 2", "1 drag 1 2 nan", "5 release\n4 release",
                            "1 release now", "-1 release", "1 shoot 0 0 0 0 0 0 1"})
        EXPECT_THROW(parse_log(bad, "log"), Error) << bad;
    EXPECT_TRUE(parse_log("\n  \n", "log").empty());
}

} // namespace
} // namespace scree::view
