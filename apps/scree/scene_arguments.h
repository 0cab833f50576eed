// SPDX-License-Identifier: MIT
// scene_arguments.h — the options that choose a scene and a device, shared by the commands that simulate.
#pragma once

#include "options.h"
#include "scree/device.h"
#include "scree/scene.h"

#include <memory>
#include <string>
#include <vector>

namespace scree {

/// --device, --threads, --lanes
std::vector<OptionSpec> device_options();
/// --steps, --dt, --bodies, --seed, --set
std::vector<OptionSpec> scene_options();

DeviceOptions read_device_options(const Arguments& given);
SceneOptions read_scene_options(const Arguments& given);

/// find_scene with the options above applied; errors name the option.
Scene read_scene(const Arguments& given, const std::string& name);
/// The device for a scene, opened; errors name the option. "auto" becomes what was taken for it.
std::shared_ptr<Device> open_for(const Scene& scene, DeviceOptions& options);

std::size_t particle_count(const Scene& scene);

/// The settings of a scene as `key = value` lines, and with them what resized it: enough to build it again.
std::string settings_text(const Scene& scene, const SceneOptions& options);
/// The other way round. Throws Error when the text was not written by settings_text.
SceneOptions settings_from_text(const std::string& text, const std::string& where);

} // namespace scree
