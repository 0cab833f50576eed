// SPDX-License-Identifier: MIT
// view_run_test.cpp — scree view from outside: steps, recordings, tours, and the passes of its loop.
#include "support/file_size_limit.h"
#include "system/view_session.h"

#include <gtest/gtest.h>

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include "scree/scene.h"

#include <string>
#include <vector>

namespace scree::testing {
namespace {

TEST(View, ShowsTheStepsThatRunTakes) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session, "load stack-10\nsteps 25\nframes 2\nsteps 15\nstate @end\n", small);
    const ProgramResult run = run_program({"run", "stack-10", "--steps", "40", "--hash"});
    EXPECT_EQ(session.state("end")["hash"] + "\n", run.out) << run;
}

TEST(View, RecordsScrubsAndFindsThatARunAgainIsTheSame) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load card-house\nframes 1\nkey Ctrl+R\nsteps 10\nmove 320 230\nkey F\nsteps 20\nkey Ctrl+P\nframes "
         "2\n"
         "state @begin\nkey N\nkey N\nstate @third\nclick_on Check\nframes 2\nstate @checked\nkey "
         "Ctrl+P\nframes 2\nstate @back\n",
         "--size 640x480");
    expect_states(session, {{"begin", {{"timeline", "0"}}},
                            {"third", {{"timeline", "2"}, {"step", "4"}}},
                            {"checked", {{"compared", "16"}, {"diverged", "-1"}}},
                            {"back", {{"timeline", "-1"}, {"step", "30"}}}});
    // what was recorded by hand is a recording like any other
    EXPECT_TRUE(run_program({"replay", session.file("scree-card-house-1.rec")}).said("16, steps 0 to 30"));
}

TEST(View, ATourShowsOneSceneAfterAnother) {
    NEEDS_A_DISPLAY();
    const std::vector<SceneInfo> scenes = builtin_scenes_by_group();
    Session session;
    // a quarter of a second each: 15 pictures of the script's time
    view(session,
         "frames 2\nstate @0\nframes 22\nstate @1\nkey Ctrl+T\nframes 25\nstate @ended\nload " +
             scenes.back().name +
             "\nkey Ctrl+T\nframes 22\nstate @round\nkey Space\nframes 25\nstate @paused\n",
         "--tour 0.25 --size 160x120");
    EXPECT_EQ(session.state("0")["scene"], scenes.front().name);
    EXPECT_EQ(session.state("0")["tour"], "0.25");
    EXPECT_EQ(session.state("0")["running"], "1");
    EXPECT_EQ(session.state("1")["scene"], scenes[1].name);
    EXPECT_EQ(session.state("1")["running"], "1");
    EXPECT_EQ(session.state("ended")["scene"], scenes[1].name);
    EXPECT_EQ(session.state("ended")["tour"], "0");
    EXPECT_EQ(session.state("round")["scene"], scenes.front().name);  // from the last to the first
    EXPECT_EQ(session.state("paused")["scene"], scenes.front().name); // who pauses wants to look
}

TEST(View, AStepLastsAsLongAsTheFirstTenPicturesIfAskedTo) {
    NEEDS_A_DISPLAY();
    for (const bool asked : {false, true}) {
        Session session;
        view(session,
             "unseen\nfps 25\nload v-pb-1\nframes 15\nstate @0\nfps 50\nframes 2\nstate @a\nframes 5\nstate "
             "@1\n",
             std::string(small) + (asked ? " --picture-step" : ""));
        auto first = session.state("0"), later = session.state("a"), then = session.state("1");
        // the first pictures come before the script can say how many a second
        const double fixed = std::stod(first["fixed_step"]);
        EXPECT_GT(fixed, 0.03);
        EXPECT_LE(fixed, 0.04);
        EXPECT_NEAR(std::stod(first["time_step"]), asked ? fixed : 1 / 60.0, 1e-6) << asked;
        EXPECT_EQ(then["time_step"], first["time_step"]);
        EXPECT_EQ(then["fixed_step"], first["fixed_step"]);
        EXPECT_GT(std::stoi(first["passes"]), 14);
        EXPECT_NEAR(std::stod(then["clock"]) - std::stod(later["clock"]),
                    0.02 * (std::stoi(then["passes"]) - std::stoi(later["passes"])), 1e-4);
        EXPECT_GT(std::stoi(then["passes"]), std::stoi(later["passes"]));
    }
}

TEST(View, APassOfTheLoopIsEventsTimerInputOneStepAndAPictureIfAskedTo) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load v-pb-1\nframes 3\nstate @paused\nkey Space\nframes 2\nstate @a\nframes 7\nstate @b\nkey "
         "Space\nframes 2\nstate @c\nframes 3\nstate @d\n",
         std::string(small) + " --picture-step");
    const auto number = [&](const char* state, const char* name) {
        return std::stod(session.state(state)[name]);
    };
    EXPECT_EQ(number("paused", "step"), 0);
    EXPECT_GT(number("a", "step"), 0);
    EXPECT_EQ(number("b", "step") - number("a", "step"), number("b", "passes") - number("a", "passes"));
    EXPECT_EQ(number("c", "step"), number("d", "step"));
    // of the last pass: what came first is longest ago; the state is asked for with the input, so the rest is of the pass before
    EXPECT_GT(number("b", "since step"), number("b", "since picture"));
    EXPECT_GT(number("b", "since picture"), number("b", "since events"));
    EXPECT_GT(number("b", "since events"), number("b", "since input"));
    EXPECT_EQ(number("b", "running"), 1);
}

TEST(View, AStepAPictureStandsStillWhenTheDiskOfARecordingIsFull) {
    NEEDS_A_DISPLAY();
    Session session;
    {
        const FileSizeLimit limit(24 << 10);
        view(session,
             "load v-pb-1\nunseen\nframes 2\nkey Ctrl+R\nframes 2\nkey Space\nframes 100\nstate @full\n",
             std::string(small) + " --picture-step");
    }
    EXPECT_EQ(session.state("full")["running"], "0");
    EXPECT_GT(std::stoi(session.state("full")["step"]), 10);
}

TEST(View, StandsStillWhileItIsMinimisedAndGoesOnAfterIt) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load stack-10\nkey Shift+Slash\nkey Space\nframes 8\nstate @runs\nresize 0 0\nframes 5\nstate "
         "@hidden\nframes 20\nstate @still\nresize 480 320\nframes 10\nstate @again\nkey Space\nframes "
         "5\nstate @paused\nresize 0 0\nframes 3\nresize 480 320\nframes 3\nstate @end\n",
         small);
    const auto step = [&](const char* name) { return std::stoi(session.state(name)["step"]); };
    EXPECT_GT(step("runs"), 0);
    EXPECT_EQ(step("still"), step("hidden"));
    EXPECT_GT(step("again"), step("still"));
    EXPECT_EQ(step("end"), step("paused")); // what stood still before does so after it
    expect_states(session, {{"runs", {{"running", "1"}}},
                            {"hidden", {{"running", "0"}}},
                            {"again", {{"running", "1"}}},
                            {"end", {{"running", "0"}}}});
}

} // namespace
} // namespace scree::testing

#endif
