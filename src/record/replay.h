// SPDX-License-Identifier: MIT
// replay.h — runs the scene of a recording again with its commands, and compares it frame by frame.
#pragma once

#include "scene/live_scene.h"
#include "scree/recording.h"

#include <string>
#include <vector>

namespace scree {

class Replay {
public:
    /// `file` starts messages. Throws Error when the scene cannot be built.
    Replay(RecordingReader& reader, const std::string& file, const Place& place);

    /// Steps to this frame, which must not be before the last one, and returns whether the state hash equals the recorded one.
    bool matches(std::size_t frame);
    const SceneRun& run() const { return live_.run(); }

private:
    RecordingReader& reader_;
    LiveScene live_;
    std::vector<LoggedCommand> log_;
    std::size_t given_ = 0;
};

} // namespace scree
