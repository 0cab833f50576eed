// SPDX-License-Identifier: MIT
// scene_arguments.h — the options that choose a scene and a device, shared by the commands that simulate.
#pragma once

#include "options.h"
#include "scree/place.h"
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

} // namespace scree
