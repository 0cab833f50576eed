// SPDX-License-Identifier: MIT
// level_looks.h — many meshes of many looks, drawn in the renderer's three modes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree::bench {

/// 307 meshes of 2,677 triangles in all below 20 techniques that alternate, so many times: the scene of Finger's thesis.
constexpr std::uint64_t looks_meshes = 307, looks_triangles = 2677, looks_techniques = 20;

/// Columns of the table.
std::vector<std::string> look_columns();
/// A line for each mode. `gl`: by the driver of this machine; else the calls are only taken. Throws Error where there is no renderer.
std::vector<std::vector<std::string>> look_lines(std::uint64_t times, std::uint64_t lights,
                                                 std::uint64_t frames, bool gl);

} // namespace scree::bench
