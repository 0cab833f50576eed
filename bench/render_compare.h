// SPDX-License-Identifier: MIT
// render_compare.h — whether the ways to draw give one picture: the third part of `scree bench render`.
#pragma once

#include "options.h"

#include <string>
#include <vector>

namespace scree::bench {

/// Draws scenes with what is seen found by the CPU, by the GPU, and with OpenGL ES; from a device that can, with poses shared and
/// copied. Prints a table of how pictures differ and sets `csv`. Returns whether those of the CPU, of the GPU and of shared poses are equal
/// within 1 of 255.
bool compare_pictures(const std::vector<std::string>& scenes, const Arguments& given, int width, int height,
                      std::string& csv);

} // namespace scree::bench
