// SPDX-License-Identifier: MIT
// view_test.cpp — scree view from outside, on a display of its own: keys, mouse, menus, pictures, and what goes wrong.
#include "level/map_texts.h"
#include "system/program.h"

#include "support/file_size_limit.h"
#include "support/param_name.h"
#include <gtest/gtest.h>

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include "render/image.h"
#include "scree/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace scree::testing {
namespace {

bool has_xvfb() { return std::system("command -v xvfb-run >/dev/null 2>&1") == 0; }

#define NEEDS_A_DISPLAY()                                                                                    \
    if (!has_xvfb()) GTEST_SKIP() << "xvfb-run is not installed"

struct Session {
    TemporaryFolder folder;
    ProgramResult result;

    std::string file(const std::string& name) const { return folder.file(name); }
    /// What the script's `state NAME` wrote.
    std::map<std::string, std::string> state(const std::string& name) const {
        std::map<std::string, std::string> values;
        std::istringstream lines(file_bytes(file(name)));
        for (std::string line; std::getline(lines, line);)
            if (const std::size_t equals = line.find(" = "); equals != std::string::npos)
                values[line.substr(0, equals)] = line.substr(equals + 3);
        return values;
    }
    render::Image picture(const std::string& name) const { return render::read_png(file(name)); }
};

/// Runs a script in which @ stands for the session's folder.
void view(Session& session, std::string script, const std::string& options) {
    for (std::size_t at = 0; (at = script.find('@', at)) != std::string::npos;)
        script.replace(at, 1, session.folder.file(""));
    std::FILE* out = std::fopen(session.file("script").c_str(), "wb");
    ASSERT_TRUE(out);
    std::fputs(script.c_str(), out);
    std::fclose(out);
    // in the session's folder, where recordings go
    const std::string command =
        "cd '" + session.folder.file("") +
        "' && timeout 500 xvfb-run -a -s '-screen 0 3840x2160x24 +extension GLX' '" SCREE_PROGRAM
        "' view --script '" +
        session.file("script") + "' --threads 1 " + options + " >'" + session.file("out") + "' 2>'" +
        session.file("err") + "' </dev/null";
    const int status = std::system(command.c_str());
    session.result = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_bytes(session.file("out")),
                      file_bytes(session.file("err"))};
    EXPECT_EQ(session.result.code, 0) << session.result;
}

constexpr const char* small = "--size 480x320";

/// How many pixels differ clearly within a part of the picture.
double change(const render::Image& a, const render::Image& b) {
    return render::difference(a, b, 24).share_above;
}

int colours(const render::Image& image) {
    std::map<std::uint32_t, int> seen;
    for (int y = 0; y < image.height; y += 2)
        for (int x = 0; x < image.width; x += 2) {
            const auto p = image.pixel(x, y);
            ++seen[static_cast<std::uint32_t>(p[0] / 16 << 8 | p[1] / 16 << 4 | p[2] / 16)];
        }
    return static_cast<int>(seen.size());
}

/// Entries of the states that a session wrote, by name of the state.
void expect_states(const Session& session,
                   const std::map<std::string, std::map<std::string, std::string>>& expected) {
    for (const auto& [name, entries] : expected) {
        auto state = session.state(name);
        for (const auto& [key, value] : entries) EXPECT_EQ(state[key], value) << key << " of state " << name;
    }
}

TEST(View, KeysDoWhatTheHelpSays) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load tower-2\nsteps 5\nstate @0\nkey N\nkey N\nstate @1\nkey B\nstate @2\nkey R\nstate @3\n"
         "key P\nkey Z\nkey Comma\nkey Comma\nkey F1\nstate @4\nkey Escape\nkey H\nkey L\nstate @5\nkey "
         "2\nstate @6\n"
         "key PageDown\nstate @7\nkey PageUp\nkey PageUp\nstate @8\nkey Space\nframes 60\nkey Space\nstate "
         "@9\n",
         small);
    expect_states(session,
                  {
                      {"0", {{"step", "5"}}},
                      {"1", {{"step", "7"}}},
                      {"2", {{"step", "6"}}},
                      {"3", {{"step", "0"}, {"particles", "1"}}},
                      {"4", {{"particles", "0"}, {"wireframe", "1"}, {"rate", "0.25"}, {"help", "1"}}},
                      {"5", {{"help", "0"}, {"gui", "0"}, {"camera", "1"}}},
                      {"6", {{"scene", "towers-2x2"}}}, // the seed's keys
                      {"7", {{"scene", "towers-4x4"}}}, // as the list has them
                      {"8", {{"scene", "stream-300-improved"}}},
                      {"9", {{"running", "0"}}},
                  });
    EXPECT_NE(session.state("9")["step"], "0"); // it ran in between
}

TEST(View, APlayerWalksThroughADoorByKeysAndSeesPortalsDrawn) {
    NEEDS_A_DISPLAY();
    Session session;
    // the start looks along x, through the door to the second room
    std::ofstream(session.file("rooms.map"))
        << world(room_grid(2, 1)) +
               "{ \"classname\" \"info_player_start\" \"origin\" \"40 64 32\" \"angle\" \"0\" }\n";
    std::ofstream(session.file("rooms.json"))
        << R"({"scree": 1, "kind": "rigid", "title": "two rooms", "steps": 1,
"levels": [{"name": "rooms", "level": {"file": "rooms.map"}}]})";
    view(session,
         "unseen\nload @rooms.json\nsteps 30\nkey U\nframes 2\nsteps 30\nkey H\nframes 2\nstate @start\n"
         "screenshot @plain.png\nkey Shift+P\nframes 2\nscreenshot @portals.png\nkey Shift+P\n"
         "key Shift+C\nframes 2\nscreenshot @cells.png\nkey Shift+C\nframes 2\nscreenshot @again.png\n"
         "keydown W\nframes 1\nsteps 90\nkeyup W\nframes 1\nstate @through\n"
         "keydown S\nframes 1\nsteps 15\nkeyup S\nframes 1\nstate @back\n"
         "keydown D\nframes 1\nsteps 15\nkeyup D\nframes 1\nstate @right\n"
         "keydown A\nframes 1\nsteps 15\nkeyup A\nframes 1\nstate @left\n",
         small);
    const auto eye = [&](const std::string& name) {
        std::istringstream in(session.state(name)["eye"]);
        DVec3 at{};
        in >> at.x >> at.y >> at.z;
        return at;
    };
    const DVec3 start = eye("start"), through = eye("through"), back = eye("back");
    EXPECT_NEAR(start.x, 40 / 32.0, 0.1);
    EXPECT_GT(through.x, 144 / 32.0); // in the second room
    EXPECT_NEAR(through.z, start.z, 0.05);
    EXPECT_NEAR(through.y, start.y, 0.05); // on the same floor
    EXPECT_LT(back.x, through.x - 0.5);
    EXPECT_GT(eye("right").z, back.z + 0.3);
    EXPECT_LT(eye("left").z, eye("right").z - 0.3);
    EXPECT_NEAR(eye("right").x, back.x, 0.2);
    EXPECT_EQ(session.state("through")["camera"], "3");
    const render::Image plain = session.picture("plain.png");
    EXPECT_GT(change(plain, session.picture("portals.png")), 0.0005);
    EXPECT_GT(change(plain, session.picture("cells.png")), 0.0005);
    EXPECT_EQ(change(plain, session.picture("again.png")), 0);
}

TEST(View, AKeyDrawsWhatTheDetectorOfImpactsLooksAt) {
    NEEDS_A_DISPLAY();
    Session session;
    std::ofstream(session.file("rooms.map")) << world(room_grid(2, 1));
    std::ofstream(session.file("rooms.json")) << impacts_in_rooms(R"(, "collision_cells": 0)");
    view(session,
         "unseen\nload @rooms.json\nsteps 1\nkey H\nframes 2\nscreenshot @plain.png\nkey Shift+D\nframes 2\n"
         "screenshot @detector.png\nkey Shift+D\nframes 2\nscreenshot @again.png\n",
         small);
    const render::Image plain = session.picture("plain.png");
    EXPECT_GT(change(plain, session.picture("detector.png")), 0.001);
    EXPECT_EQ(change(plain, session.picture("again.png")), 0);
}

TEST(View, AKeyGoesFromOneCameraOfTheSceneToTheNext) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload v-pb-5\nframes 2\nstate @0\nkey Y\nframes 1\nstate @1\nkey Y\nframes 1\nstate "
         "@2\nkey Home\nframes 1\nstate @home\nkey Y\nframes 1\nstate @3\n",
         small);
    expect_states(session, {{"0", {{"scene_camera", "0"}, {"eye", "8.000 6.000 9.000"}}},
                            {"1", {{"scene_camera", "1"}, {"eye", "13.000 3.000 0.000"}}},
                            {"2", {{"scene_camera", "2"}, {"eye", "0.000 14.000 0.120"}}},
                            {"home", {{"eye", "0.000 14.000 0.120"}}},
                            {"3", {{"scene_camera", "0"}, {"eye", "8.000 6.000 9.000"}}}});
}

TEST(View, ShowsTheStepsThatRunTakes) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session, "load stack-10\nsteps 25\nframes 2\nsteps 15\nstate @end\n", small);
    const ProgramResult run = run_program({"run", "stack-10", "--steps", "40", "--hash"});
    EXPECT_EQ(session.state("end")["hash"] + "\n", run.out) << run;
}

TEST(View, TheMousePullsTurnsZoomsAndSelects) {
    NEEDS_A_DISPLAY();
    Session session;
    // pyramid-10 is framed in the middle of the window
    view(session,
         "load pyramid-10\nframes 2\nmove 240 170\nframes 1\nstate @0\npress left\nmove 250 150\nmove 300 "
         "120\nsteps 20\n"
         "state @held\nscreenshot @held.png\nrelease left\nsteps 1\nstate @free\nclick 240 170\nstate "
         "@selected\n"
         "drag 240 170 300 200 right\nstate @turned\nwheel 3\nstate @near\ndrag 100 100 130 100 "
         "middle\nstate @panned\n"
         "key F\nsteps 1\nstate @shot\nframes 1\nscreenshot @end.png\n",
         small);
    EXPECT_EQ(session.state("0")["held"], "-1");
    EXPECT_NE(session.state("held")["held"], "-1");
    EXPECT_EQ(session.state("held")["eye"], session.state("0")["eye"]); // the camera stays
    EXPECT_EQ(session.state("free")["held"], "-1");
    EXPECT_NE(session.state("selected")["selected"], "-1");
    EXPECT_NE(session.state("turned")["eye"], session.state("selected")["eye"]);
    EXPECT_EQ(session.state("turned")["target"], session.state("selected")["target"]);
    EXPECT_NE(session.state("near")["eye"], session.state("turned")["eye"]);
    EXPECT_EQ(session.state("near")["target"], session.state("turned")["target"]);
    EXPECT_NE(session.state("panned")["target"], session.state("near")["target"]);
    EXPECT_EQ(std::stoi(session.state("shot")["bodies"]), std::stoi(session.state("panned")["bodies"]) + 1);
    EXPECT_GT(change(session.picture("held.png"), session.picture("end.png")), 0.02);
}

TEST(View, FingersAreMouseAndWheel) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load pyramid-10\nframes 2\nstate @0\nfinger 1 down 240 170\nfinger 1 up 240 170\nstate @tapped\n"
         "finger 1 down 200 200\nfinger 2 down 280 200\nfinger 2 move 360 200\nstate @pinched\n"
         "finger 1 move 230 230\nfinger 2 move 390 230\nfinger 1 up 230 230\nfinger 2 up 390 230\nstate "
         "@slid\n",
         small);
    EXPECT_NE(session.state("tapped")["selected"], "-1");
    EXPECT_NE(session.state("pinched")["eye"], session.state("0")["eye"]);
    EXPECT_NE(session.state("slid")["target"], session.state("pinched")["target"]);
}

TEST(View, MenusLoadScenesAndSearchThem) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load stack-10\nkey Tab\nframes 3\nclick_on scene stack-heavy-100\nframes 3\nstate @first\n"
         "click_on search\ntype spinning-t\nframes 2\nscreenshot @search.png\nstate @searched\n"
         "click_on scene spinning-top\nframes 3\nstate @found\nkey R\nframes 1\nclick_on pause\nframes "
         "2\nstate @run\nclick_on pause\nframes 2\nstate @paused\n",
         "--size 640x480");
    expect_states(session, {{"first", {{"scene", "stack-heavy-100"}}}, // the list begins at the current scene
                            {"found", {{"scene", "spinning-top"}}},
                            {"run", {{"running", "1"}}}, // the toolbar's button
                            {"paused", {{"running", "0"}}}});
    EXPECT_FALSE(session.state("searched").contains("item scene stack-10"));
}

TEST(View, LosesNoInputAtThreePicturesASecond) {
    NEEDS_A_DISPLAY();
    const std::vector<SceneInfo> scenes = builtin_scenes_by_group();
    Session session;
    // twenty events come between two pictures: whole clicks, words, drags
    std::string script = "unseen\nload " + scenes[0].name + "\nframes 3\nfps 3\n";
    for (int k = 0; k < 6; ++k) script += "click_on next_scene\n";
    script += "frames 2\nstate @six\nclick_on search\ntype card\nframes 2\nstate @typed\n"
              "click_on scene card-house\nframes 2\nstate @found\nclick 500 300\nkey C\nkey N\nkey N\n"
              "key N\nkey N\nkey P\nkey W\nframes 4\nstate @keys\nkeydown N\nkeydown N\nkeydown N\nkeyup "
              "N\nframes 4\nstate @repeated\nkeydown Ctrl+R\nkeydown Ctrl+R\nkeydown Ctrl+R\nkeyup "
              "Ctrl+R\nframes 4\nstate @recording\n"
              "drag 400 500 450 480 right\nframes 2\nstate @turned\n";
    view(session, script, "--size 1000x700");
    EXPECT_EQ(session.state("six")["scene"], scenes[6].name);
    auto typed = session.state("typed");
    EXPECT_EQ(typed["search"], "card");
    EXPECT_EQ(typed["scene"], scenes[6].name); // the letters are no commands
    EXPECT_EQ(typed["step"], "0");
    EXPECT_EQ(session.state("found")["scene"], "card-house");
    auto keys = session.state("keys");
    EXPECT_EQ(keys["step"], "4");
    EXPECT_EQ(keys["particles"], "0");
    EXPECT_NE(keys["eye"], session.state("found")["eye"]);   // W flew, though it was up before the picture
    EXPECT_EQ(session.state("repeated")["step"], "7");       // a held key repeats steps
    EXPECT_EQ(session.state("recording")["recording"], "1"); // but toggles nothing twice
    EXPECT_NE(session.state("turned")["eye"], session.state("recording")["eye"]);
    EXPECT_LT(std::stod(session.state("turned")["fps"]), 3.5); // or the events above came in many pictures
}

/// Panels by name: left, top, right, bottom.
std::map<std::string, std::array<double, 4>> panels(Session& session, const std::string& name) {
    std::map<std::string, std::array<double, 4>> found;
    for (const auto& [key, value] : session.state(name)) {
        if (!key.starts_with("panel ")) continue;
        std::istringstream numbers(value);
        double x = 0, y = 0, width = 0, height = 0;
        numbers >> x >> y >> width >> height;
        found[key.substr(6)] = {x, y, x + width, y + height};
    }
    return found;
}

TEST(View, NoPanelCoversAnotherAtAnySize) {
    NEEDS_A_DISPLAY();
    for (const char* size : {"800x600", "1280x720", "1920x1080", "3840x2160"}) {
        SCOPED_TRACE(size);
        Session session;
        view(session,
             "unseen\nload tower-10\nsteps 2\nframes 2\nstate @start\nkey Ctrl+R\nsteps 4\nkey "
             "Ctrl+P\nframes 3\n"
             "state @timeline\nkey F3\nframes 3\nstate @all\nscreenshot @all.png\n",
             "--size " + std::string(size));
        const render::Image picture = session.picture("all.png");
        EXPECT_EQ(std::to_string(picture.width) + "x" + std::to_string(picture.height), size);
        EXPECT_GT(colours(picture), 20);
        for (const char* moment : {"start", "timeline", "all"}) {
            const auto all = panels(session, moment);
            EXPECT_TRUE(all.contains("bar"));
            for (const auto& [a, first] : all) {
                EXPECT_LE(first[2], picture.width + 0.5) << a;
                EXPECT_LE(first[3], picture.height + 0.5) << a;
                for (const auto& [b, second] : all) {
                    const bool covers = a < b && first[0] < second[2] && second[0] < first[2] &&
                                        first[1] < second[3] && second[1] < first[3];
                    EXPECT_FALSE(covers) << moment << ": " << a << " covers " << b;
                }
            }
        }
        EXPECT_TRUE(panels(session, "timeline").contains("timeline"));
        EXPECT_TRUE(panels(session, "timeline").contains("messages"));
        // with the list open, more than twelve scenes of it are to be seen
        int listed = 0;
        for (const auto& [key, value] : session.state("start")) listed += key.starts_with("item scene ");
        EXPECT_GT(listed, std::string(size) == "800x600" ? -1 : 12);
    }
}

TEST(View, TheProbeStaysInTheSceneAndOffThePanels) {
    NEEDS_A_DISPLAY();
    Session session;
    // over the ground, at the right end of the scene; then over a panel
    view(session,
         "unseen\nload pyramid-10\nframes 2\nmove 620 400\nframes 2\nstate @scene\nmove 940 600\nframes "
         "2\nstate "
         "@edge\nmove 1100 400\nframes 2\nstate @panel\n",
         "--size 1280x720");
    EXPECT_TRUE(panels(session, "scene").contains("probe"));
    auto edge = panels(session, "edge");
    ASSERT_TRUE(edge.contains("probe"));
    EXPECT_LE(edge["probe"][2], edge["Metrics"][0]);
    EXPECT_FALSE(panels(session, "panel").contains("probe"));
}

TEST(View, CountersAreTrueAsleepAndAfterSteppingBack) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload stack-10\nkey F2\nframes 2\nsteps 16\nstate @16\nsteps 1\nkey B\nframes 2\nstate "
         "@back\nsteps 400\nstate @asleep\n",
         small);
    EXPECT_EQ(session.state("16")["counter awake"], "10");
    EXPECT_EQ(session.state("16")["counter contacts"], "10");
    for (const char* counter : {"awake", "contacts", "pairs"})
        EXPECT_EQ(session.state("back")[std::string("counter ") + counter],
                  session.state("16")[std::string("counter ") + counter]);
    EXPECT_EQ(session.state("asleep")["counter awake"], "0");
    EXPECT_EQ(session.state("asleep")["counter contacts"], "10");
}

TEST(View, TakesAPictureOfTheSceneWithItsPanels) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load pyramid-10\nframes 2\nkey F12\nframes 2\nkey H\nframes 1\nkey F12\nframes 2\nload "
         "stack-10\nframes 2\nkey F12\nframes 2\n",
         "--size 1001x701");
    const render::Image with = session.picture("scree-pyramid-10-1.png"),
                        without = session.picture("scree-pyramid-10-2.png"),
                        other = session.picture("scree-stack-10-1.png");
    for (const render::Image* image : {&with, &without, &other}) {
        EXPECT_EQ(image->width, 1001);
        EXPECT_EQ(image->height, 701);
        EXPECT_GT(colours(*image), 20);
    }
    // the panels are over the scene, and the scene between them is the same
    const auto differ = [&](const render::Image& a, const render::Image& b, int x0, int y0, int x1, int y1) {
        int count = 0;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) {
                const auto p = a.pixel(x, y), q = b.pixel(x, y);
                count += !std::equal(p.begin(), p.end(), q.begin());
            }
        return static_cast<double>(count) / ((x1 - x0) * (y1 - y0));
    };
    EXPECT_GT(differ(with, without, 0, 0, 1001, 40), 0.9);
    EXPECT_GT(differ(with, without, 20, 120, 200, 400), 0.9);
    EXPECT_LT(differ(with, without, 300, 120, 640, 600), 0.001);
    EXPECT_GT(differ(without, other, 300, 120, 640, 600), 0.02);
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

TEST(View, TheCameraTurnsAndZoomsWhileTheSceneRuns) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load pyramid-10\nkey Space\nframes 10\nstate @0\ndrag 240 170 300 200 right\nframes 10\nstate "
         "@1\nwheel 3\nframes 10\nstate @2\n",
         small);
    for (const char* moment : {"0", "1", "2"}) EXPECT_EQ(session.state(moment)["running"], "1");
    EXPECT_NE(session.state("1")["eye"], session.state("0")["eye"]);
    EXPECT_NE(session.state("2")["eye"], session.state("1")["eye"]);
    EXPECT_GT(std::stoi(session.state("1")["step"]), std::stoi(session.state("0")["step"]));
    EXPECT_GT(std::stoi(session.state("2")["step"]), std::stoi(session.state("1")["step"]));
}

TEST(View, KeysOneToFiveResetToTheirFormations) {
    NEEDS_A_DISPLAY();
    Session session;
    std::string script = "load tower-2\n";
    for (const char* key : {"1", "2", "3", "4", "5", "1"})
        script += std::string("steps 2\nkey ") + key + "\nframes 1\nstate @" + key + "\n";
    view(session, script, small);
    const char* scenes[] = {"stream-300", "towers-2x2", "towers-4x4", "towers-6x6", "towers-8x8"};
    for (std::size_t k = 0; k < 5; ++k) {
        auto state = session.state(std::to_string(k + 1));
        EXPECT_EQ(state["scene"], scenes[k]);
        EXPECT_EQ(state["step"], "0");
    }
}

TEST(View, ColoursDifferFromRunToRunUnlessTheSeedIsGiven) {
    NEEDS_A_DISPLAY();
    const auto seed = [](const std::string& options) {
        Session session;
        view(session, "load tower-2\nkey H\nframes 2\nscreenshot @a.png\nstate @0\n",
             "--size 160x120 " + options);
        return std::pair{session.state("0")["colour_seed"], session.picture("a.png")};
    };
    const auto scripted = seed(""), fixed = seed("--colour-seed 0"), told = seed("--colour-seed 99");
    EXPECT_EQ(scripted.first, "0"); // pictures of scripts repeat
    EXPECT_LT(change(scripted.second, fixed.second), 0.001);
    EXPECT_EQ(told.first, "99");
    EXPECT_GT(change(scripted.second, told.second), 0.02);
    // what a window does without being told
    EXPECT_NE(seed("--colour-seed random").first, seed("--colour-seed random").first);
}

TEST(View, ParametersArePulledWithTheMouse) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load stack-10\nkey F3\nframes 2\nstate @0\nscreenshot @panel.png\ndrag_on 30 0 setting "
         "substeps\nframes 2\nstate @1\n",
         "--size 700x600");
    const auto before = session.state("0"), after = session.state("1");
    const std::set<std::string> clock{"hash", "fps", "clock", "passes", "fixed_step"}; // change by themselves
    int changed = 0;
    for (const auto& [name, value] : before)
        if (!clock.contains(name) && !name.starts_with("item ") && !name.starts_with("since ") &&
            after.contains(name))
            changed += after.at(name) != value;
    EXPECT_EQ(changed, 1) << "one slider moves one setting";
    EXPECT_EQ(before.at("substeps"), "8");
    EXPECT_GT(std::stoi(after.at("substeps")), 8);
    EXPECT_EQ(before.at("eye"), after.at("eye"));
}

TEST(View, PlusAndMinusChangeParametersAndGoOnWhileHeld) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload v-pb-1\nclick_on Parameters\nframes 2\nstate @0\nclick_on plus stiffness\nframes "
         "2\nstate @1\nclick_on minus stiffness\nclick_on minus stiffness\nframes 2\nstate @2\nhold_on 90 "
         "plus mass\nframes 2\nstate @3\nclick_on plus gravity\nframes 2\nstate @4\n",
         "--size 700x800");
    const auto value = [&](const char* state, const char* name) {
        return std::stod(session.state(state)[name]);
    };
    EXPECT_GT(value("1", "stiffness"), value("0", "stiffness"));
    EXPECT_LT(value("2", "stiffness"), value("0", "stiffness"));
    EXPECT_GT(value("3", "mass"), 1.5 * value("0", "mass")); // many times
    EXPECT_LE(value("3", "mass"), 50);
    EXPECT_EQ(session.state("0")["gravity"], "[0, -5, 0]");
    EXPECT_EQ(session.state("4")["gravity"], "[0, -5.5, 0]");
}

TEST(View, AButtonThatIsHeldDoesSomethingElse) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload tower-2\nframes 2\nclick_on faster\nframes 1\nstate @fast\nhold_on 40 faster\nframes "
         "1\nstate @full\nhold_on 40 slower\nframes 1\nstate @real\nclick_on slower\nframes 1\nstate @slow\n",
         small);
    expect_states(session, {{"fast", {{"rate", "2"}}},
                            {"full", {{"rate", "inf"}}},
                            {"real", {{"rate", "1"}}},
                            {"slow", {{"rate", "0.5"}}}});
}

TEST(View, ObjectsHaveButtonsWhileTheyAreMovedAndClothIsPulledOtherwise) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload v-pb-1\nsteps 1\nframes 2\nstate @pull\nmove 300 108\npress left\nmove 310 "
         "130\nsteps 1\nstate @pulled\nrelease left\nsteps 1\nclick_on objects\nframes 2\nstate @objects\n"
         "click_on action object up\nsteps 1\nstate @moved\nmove 300 108\npress left\nmove 310 130\nsteps "
         "1\nstate @turned\nrelease left\nkey Ctrl+O\nframes 2\nstate @again\nload tower-2\nframes "
         "2\nstate @none\n",
         "--size 600x700");
    const std::string button = "item action object up";
    expect_states(session, {{"pull", {{"objects", "0"}, {"held", "-1"}}},
                            {"objects", {{"objects", "1"}}},
                            {"turned", {{"objects", "1"}, {"held", "-1"}}},
                            {"again", {{"objects", "0"}}},
                            {"none", {{"objects", "0"}}}});
    EXPECT_NE(session.state("pulled")["held"], "-1");
    EXPECT_EQ(session.state("pulled")["eye"], session.state("pull")["eye"]);
    EXPECT_NE(session.state("turned")["eye"], session.state("pull")["eye"]);
    EXPECT_FALSE(session.state("pull").contains(button));
    EXPECT_TRUE(session.state("objects").contains(button));
    EXPECT_FALSE(session.state("again").contains(button));
    EXPECT_FALSE(session.state("none").contains("panel actions"));
    // the same steps with the object where it was
    Session alone;
    view(alone,
         "unseen\nload v-pb-1\nsteps 1\nframes 2\nmove 300 108\npress left\nmove 310 130\nsteps 1\nrelease "
         "left\nsteps 1\nframes 4\nsteps 1\nstate @still\n",
         "--size 600x700");
    EXPECT_EQ(alone.state("still")["step"], session.state("moved")["step"]);
    EXPECT_NE(alone.state("still")["hash"], session.state("moved")["hash"]);
}

TEST(View, TheExitButtonEndsTheProgram) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session, "load tower-2\nframes 2\nstate @before\nclick_on quit\nframes 3\nstate @after\n", small);
    EXPECT_EQ(session.state("before")["scene"], "tower-2");
    EXPECT_TRUE(session.state("after").empty()); // the script had not ended
}

TEST(View, GravityTiltsWithThePicture) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "unseen\nload v-pb-1\nframes 2\nstate @0\nkey Ctrl+Right\nkey Ctrl+Right\nframes 2\nstate "
         "@right\nkey "
         "Ctrl+Left\nkey Ctrl+Left\nkey Ctrl+Up\nframes 2\nstate @away\nkey Ctrl+Down\nkey "
         "Ctrl+Down\nframes 2\nstate @near\n",
         small);
    const auto three = [](const std::string& text) {
        std::array<double, 3> v{};
        std::string plain = text;
        std::replace_if(
            plain.begin(), plain.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
        std::istringstream numbers(plain);
        numbers >> v[0] >> v[1] >> v[2];
        return v;
    };
    auto begin = session.state("0");
    const auto eye = three(begin["eye"]), target = three(begin["target"]);
    const double x = target[0] - eye[0], z = target[2] - eye[2], far = std::hypot(x, z);
    // along the picture's right, and away from the eye
    const auto along = [&](const char* state) {
        const auto g = three(session.state(state)["gravity"]);
        EXPECT_NEAR(std::hypot(g[0], g[1], g[2]), 5, 1e-4) << state;
        return std::pair{(-g[0] * z + g[2] * x) / far / 5, (g[0] * x + g[2] * z) / far / 5};
    };
    EXPECT_NEAR(along("right").first, std::sin(10 * 3.14159265 / 180), 1e-4);
    EXPECT_NEAR(along("right").second, 0, 1e-4);
    EXPECT_NEAR(along("away").first, 0, 1e-4);
    EXPECT_NEAR(along("away").second, std::sin(5 * 3.14159265 / 180), 1e-4);
    EXPECT_NEAR(along("near").second, -std::sin(5 * 3.14159265 / 180), 1e-4);
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

TEST(View, FilmsWhatTheWindowShows) {
    NEEDS_A_DISPLAY();
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
    Session session;
    view(session, "load tower-2\nkey F11\nframes 6\nkey F11\nframes 1\nkey F12\nframes 2\n",
         "--size 321x241");
    EXPECT_GT(file_bytes(session.file("scree-tower-2-1.mp4")).size(), 500u);
    EXPECT_EQ(session.picture("scree-tower-2-1.png").width, 321);
}

TEST(View, DrawsWhatIsAskedFor) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load pyramid-10\nsteps 4\nkey H\nframes 1\nscreenshot @plain.png\nkey Z\nframes 1\nscreenshot "
         "@wire.png\nkey Z\n"
         "key Z\nkey I\nframes 2\nscreenshot @islands.png\nkey I\nkey C\nkey Shift+F\nframes 2\nscreenshot "
         "@forces.png\n"
         "key C\nkey Shift+F\nframes 2\nscreenshot @again.png\n",
         small);
    const render::Image plain = session.picture("plain.png");
    EXPECT_GT(colours(plain), 20);
    EXPECT_GT(change(plain, session.picture("wire.png")), 0.02);
    EXPECT_GT(change(plain, session.picture("islands.png")), 0.02);
    EXPECT_GT(change(plain, session.picture("forces.png")), 0.005);
    EXPECT_LT(change(plain, session.picture("again.png")), 0.001); // toggles leave nothing behind
}

TEST(View, WireframeIsEdgesAloneThenEdgesOnSurfacesThenNone) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load pyramid-10\nsteps 4\nkey H\nframes 1\nstate @0\nscreenshot @0.png\nkey Z\nframes 1\nstate "
         "@1\nscreenshot @1.png\nkey Z\nframes 1\nstate @2\nscreenshot @2.png\nkey Z\nframes 1\nstate "
         "@3\nscreenshot @3.png\n",
         small);
    for (const char* mode : {"0", "1", "2"}) EXPECT_EQ(session.state(mode)["wireframe"], mode);
    EXPECT_EQ(session.state("3")["wireframe"], "0");
    const render::Image plain = session.picture("0.png");
    const double edges = change(plain, session.picture("1.png")),
                 both = change(plain, session.picture("2.png"));
    // edges alone take the faces away; on surfaces they change a few lines
    EXPECT_GT(both, 0.003);
    EXPECT_GT(edges, 2 * both);
    EXPECT_LT(change(plain, session.picture("3.png")), 0.001);
}

TEST(View, ABallIsRoundInAWindowOfAnyShape) {
    NEEDS_A_DISPLAY();
    Session session;
    std::FILE* scene = std::fopen(session.file("ball.json").c_str(), "wb");
    ASSERT_TRUE(scene);
    std::fputs(
        R"({"scree": 1, "kind": "rigid", "title": "a red ball", "steps": 1, "world": {"gravity": [0, 0, 0]},
                   "shapes": [{"name": "ball", "sphere": {"radius": 1}, "paint": {"colour": "#ff0000"}}],
                   "bodies": [{"shape": "ball", "position": [0, 5, 0]}]})",
        scene);
    std::fclose(scene);
    view(session,
         "load @ball.json\nkey H\nframes 2\nscreenshot @0.png\nresize 640 240\nframes 3\nscreenshot @1.png\n"
         "resize 260 500\nframes 3\nscreenshot @2.png\n",
         small);
    for (const char* name : {"0.png", "1.png", "2.png"}) {
        const render::Image image = session.picture(name);
        int left = image.width, right = -1, top = image.height, bottom = -1;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const auto p = image.pixel(x, y);
                if (p[0] < 2 * std::max(p[1], p[2]) + 20) continue;
                left = std::min(left, x), right = std::max(right, x);
                top = std::min(top, y), bottom = std::max(bottom, y);
            }
        ASSERT_GT(right - left, 30) << name;
        EXPECT_NEAR(static_cast<double>(right - left) / (bottom - top), 1, 0.06) << name;
    }
}

TEST(View, SurvivesNoSizeAndALostContext) {
    NEEDS_A_DISPLAY();
    Session session;
    view(session,
         "load stack-10\nsteps 5\nkey H\nframes 2\nscreenshot @before.png\nresize 0 0\nframes 3\nsteps "
         "3\nresize 480 320\n"
         "frames 3\nkey B\nkey B\nkey B\nframes 2\nscreenshot @resized.png\nlose_context\nframes "
         "3\nscreenshot @after.png\n"
         "resize 600 200\nframes 3\nscreenshot @wide.png\nstate @end\n",
         small);
    const render::Image before = session.picture("before.png");
    EXPECT_LT(change(before, session.picture("resized.png")), 0.001);
    EXPECT_LT(change(before, session.picture("after.png")), 0.001);
    EXPECT_EQ(session.picture("wide.png").width, 600);
    EXPECT_EQ(session.state("end")["window"], "600 200");
    EXPECT_EQ(session.state("end")["contexts"], "2");
    EXPECT_NE(session.result.err.find("the graphics context was lost"), std::string::npos);
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

TEST(View, DrawsTheSameWithOpenGlEs) {
    NEEDS_A_DISPLAY();
    Session gl, gles;
    const char* script = "load shapes-zoo\nsteps 10\nkey H\nframes 2\nscreenshot @a.png\n";
    view(gl, script, small);
    view(gles, script, std::string(small) + " --gles");
    EXPECT_LT(change(gl.picture("a.png"), gles.picture("a.png")), 0.005);
}

TEST(View, OpensBuiltInScenes) {
    NEEDS_A_DISPLAY();
    Session session;
    std::string script = "key H\n";
    // one in eight: the neighbours of each are of its kind, and other tests run every scene without a window
    const std::vector<SceneInfo> all = builtin_scenes();
    std::vector<SceneInfo> scenes;
    for (std::size_t k = 0; k < all.size(); k += 8)
        if (!test::few_bodies(all[k].name).bodies) scenes.push_back(all[k]);
    for (const SceneInfo& scene : scenes)
        script += "load " + scene.name + "\nsteps 1\nframes 1\nscreenshot @" + scene.name + ".png\nstate @" +
                  scene.name + "\n";
    view(session, script, "--size 128x96");
    for (const SceneInfo& scene : scenes) {
        EXPECT_EQ(session.state(scene.name)["scene"], scene.name);
        EXPECT_EQ(session.state(scene.name)["step"], "1");
        EXPECT_GT(colours(session.picture(scene.name + ".png")), 3) << scene.name; // not just a background
    }
}

TEST(View, SaysWhatIsWrong) {
    // no display: a clear message, at once
    const std::string without = "env -u DISPLAY -u WAYLAND_DISPLAY '" SCREE_PROGRAM "' view stack-10 2>&1";
    std::string said;
    std::FILE* pipe = popen(without.c_str(), "r");
    ASSERT_TRUE(pipe);
    for (char text[256]; std::fgets(text, sizeof text, pipe);) said += text;
    EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 2);
    EXPECT_NE(said.find("no display"), std::string::npos) << said;
    EXPECT_NE(said.find("scree render"), std::string::npos) << said;

    EXPECT_TRUE(run_program({"view", "no-such-scene"}).complained("no-such-scene"));
    EXPECT_TRUE(run_program({"view", "--size", "10x10"}).complained("--size"));
    EXPECT_TRUE(run_program({"view", "--tour", "0"}).complained("--tour"));
    EXPECT_TRUE(run_program({"view", "--colour-seed", "red"}).complained("random or an integer"));
    EXPECT_TRUE(
        run_program({"view", "--keys", "/no/such/file"}).complained("/no/such/file: cannot be opened"));
    EXPECT_TRUE(run_program({"view", "--script", "/no/such/file"}).complained("/no/such/file"));
    EXPECT_TRUE(run_program({"view", "--keys", "print"}).said("pause = Space"));
    const TemporaryFolder folder;
    std::FILE* out = std::fopen(folder.file("s").c_str(), "wb");
    std::fputs("frames 1\ndance\n", out);
    std::fclose(out);
    EXPECT_TRUE(run_program({"view", "--script", folder.file("s")}).complained("s:2: \"dance\""));
}

} // namespace
} // namespace scree::testing

#endif
