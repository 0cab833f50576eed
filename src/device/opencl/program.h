// SPDX-License-Identifier: MIT
// program.h — the kernels compiled for one device, from the cache where it has them.
#pragma once

#include "device/opencl/discovery.h"

#include <string>

namespace scree::opencl {

/// Compiles a program. Binaries are kept in $XDG_CACHE_HOME/scree or ~/.cache/scree, named by a hash
/// of the source, the options, the device and its driver (but for PoCL, which has its own); a cache that cannot
/// be read or written is passed over in silence.
/// Throws Error with the build log when the driver refuses the source.
Program build_program(cl_context context, const FoundDevice& found, const char* source,
                      const std::string& options);

} // namespace scree::opencl
