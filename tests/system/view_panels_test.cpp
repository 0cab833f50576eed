// SPDX-License-Identifier: MIT
// view_panels_test.cpp — scree view from outside: menus, panels and their buttons.
#include "system/view_session.h"

#include <gtest/gtest.h>

#if defined(SCREE_HAS_VIEWER) && defined(SCREE_PROGRAM)

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace scree::testing {
namespace {

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

} // namespace
} // namespace scree::testing

#endif
