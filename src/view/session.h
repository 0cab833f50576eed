// SPDX-License-Identifier: MIT
// session.h — a running scene with history: a log of commands, saved states to step back to, and a recording.
//
// Stepping back restores the nearest earlier state and repeats the steps from there, with their commands. Later commands of the
// log are given again when their steps come, until a new command replaces them.
#pragma once

#include "scree/recording.h"
#include "view/frame.h"

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
    Session(const Scene& scene, const SceneOptions& options, std::string name, const Place& place,
            const HistoryLimits& limits = {});

    /// Writes poses and requested details into `frame`, reusing its memory.
    void show(Frame& frame, const Wishes& wishes) const;

    LiveScene& live() { return live_; }
    const LiveScene& live() const { return live_; }
    double time_step() const { return scree::time_step(live_.scene()); }

    /// Acts before the next step, and is logged. Throws Error if it is invalid.
    void command(const Command& command);
    void step();
    /// Goes back as far as there are states; returns the number of steps.
    std::uint64_t step_back(std::uint64_t steps = 1);
    std::uint64_t oldest_step() const { return history_.front().step; }
    /// Restarts the scene with an empty log.
    void restart();

    /// Commands up to the current step.
    std::vector<LoggedCommand> log() const;
    /// All commands, also those of later steps.
    const std::vector<LoggedCommand>& whole_log() const { return log_; }
    /// Replaces the log; commands at or after the current step will be given at their steps.
    void set_future(std::vector<LoggedCommand> log);

    /// Starts a recording at the current state, or at the next one if commands were given since the last step. Includes commands.
    void record(const std::string& file, std::uint32_t steps_per_frame);
    void stop_recording();
    bool recording() const { return recording_.has_value(); }
    std::uint64_t recorded() const { return recording_ ? recording_->frame_count() : 0; }

private:
    void remember();
    void renew_facts();
    void record_frame();
    std::uint64_t interval() const;
    void give_due();

    Scene scene_; // as it began
    SceneOptions options_;
    std::string name_;
    HistoryLimits limits_;
    LiveScene live_;
    std::deque<LiveScene::State> history_; // never empty; sorted by step
    std::uint64_t history_bytes_ = 0;
    std::vector<LoggedCommand> log_;
    std::size_t given_ = 0; // number of commands of the log
    std::shared_ptr<const SceneFacts> facts_;
    std::optional<RecordingWriter> recording_;
    scree::Frame recorded_frame_; // reused
    std::uint32_t steps_per_frame_ = 1;
};

} // namespace scree::view
