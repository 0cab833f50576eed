// SPDX-License-Identifier: MIT
// frame.h — the read-only state of the physics at one moment, for drawing, picking and plotting.
//
// A Frame changes with every step; frames share their appearance and facts, which change with the scene. A body's number is
// its index in Appearance::bodies. The viewer destroys no bodies, so numbers stay valid until the scene is loaded again.
#pragma once

#include "scene/live_scene.h"
#include "scene/run.h"
#include "scree/appearance.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::view {

/// Current and initial value of a setting.
struct SettingState {
    const Setting* setting = nullptr;
    SettingValue now, start;
};

/// Facts of a scene besides its appearance.
struct SceneFacts {
    std::uint64_t load = 0; ///< changes with each load and restart
    std::string kind;
    std::vector<std::string_view> stage_names;
    std::vector<SettingState> settings;
    std::vector<SceneRun::Action> actions;
    std::optional<SceneRun::PlayerView> player; ///< none: nobody can walk
};

/// How fast the physics runs.
struct Pace {
    bool running = false;
    bool failed = false;     ///< the last step threw, and a message says why
    double rate = 1;         ///< requested simulated seconds a second
    double real_factor = 0;  ///< reached in the last seconds
    double step_seconds = 0; ///< duration of the last step
};

struct Frame : scree::Frame, Details {
    std::uint64_t number = 0;                ///< counts published frames
    std::shared_ptr<const SceneFacts> facts; ///< null: no scene yet, or a recording
    std::string device;                      ///< where the world runs; empty: no scene yet, or a recording
    std::optional<Hold> hold;
    Pace pace;
    std::uint64_t oldest_step = 0; ///< the earliest step to go back to
    std::uint64_t recorded = 0;    ///< frames in the current recording
    bool recording = false;
};

} // namespace scree::view
