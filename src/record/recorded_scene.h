// SPDX-License-Identifier: MIT
// recorded_scene.h — scenes in recordings: the header of one, and the scene back from it.
#pragma once

#include "scree/recording.h"
#include "scree/scene.h"

#include <cstdint>
#include <string>

namespace scree {

/// The settings of a scene as `key = value` lines, and with them what resized it: enough to build it again.
std::string settings_text(const Scene& scene, const SceneOptions& options);
/// The other way round. Throws Error when the text was not written by settings_text.
SceneOptions settings_from_text(const std::string& text, const std::string& where);

/// `name` as find_scene takes it; `device` in words.
RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame);
/// The scene that was recorded, from the recording alone where it holds the text. `where` begins messages.
Scene recorded_scene(const RecordingHeader& header, const std::string& where);

/// The log of commands that were given while `file` was recorded; version 1 has them beside it, in FILE.commands.
std::string recorded_commands(RecordingReader& reader, const std::string& file);

} // namespace scree
