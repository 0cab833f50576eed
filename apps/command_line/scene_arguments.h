// SPDX-License-Identifier: MIT
// scene_arguments.h — the options that choose a scene and a device, shared by the commands that simulate.
#pragma once

#include "options.h"
#include "scene/run.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <string>
#include <string_view>

namespace scree {

inline constexpr std::string_view device_options = R"(
--device NAME       auto, cpu, cuda, opencl … (see scree devices)
--threads N         CPU threads; default: all cores
--lanes N           SIMD lanes: 1, 4, 8 or 16; default: the widest of the machine
)";
inline constexpr std::string_view steps_option =
    "--steps N           steps to simulate; default: the scene's own number";
/// what read_scene_options reads
inline constexpr std::string_view scene_options = R"(
--dt SECONDS        time step
--bodies N          number of bodies, for scenes with one generator
--seed N            seed of the scene's random numbers
--set KEY=VALUE…    change a setting of the world, e.g. gravity=0,-1.6,0; may repeat
)";
inline constexpr std::string_view gles_option =
    "--gles              draw with OpenGL ES 3.0 in place of OpenGL 4.5";

/// Opened; errors name the option. `share_graphics`: see PlaceOptions.
Place read_place(const Arguments& given, bool share_graphics = false);
SceneOptions read_scene_options(const Arguments& given);

/// find_scene with the options above applied; errors name the option.
Scene read_scene(const Arguments& given, const std::string& name);
/// Whether the file begins as recordings do.
bool is_recording(const std::string& file);

/// --size WxH, each at least `least`.
struct PictureSize {
    int width, height;
};
PictureSize read_size(const Arguments& given, PictureSize otherwise, std::uint64_t least);

/// "kinetic energy 0.2 J, largest overlap 0.01 m, asleep 3"
std::string summary(const SceneRun& run);

} // namespace scree
