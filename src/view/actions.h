// SPDX-License-Identifier: MIT
// actions.h — the actions of the viewer, their keys, and the help text.
//
// The table in actions.cpp is the only place where an action has a name, a default key and a line of help. Keys are
// GLFW's codes, which are ASCII for letters and digits, so this file does not need GLFW.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::view {

enum class Action {
    pause,
    step,
    step_back,
    restart,
    slower,
    faster,
    real_time,
    full_speed,
    next_scene,
    previous_scene,
    tour,
    scene_browser,
    formation_1,
    formation_2,
    formation_3,
    formation_4,
    formation_5,
    shoot,
    select,
    release,
    objects,
    tilt_left,
    tilt_right,
    tilt_away,
    tilt_near,
    orbit,
    fly,
    follow,
    walk,
    frame_all,
    next_camera,
    forward,
    backward,
    left,
    right,
    up,
    down,
    wireframe,
    particles,
    shapes,
    draw_bounds,
    draw_tree,
    draw_contacts,
    draw_normals,
    draw_forces,
    draw_features,
    draw_joints,
    draw_centres,
    draw_velocities,
    draw_sleep,
    draw_islands,
    draw_colours,
    draw_names,
    draw_cells,
    draw_portals,
    draw_detector,
    metrics,
    parameters,
    help,
    hide_ui,
    record,
    play_recording,
    screenshot,
    video,
    quit,
    count
};

struct Chord {
    int key = 0;
    bool shift = false, control = false, alt = false;
    friend bool operator==(const Chord&, const Chord&) = default;
};
/// "Ctrl+Shift+R", "Space", "F1"; nullopt if it is not a key.
std::optional<Chord> parse_chord(std::string_view text);
std::string chord_text(const Chord& chord);

enum class ActionGroup { time, scenes, touch, camera, windows, drawing, output };
std::string_view group_title(ActionGroup group);

struct ActionInfo {
    Action action;
    std::string_view name; ///< as in a key file
    ActionGroup group;
    std::string_view key; ///< default; empty for none
    std::string_view help;
    bool held = false;    ///< acts while the key is down
    bool repeats = false; ///< acts again when a held key repeats
};
std::span<const ActionInfo> actions();
const ActionInfo& info(Action action);

class KeyMap {
public:
    KeyMap(); ///< the defaults
    /// Reads lines `name = key` or `name = none`; # starts a comment. Other actions keep their keys. Throws Error with `where`
    /// and the line for an unknown action or key, or one key for two actions.
    void read(const std::string& text, const std::string& where);
    std::string text() const; ///< all actions, in the format of read()

    std::optional<Action> find(const Chord& chord) const;
    std::optional<Chord> chord(Action action) const;

private:
    std::vector<std::optional<Chord>> chords_; // by action
};

struct HelpLine {
    ActionGroup group;
    std::string key, help;
};
/// Help: all actions with their current keys, and the mouse.
std::vector<HelpLine> help_lines(const KeyMap& keys);

/// The scenes of keys 1 to 5: stream and towers (R2.41).
std::string_view formation_scene(int number);

} // namespace scree::view
