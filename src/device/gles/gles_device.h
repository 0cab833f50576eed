// SPDX-License-Identifier: MIT
// gles_device.h — the Device of OpenGL ES 3.0: kernels as fragment programs over integer textures.
//
// Nothing beyond OpenGL ES 3.0 is used, no extension, no compute shader: WebGL 2 is the same. It offers the kernels that gather and
// write one buffer (see kernels/dialect_glsl.h); no sort and no scan.
#pragma once

#include "device/device.h"

#include <memory>
#include <vector>

namespace scree {

std::vector<DeviceReport> list_gles_devices();
std::unique_ptr<Device> open_gles_device(bool share_graphics);

} // namespace scree
