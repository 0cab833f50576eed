// SPDX-License-Identifier: MIT
// actions.cpp — the table of actions; see actions.h.
#include "view/actions.h"

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace scree::view {
namespace {

using A = Action;
using G = ActionGroup;

// clang-format off
constexpr ActionInfo table[] = {
    {A::pause, "pause", G::time, "Space", "run or pause"},
    {A::step, "step", G::time, "N", "one step", false, true},
    {A::step_back, "step_back", G::time, "B", "one step back", false, true},
    {A::restart, "restart", G::time, "R", "begin the scene again"},
    {A::slower, "slower", G::time, "Comma", "half the rate"},
    {A::faster, "faster", G::time, "Period", "twice the rate"},
    {A::real_time, "real_time", G::time, "Slash", "real time"},
    {A::full_speed, "full_speed", G::time, "Shift+Slash", "as fast as possible"},

    {A::next_scene, "next_scene", G::scenes, "PageDown", "next scene"},
    {A::previous_scene, "previous_scene", G::scenes, "PageUp", "scene before"},
    {A::tour, "tour", G::scenes, "Ctrl+T", "all scenes in turn"},
    {A::scene_browser, "scene_browser", G::scenes, "Tab", "browse the scenes"},
    {A::formation_1, "formation_1", G::scenes, "1", "a stream (particle scenes)"},
    {A::formation_2, "formation_2", G::scenes, "2", "2 x 2 towers"},
    {A::formation_3, "formation_3", G::scenes, "3", "4 x 4 towers"},
    {A::formation_4, "formation_4", G::scenes, "4", "6 x 6 towers"},
    {A::formation_5, "formation_5", G::scenes, "5", "8 x 8 towers"},

    {A::shoot, "shoot", G::touch, "F", "shoot a ball at the cursor"},
    {A::select, "select", G::touch, "X", "select what is there"},
    {A::release, "release", G::touch, "Escape", "let go, select nothing"},
    {A::objects, "objects", G::touch, "Ctrl+O", "move objects or pull"},
    {A::tilt_left, "tilt_left", G::touch, "Ctrl+Left", "tilt gravity to the left", false, true},
    {A::tilt_right, "tilt_right", G::touch, "Ctrl+Right", "tilt gravity to the right", false, true},
    {A::tilt_away, "tilt_away", G::touch, "Ctrl+Up", "tilt gravity away", false, true},
    {A::tilt_near, "tilt_near", G::touch, "Ctrl+Down", "tilt gravity to you", false, true},

    {A::orbit, "orbit", G::camera, "O", "camera circles a point"},
    {A::fly, "fly", G::camera, "L", "camera flies"},
    {A::follow, "follow", G::camera, "K", "camera follows the selected"},
    {A::walk, "walk", G::camera, "U", "walk as a player"},
    {A::frame_all, "frame_all", G::camera, "Home", "see everything"},
    {A::next_camera, "next_camera", G::camera, "Y", "the scene's next camera"},
    {A::forward, "forward", G::camera, "W", "fly or walk ahead", true},
    {A::backward, "backward", G::camera, "S", "fly or walk back", true},
    {A::left, "left", G::camera, "A", "fly or walk left", true},
    {A::right, "right", G::camera, "D", "fly or walk right", true},
    {A::up, "up", G::camera, "E", "fly up; walking: jump", true},
    {A::down, "down", G::camera, "Q", "fly down; walking: crouch", true},

    {A::wireframe, "wireframe", G::drawing, "Z", "surfaces, edges, both"},
    {A::particles, "particles", G::drawing, "P", "particles or whole bodies"},
    {A::shapes, "shapes", G::drawing, "Shift+Z", "surfaces on or off"},
    {A::draw_bounds, "bounds", G::drawing, "Shift+B", "bounds"},
    {A::draw_tree, "tree", G::drawing, "Shift+T", "tree of bounds"},
    {A::draw_contacts, "contacts", G::drawing, "C", "contact points"},
    {A::draw_normals, "normals", G::drawing, "Shift+N", "contact normals"},
    {A::draw_forces, "forces", G::drawing, "Shift+F", "contact forces"},
    {A::draw_features, "features", G::drawing, "Shift+E", "feature ids of contacts"},
    {A::draw_joints, "joints", G::drawing, "J", "joints"},
    {A::draw_centres, "centres", G::drawing, "M", "centres of mass"},
    {A::draw_velocities, "velocities", G::drawing, "V", "velocities"},
    {A::draw_sleep, "sleep", G::drawing, "Shift+S", "colour by sleep"},
    {A::draw_islands, "islands", G::drawing, "I", "colour by island"},
    {A::draw_colours, "colours", G::drawing, "G", "contacts in the graph's colours"},
    {A::draw_names, "names", G::drawing, "T", "names and numbers of bodies"},
    {A::draw_cells, "cells", G::drawing, "Shift+C", "cells of a level"},
    {A::draw_portals, "portals", G::drawing, "Shift+P", "portals of a level"},
    {A::draw_detector, "detector", G::drawing, "Shift+D", "ways, pairs and cells of impacts"},

    {A::metrics, "metrics", G::windows, "F2", "metrics"},
    {A::parameters, "parameters", G::windows, "F3", "parameters"},
    {A::help, "help", G::windows, "F1", "this help"},
    {A::hide_ui, "hide_ui", G::windows, "H", "hide all windows"},

    {A::record, "record", G::output, "Ctrl+R", "begin or end a recording"},
    {A::play_recording, "play_recording", G::output, "Ctrl+P", "the last recording, and back"},
    {A::screenshot, "screenshot", G::output, "F12", "write a picture"},
    {A::video, "video", G::output, "F11", "begin or end a video"},
    {A::quit, "quit", G::output, "Ctrl+Q", "leave"},
};
// clang-format on
static_assert(std::size(table) == static_cast<std::size_t>(Action::count));

struct KeyName {
    int key;
    std::string_view name;
};
// GLFW's numbers; letters and digits are their ASCII codes
constexpr KeyName named_keys[] = {
    {32, "Space"},        {39, "Apostrophe"}, {44, "Comma"},   {45, "Minus"},       {46, "Period"},
    {47, "Slash"},        {59, "Semicolon"},  {61, "Equal"},   {91, "LeftBracket"}, {92, "Backslash"},
    {93, "RightBracket"}, {96, "Grave"},      {256, "Escape"}, {257, "Enter"},      {258, "Tab"},
    {259, "Backspace"},   {260, "Insert"},    {261, "Delete"}, {262, "Right"},      {263, "Left"},
    {264, "Down"},        {265, "Up"},        {266, "PageUp"}, {267, "PageDown"},   {268, "Home"},
    {269, "End"},         {284, "Pause"}};
constexpr int first_function_key = 290; // F1 … F25

bool same(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t\r");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

int key_of(std::string_view name) {
    if (name.empty()) return 0;
    if (name.size() == 1) {
        const char c = name[0];
        if (c >= 'a' && c <= 'z') return c - 32;
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return c;
        return 0;
    }
    for (const KeyName& key : named_keys)
        if (same(key.name, name)) return key.key;
    if (name.size() <= 3 && (name[0] == 'F' || name[0] == 'f')) {
        int number = 0;
        for (const char c : name.substr(1)) {
            if (c < '0' || c > '9') return 0;
            number = 10 * number + (c - '0');
        }
        if (number >= 1 && number <= 25 && name[1] != '0') return first_function_key + number - 1;
    }
    return 0;
}

} // namespace

std::span<const ActionInfo> actions() { return table; }
const ActionInfo& info(Action action) { return table[static_cast<std::size_t>(action)]; }

std::string_view group_title(ActionGroup group) {
    constexpr std::array<std::string_view, 7> titles{"Time",    "Scenes",  "Touch", "Camera",
                                                     "Windows", "Drawing", "Output"};
    return titles[static_cast<std::size_t>(group)];
}

std::optional<Chord> parse_chord(std::string_view text) {
    Chord chord;
    for (;;) {
        text = trimmed(text);
        const std::size_t plus = text.find('+');
        if (plus == std::string_view::npos) break;
        const std::string_view word = trimmed(text.substr(0, plus));
        bool& modifier = same(word, "Shift") ? chord.shift : same(word, "Ctrl") ? chord.control : chord.alt;
        if ((&modifier == &chord.alt && !same(word, "Alt")) || modifier) return std::nullopt;
        modifier = true;
        text.remove_prefix(plus + 1);
    }
    chord.key = key_of(text);
    if (chord.key == 0) return std::nullopt;
    return chord;
}

std::string chord_text(const Chord& chord) {
    std::string text;
    if (chord.control) text += "Ctrl+";
    if (chord.alt) text += "Alt+";
    if (chord.shift) text += "Shift+";
    for (const KeyName& key : named_keys)
        if (key.key == chord.key) return text + std::string(key.name);
    if (chord.key >= first_function_key && chord.key < first_function_key + 25)
        return text + "F" + std::to_string(chord.key - first_function_key + 1);
    return text + static_cast<char>(chord.key);
}

KeyMap::KeyMap() {
    for (const ActionInfo& action : table) chords_.push_back(parse_chord(action.key));
}

void KeyMap::read(const std::string& text, const std::string& where) {
    std::vector<std::optional<Chord>> chords = chords_;
    std::istringstream lines(text);
    std::string content;
    std::vector<int> line_of(chords.size(), 0);
    for (int number = 1; std::getline(lines, content); ++number) {
        const std::string place = where + ":" + std::to_string(number);
        const std::string_view line = trimmed(std::string_view(content).substr(0, content.find('#')));
        if (line.empty()) continue;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) throw Error("expected ACTION = KEY", place);
        const std::string name(trimmed(line.substr(0, equals))), key(trimmed(line.substr(equals + 1)));
        const auto found = std::find_if(std::begin(table), std::end(table),
                                        [&](const ActionInfo& a) { return a.name == name; });
        if (found == std::end(table))
            throw Error("\"" + name + "\" is not an action; scree view --keys lists them", place);
        const auto at = static_cast<std::size_t>(found - std::begin(table));
        chords[at] = parse_chord(key);
        line_of[at] = number;
        if (!chords[at] && !same(key, "none"))
            throw Error("\"" + key +
                            "\" is not a key; expected one such as Space, F5 or Ctrl+Shift+R, or none",
                        place);
    }
    for (std::size_t a = 0; a < chords.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (const auto& chord = chords[a]; chord && chord == chords[b])
                throw Error(chord_text(*chord) + " is both \"" + std::string(table[b].name) + "\" and \"" +
                                std::string(table[a].name) + "\"",
                            where + ":" + std::to_string(std::max(line_of[a], line_of[b])));
    chords_ = std::move(chords);
}

std::string KeyMap::text() const {
    std::string text;
    std::optional<ActionGroup> group;
    for (const ActionInfo& action : table) {
        if (group != action.group)
            text += (group ? "\n# " : "# ") + std::string(group_title(action.group)) + "\n";
        group = action.group;
        const auto& chord = chords_[static_cast<std::size_t>(action.action)];
        std::string line = std::string(action.name) + " = " + (chord ? chord_text(*chord) : "none");
        line.resize(std::max<std::size_t>(line.size() + 1, 32), ' ');
        text += line + "# " + std::string(action.help) + "\n";
    }
    return text;
}

std::optional<Action> KeyMap::find(const Chord& chord) const {
    for (std::size_t k = 0; k < chords_.size(); ++k)
        if (chords_[k] == chord) return static_cast<Action>(k);
    // a key that is held works with Shift too, as one presses it while flying
    if (chord.shift) {
        Chord plain = chord;
        plain.shift = false;
        for (std::size_t k = 0; k < chords_.size(); ++k)
            if (table[k].held && chords_[k] == plain) return static_cast<Action>(k);
    }
    return std::nullopt;
}

std::optional<Chord> KeyMap::chord(Action action) const { return chords_[static_cast<std::size_t>(action)]; }

std::vector<HelpLine> help_lines(const KeyMap& keys) {
    std::vector<HelpLine> lines{{G::camera, "right drag", "turn"},
                                {G::camera, "middle drag", "pan; Shift: on the ground"},
                                {G::camera, "wheel", "closer; flying: faster"},
                                {G::touch, "left drag", "pull a body; elsewhere turn"},
                                {G::touch, "left click", "select a body"}};
    for (const ActionInfo& action : table)
        if (const auto chord = keys.chord(action.action))
            lines.push_back({action.group, chord_text(*chord), std::string(action.help)});
    std::stable_sort(lines.begin(), lines.end(),
                     [](const HelpLine& a, const HelpLine& b) { return a.group < b.group; });
    return lines;
}

std::string_view formation_scene(int number) {
    constexpr std::array<std::string_view, 5> scenes{"stream-300", "towers-2x2", "towers-4x4", "towers-6x6",
                                                     "towers-8x8"};
    return scenes[static_cast<std::size_t>(std::clamp(number, 1, 5) - 1)];
}

} // namespace scree::view
