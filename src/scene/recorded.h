// SPDX-License-Identifier: MIT
// recorded.h — scenes in recordings: what the header says, and a frame of a world's bodies.
#pragma once

#include "scree/recording.h"
#include "scree/scene.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree {

double time_step(const Scene& scene); ///< s

/// The settings of a scene as `key = value` lines, and with them what resized it: enough to build it again.
std::string settings_text(const Scene& scene, const SceneOptions& options);
/// The other way round. Throws Error when the text was not written by settings_text.
SceneOptions settings_from_text(const std::string& text, const std::string& where);

/// What a recording says of a scene's shapes: of rigid ones the size of the bounds.
std::vector<GranularShape> recorded_shapes(const Scene& scene);
/// `name` as find_scene takes it; `device` in words.
RecordingHeader recording_header(const Scene& scene, const SceneOptions& options, const std::string& name,
                                 const std::string& device, std::uint32_t steps_per_frame);

/// Adds the world as it is now. `shapes` are of the bodies, into the header's.
void record_frame(RecordingWriter& recording, const World& world, std::span<const std::uint32_t> shapes);
void record_frame(RecordingWriter& recording, const GranularWorld& world);

} // namespace scree
