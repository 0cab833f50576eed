// SPDX-License-Identifier: MIT
// frame.h — what the physics shows of itself at one moment: enough to draw, pick and plot, and nothing to change.
//
// What changes with every step is in Frame; its appearance and its facts change with the scene, and frames share them.
// A body's number is its place in Appearance::bodies; the viewer never destroys one, so a number stays valid until the
// scene is loaded anew.
#pragma once

#include "scene/live_scene.h"
#include "scene/run.h"
#include "scree/appearance.h"
#include "view/space.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::view {

/// A setting as it is now, and as the scene was loaded.
struct SettingState {
    const Setting* setting = nullptr;
    SettingValue now, start;
};

/// What is known of a scene besides how it looks.
struct SceneFacts {
    std::uint64_t load = 0; ///< another number for each load and restart
    std::string kind;
    std::vector<std::string_view> stage_names;
    std::vector<SettingState> settings;
};

/// How fast the physics runs.
struct Pace {
    bool running = false;
    double rate = 1;         ///< wished: seconds of the world in a second
    double real_factor = 0;  ///< reached lately
    double step_seconds = 0; ///< what the last step took
};

struct Frame : scree::Frame, Details {
    std::uint64_t number = 0; ///< of the frames published
    std::shared_ptr<const SceneFacts> facts; ///< null: no scene yet, or a recording
    std::optional<Hold> hold;
    Pace pace;
    std::uint64_t oldest_step = 0; ///< to which one can step back
    std::uint64_t recorded = 0;    ///< frames in the recording under way
    bool recording = false;
};

} // namespace scree::view
