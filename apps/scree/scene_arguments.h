// SPDX-License-Identifier: MIT
// scene_arguments.h — the options that choose a scene and a device, shared by the commands that simulate.
#pragma once

#include "options.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <string>
#include <vector>

namespace scree {

/// --device, --threads, --lanes
std::vector<OptionSpec> device_options();
/// --steps, --dt, --bodies, --seed, --set
std::vector<OptionSpec> scene_options();

/// Opened; errors name the option.
Place read_place(const Arguments& given);
SceneOptions read_scene_options(const Arguments& given);

/// find_scene with the options above applied; errors name the option.
Scene read_scene(const Arguments& given, const std::string& name);

} // namespace scree
