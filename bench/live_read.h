// SPDX-License-Identifier: MIT
// live_read.h — what it costs to read the positions of all bodies after each step.
#pragma once

#include "options.h"

#include <string>

namespace scree::bench {

/// Steps the scenes of --scene on the devices of --device, read and not. Prints a table and returns the CSV.
std::string measure_read(const Arguments& given, int frames);

} // namespace scree::bench
