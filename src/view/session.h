// SPDX-License-Identifier: MIT
// session.h — a scene with its past: a log of commands, states to step back to, a recording under way.
//
// Time can be turned back: the nearest state before is restored and the steps from there taken again, with the
// commands at their steps. What was commanded after that moment happens again as time goes on, until a new command
// makes another future.
#pragma once

#include "scree/recording.h"
#include "view/live_scene.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::view {

struct HistoryLimits {
    std::uint64_t bytes = std::uint64_t{256} << 20;
    std::uint32_t interval = 8; ///< steps between states
};

class Session {
public:
    Session(Scene scene, const SceneOptions& options, std::string name, const Place& place,
            const HistoryLimits& limits = {});

    LiveScene& live() { return live_; }
    const LiveScene& live() const { return live_; }

    /// Acts before the next step, and is logged. Throws Error when it is not acceptable.
    void command(const Command& command);
    void step();
    /// As far as there are states; returns the steps gone back.
    std::uint64_t step_back(std::uint64_t steps = 1);
    std::uint64_t oldest_step() const { return history_.front().step; }
    /// To the scene's beginning with an empty log.
    void restart();

    /// Commands given up to now.
    std::vector<LoggedCommand> log() const;
    /// All commands, those of the future too.
    const std::vector<LoggedCommand>& whole_log() const { return log_; }
    /// In place of the log; those at or after the present step will be given at theirs.
    void set_future(std::vector<LoggedCommand> log);

    /// Begins with the present state, or with the next when commands were given since the last step. The commands are
    /// recorded too, those before the present state first.
    void record(const std::string& file, std::uint32_t steps_per_frame);
    void stop_recording();
    bool recording() const { return recording_.has_value(); }
    std::uint64_t recorded() const { return recording_ ? recording_->frame_count() : 0; }

private:
    void remember();
    std::uint64_t interval() const;
    void give_due();
    /// Adds to the recording, if there is one; it ends with the first Error, and what was written stays.
    void record_state();
    void record_command(const LoggedCommand& command);

    Scene scene_; // as it began
    SceneOptions options_;
    std::string name_;
    HistoryLimits limits_;
    LiveScene live_;
    std::deque<LiveScene::State> history_; // never empty; steps grow
    std::uint64_t history_bytes_ = 0;
    std::vector<LoggedCommand> log_;
    std::size_t given_ = 0; // of the log
    std::optional<RecordingWriter> recording_;
    scree::Frame recorded_; // the last frame of the recording
    std::uint32_t steps_per_frame_ = 1;
};

} // namespace scree::view
