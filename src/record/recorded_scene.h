// SPDX-License-Identifier: MIT
// recorded_scene.h — makes the header of a recording from a scene, and the scene from a header.
#pragma once

#include "scree/recording.h"
#include "scree/scene.h"

#include <cstdint>
#include <string>

namespace scree {

/// The settings of a scene as `key = value` lines, with number of bodies and seed: enough to build it again.
std::string settings_text(const Scene& scene, const SceneOptions& options);
/// Reads settings_text back. Throws Error for other text.
SceneOptions settings_from_text(const std::string& text, const std::string& where);

/// `name` as for find_scene; `device` is a description.
RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame);
/// The recorded scene, from the recording alone if it holds the text. `where` starts messages.
Scene recorded_scene(const RecordingHeader& header, const std::string& where);

/// The log of commands of a recording; version 1 stores it in FILE.commands.
std::string recorded_commands(RecordingReader& reader, const std::string& file);

} // namespace scree
