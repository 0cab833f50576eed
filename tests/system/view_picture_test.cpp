// SPDX-License-Identifier: MIT
// view_picture_test.cpp — scree view from outside: what its window shows, films and keeps, and what it says when it cannot.
#include "support/param_name.h"
#include "system/view_session.h"

#include <gtest/gtest.h>

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include "scree/scene.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace scree::testing {
namespace {

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
