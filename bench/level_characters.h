// SPDX-License-Identifier: MIT
// level_characters.h — animated characters between the frames of their clips: vertices along lines, or joints along arcs.
#pragma once

#include "row.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::bench {

std::vector<std::string> character_columns();
/// A line for each number of characters, with all frames of the clip, every second and every fourth. `model`: a file, or empty for the library's own;
/// `clip`: an .md5anim file, or the name of one of the model's clips, or empty for its first.
TextTable character_lines(const std::string& model, const std::string& clip,
                          const std::vector<std::uint64_t>& counts, std::uint64_t pictures);

} // namespace scree::bench
