// SPDX-License-Identifier: MIT
// grid.h — the lines, vertices and neighbours of a rectangular sheet.
#pragma once

#include "scree/cloth.h"

namespace scree {

ClothFacts facts_of(const ClothSettings& settings);
std::array<ClothNeighbour, 12> neighbours_of(const ClothFacts& facts, std::uint32_t vertex);
/// Held vertices as the sheet names them, or by default.
std::vector<std::uint32_t> pins_of(const ClothSheetDef& sheet, const ClothFacts& facts);
std::vector<Vec3> start_positions(const ClothSheetDef& sheet, const ClothSettings& settings);
std::vector<std::uint32_t> triangles_of(const ClothFacts& facts);

} // namespace scree
