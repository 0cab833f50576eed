// SPDX-License-Identifier: MIT
// view_input_test.cpp — scree view from outside: what keys, mouse and fingers do.
#include "level/map_texts.h"
#include "system/view_session.h"

#include <gtest/gtest.h>

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include "scree/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace scree::testing {
namespace {

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

} // namespace
} // namespace scree::testing

#endif
