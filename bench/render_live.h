// SPDX-License-Identifier: MIT
// render_live.h — a world that is simulated and drawn, frame by frame: the second half of `scree bench render`.
#pragma once

#include "options.h"

#include <string>
#include <vector>

namespace scree::bench {

/// Simulates and draws the scene of --scene on --device, its poses shared and copied; prints a table and returns the CSV.
std::string measure_live(const Arguments& given, int frames, int width, int height);

} // namespace scree::bench
