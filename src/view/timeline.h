// SPDX-License-Identifier: MIT
// timeline.h — a recording as frames to scrub through, and the run of its scene again that finds where it differs.
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

/// Shows the frames of a recording as the physics shows its own.
class Timeline {
public:
    /// Throws Error when the file is no recording or has no frames.
    explicit Timeline(const std::string& file);

    std::size_t frame_count() const { return reader_.frame_count(); }
    std::size_t at() const { return at_; }
    double time_of(std::size_t frame) const { return reader_.info(frame).time; }
    std::uint64_t step_of(std::size_t frame) const { return reader_.info(frame).step; }
    /// Beyond the last it is the last. Throws Error when the file is damaged there.
    void go(std::size_t frame);
    void play(bool playing) { playing_ = playing; }
    bool playing() const { return playing_; }
    /// Moves on by so much time of the recording while it plays; stops at either end. Negative runs back.
    void advance(double seconds);
    const Frame& frame() const { return frame_; }
    const RecordingHeader& header() const { return reader_.header(); }
    const std::string& file() const { return file_; }
    const std::string& warning() const { return reader_.message(); }

private:
    std::string file_;
    RecordingReader reader_;
    std::shared_ptr<const Looks> looks_;
    std::vector<Vec3> centres_; ///< of mass, in the frames of the shapes
    std::size_t at_ = 0;
    double clock_ = 0;
    bool playing_ = false;
    Frame frame_;
};

/// Runs a recording's scene again on a thread of its own, with the commands beside it, and compares hash by hash.
class ReplayCheck {
public:
    ReplayCheck(const std::string& file, const PlaceOptions& place);
    /// Stops it.
    ~ReplayCheck();
    ReplayCheck(const ReplayCheck&) = delete;
    ReplayCheck& operator=(const ReplayCheck&) = delete;

    struct Progress {
        std::size_t compared = 0, frames = 0;
        std::optional<std::size_t> diverged; ///< the first frame whose hash differs
        bool done = false;
        std::string message; ///< why it could not be run
    };
    Progress progress() const;
    void wait(); ///< until it is done

private:
    void run(const std::string& file, const PlaceOptions& place);

    mutable std::mutex mutex_;
    Progress progress_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace scree::view
