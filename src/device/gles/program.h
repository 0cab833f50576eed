// SPDX-License-Identifier: MIT
// program.h — the source of a kernel as a pair of GLSL ES 3.00 programs.
#pragma once

#include "device/kernel_table.h"

#include <cstddef>
#include <string>

namespace scree::gles {

/// Items lie in rows of this many texels.
constexpr unsigned row_items = 1024;

/// What a kernel is for this device.
struct Offered {
    const char* family = nullptr; ///< null: not offered
    std::size_t output = 0;       ///< the buffer that it writes
};
Offered offered(KernelId kernel);

std::string vertex_source();
std::string fragment_source(KernelId kernel);

} // namespace scree::gles
