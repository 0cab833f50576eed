// SPDX-License-Identifier: MIT
// replay.cpp — see replay.h.
#include "record/replay.h"

#include "record/recorded_scene.h"

namespace scree {

Replay::Replay(RecordingReader& reader, const std::string& file, const Place& place)
    : reader_(reader),
      live_(recorded_scene(reader.header(), file), place),
      log_(parse_log(recorded_commands(reader, file), file + ": commands")) {}

bool Replay::matches(std::size_t frame) {
    const RecordingFrameInfo& info = reader_.info(frame);
    while (live_.steps_done() < info.step) {
        for (; given_ < log_.size() && log_[given_].step <= live_.steps_done(); ++given_)
            live_.apply(log_[given_].command);
        live_.step();
    }
    return live_.hash() == info.state_hash;
}

} // namespace scree
