// SPDX-License-Identifier: MIT
// controls_test.cpp — keys, the help, and the parameter panel.
#include "scene/kind.h"
#include "scree/error.h"
#include "support/param_name.h"
#include "view/actions.h"
#include "view/panel.h"
#include "view/session.h"

#include <gtest/gtest.h>

#include <set>

namespace scree::view {
namespace {

TEST(ViewKeys, EveryActionHasANameAKeyAndHelp) {
    const KeyMap keys;
    std::set<std::string_view> names;
    for (const ActionInfo& action : actions()) {
        EXPECT_EQ(&info(action.action), &action); // the table is in the order of the enum
        EXPECT_TRUE(names.insert(action.name).second) << action.name;
        EXPECT_FALSE(action.help.empty()) << action.name;
        const auto chord = keys.chord(action.action);
        ASSERT_TRUE(chord) << action.name;
        EXPECT_EQ(keys.find(*chord), action.action) << action.name; // and no key has two
    }
    std::set<std::string> in_help;
    for (const HelpLine& line : help_lines(keys)) in_help.insert(line.help);
    for (const ActionInfo& action : actions()) EXPECT_TRUE(in_help.contains(std::string(action.help)));
}

TEST(ViewKeys, ChordsReadBack) {
    for (const char* text : {"Space", "A", "7", "F1", "F25", "Ctrl+R", "Ctrl+Alt+Shift+PageDown", "Comma"}) {
        const auto chord = parse_chord(text);
        ASSERT_TRUE(chord) << text;
        EXPECT_EQ(chord_text(*chord), text);
    }
    EXPECT_EQ(parse_chord("ctrl + r"), parse_chord("Ctrl+R"));
    for (const char* text : {"", "F0", "F26", "Ctrl+", "Strg+R", "AB", "Shift+Shift+A", "+", "ä"})
        EXPECT_FALSE(parse_chord(text)) << text;
}

TEST(ViewKeys, AFileChangesSomeAndKeepsTheRest) {
    KeyMap keys;
    keys.read("# mine\npause = P   # was Space\nparticles = none\n\nstep = Ctrl+N\n", "keys");
    EXPECT_EQ(keys.find({'P'}), Action::pause);
    EXPECT_FALSE(keys.chord(Action::particles));
    EXPECT_EQ(keys.find({'N', false, true, false}), Action::step);
    EXPECT_EQ(keys.find({'R'}), Action::restart);
    // what it writes it reads
    KeyMap again;
    again.read(keys.text(), "text");
    EXPECT_EQ(again.text(), keys.text());
    for (const HelpLine& line : help_lines(keys))
        if (line.help == info(Action::pause).help) {
            EXPECT_EQ(line.key, "P");
        }
}

TEST(ViewKeys, ErrorsNameTheLineAndChangeNothing) {
    KeyMap keys;
    const std::string before = keys.text();
    for (const auto& [text, place] :
         std::vector<std::pair<std::string, std::string>>{{"\njump = J", "keys:2"},
                                                          {"pause = Spce", "keys:1"},
                                                          {"pause", "keys:1"},
                                                          {"step = Space", "keys:1"}}) {
        try {
            keys.read(text, "keys");
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.where(), place) << error.what();
        }
    }
    EXPECT_EQ(keys.text(), before);
}

TEST(ViewKeys, FlyingWorksWithShiftToo) {
    const KeyMap keys;
    EXPECT_EQ(keys.find({'W', true}), Action::forward);
    EXPECT_EQ(keys.find({'S', true}), Action::draw_sleep); // a chord of its own comes first
    EXPECT_FALSE(keys.find({'R', true}));
}

TEST(ViewKeys, TheFormationsOfTheSeedAreScenes) {
    for (int k = 1; k <= 5; ++k) {
        const Scene scene = find_scene(std::string(formation_scene(k)));
        EXPECT_EQ(scene.kind, "granular");
        EXPECT_GT(kind_of(scene).size(scene).items, 0u);
    }
}

class Panel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Panel, ::testing::Values("stack-10", "pile", "v-pb-1"), test::ParamName());

std::vector<Parameter> panel_of(const Scene& scene) {
    const Session session(scene, {}, scene.name, {{.threads = 1}});
    Frame frame;
    session.show(frame, {});
    return parameters(frame.facts->settings);
}

TEST_P(Panel, ShowsEverySettingAndNoSlideLeavesItsLimits) {
    const Scene scene = find_scene(GetParam());
    const std::vector<Parameter> all = panel_of(scene);
    const std::vector<std::string> names = setting_names(scene.kind);
    ASSERT_EQ(all.size(), names.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Parameter& p = all[k];
        EXPECT_EQ(p.name, names[k]);
        EXPECT_EQ(p.value, setting_value(scene, p.name));
        // whatever is slid or nudged is taken by the scene's own check
        std::vector<std::string> values{p.text(p.number[0], p.number[1], p.number[2]), p.nudged(1),
                                        p.nudged(-1)};
        for (const double wild : {-1e30, -1.0, 0.0, 1e-9, 1.0, 1e30, static_cast<double>(NAN)})
            values.push_back(p.text(wild, wild, wild));
        for (const std::string& value : values) {
            Scene changed = scene;
            EXPECT_NO_THROW(apply_setting(changed, p.name, value, "panel")) << p.name << " " << value;
        }
        // what it writes it takes
        for (const std::string& value : values) {
            Parameter other = p;
            other.take(value);
            EXPECT_EQ(other.text(other.number[0], other.number[1], other.number[2]), value) << p.name;
        }
        // and unchanged is unchanged
        Scene same = scene;
        apply_setting(same, p.name, values[0], "panel");
        EXPECT_EQ(setting_value(same, p.name), p.value) << p.name;
    }
}

TEST_P(Panel, NamesAndHelpAreForPeople) {
    for (const Parameter& p : panel_of(find_scene(GetParam()))) {
        EXPECT_EQ(p.label.find('_'), std::string::npos) << p.label;
        EXPECT_TRUE(p.label[0] >= 'A' && p.label[0] <= 'Z') << p.label;
        EXPECT_GT(p.help.size(), 10u) << p.name;
        EXPECT_TRUE(p.name != "sleep_speed" || p.label == "Sleep speed") << p.label;
        EXPECT_TRUE(p.name != "sor_erp" || p.label == "SOR ERP") << p.label;
    }
}

TEST(PanelOfCloth, VectorsKeepToTheirLimits) {
    int seen = 0;
    for (const Parameter& p : panel_of(find_scene("v-pb-1"))) {
        if (p.name == "gravity") {
            EXPECT_EQ(p.text(-1e30, 11, 3), "[-10, 10, 3]");
            ++seen;
        }
        if (p.name == "group_stiffness") {
            EXPECT_EQ(p.text(-1, 0.5, 20), "[0, 0.5, 10]");
            ++seen;
        }
    }
    EXPECT_EQ(seen, 2);
}

TEST_P(Panel, PlusAndMinusMoveWithinTheLimits) {
    const Scene scene = find_scene(GetParam());
    for (const Parameter& p : panel_of(scene)) {
        if (p.kind != Parameter::Kind::number && p.kind != Parameter::Kind::whole) continue;
        const double up = std::stod(p.nudged(1)), down = std::stod(p.nudged(-1));
        EXPECT_GE(up, down) << p.name;
        EXPECT_GE(down, p.least) << p.name;
        EXPECT_LE(up, p.most * (1 + 1e-6)) << p.name;
        EXPECT_TRUE(up > p.number[0] || p.number[0] >= p.most) << p.name;
    }
}

} // namespace
} // namespace scree::view
