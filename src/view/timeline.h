// SPDX-License-Identifier: MIT
// timeline.h — plays a recording, and runs its scene again to find the first frame that differs.
#pragma once

#include "scree/recording.h"
#include "view/frame.h"
#include "view/session.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace scree::view {

/// Gives the frames of a recording the form of live ones.
class Timeline {
public:
    /// Throws Error if the file is not a recording or has no frames.
    explicit Timeline(const std::string& file);

    std::size_t frame_count() const { return reader_.frame_count(); }
    std::size_t at() const { return at_; }
    double time_of(std::size_t frame) const { return reader_.info(frame).time; }
    std::uint64_t step_of(std::size_t frame) const { return reader_.info(frame).step; }
    /// Clamped to the last frame. Throws Error if the file is damaged there.
    void go(std::size_t frame);
    void play(bool playing) { playing_ = playing; }
    bool playing() const { return playing_; }
    /// Advances the playing recording by this time; negative goes back. Stops at either end.
    void advance(double seconds);
    const Frame& frame() const { return frame_; }
    const RecordingHeader& header() const { return reader_.header(); }
    const std::string& file() const { return file_; }
    const std::string& warning() const { return reader_.message(); }

private:
    std::string file_;
    RecordingReader reader_;
    std::size_t at_ = 0;
    double clock_ = 0;
    bool playing_ = false;
    Frame frame_;
};

/// Runs a recording's scene with its commands again, on its own thread, and compares the hashes.
class ReplayCheck {
public:
    ReplayCheck(const std::string& file, const PlaceOptions& place);
    /// Stops the run.
    ~ReplayCheck();
    ReplayCheck(const ReplayCheck&) = delete;
    ReplayCheck& operator=(const ReplayCheck&) = delete;

    struct Progress {
        std::size_t compared = 0, frames = 0;
        std::optional<std::size_t> diverged; ///< the first frame whose hash differs
        bool done = false;
        std::string message; ///< why it could not run
    };
    Progress progress() const;
    void wait(); ///< until it is done
    void stop(); ///< before the next frame is compared, and waits for that

private:
    void run(const std::string& file, const PlaceOptions& place);

    mutable std::mutex mutex_;
    Progress progress_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace scree::view
