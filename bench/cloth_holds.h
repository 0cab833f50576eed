// SPDX-License-Identifier: MIT
// cloth_holds.h — the parts of `bench cloth` about cloth that touches cloth. Each prints its table and returns it as CSV.
#pragma once

#include "device/device.h"
#include "options.h"
#include "scree/place.h"

#include <string>
#include <vector>

namespace scree::bench {

/// Hard trials on the first place; `code` becomes the exit code: exit_failed if an edge passes through a triangle, exit_interrupted
/// after ctrl-C, when the table ends with what the last trial reached.
std::string cloth_holds(const Arguments& given, const std::vector<Place>& places, int& code);
/// Time and pairs of resting layers.
std::string cloth_layers(const Arguments& given, const std::vector<Place>& places);
/// Launches, items and time of each kernel since time_kernels(true), which it switches off.
void print_kernels(Device& device, int steps);

} // namespace scree::bench
