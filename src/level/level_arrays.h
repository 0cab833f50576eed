// SPDX-License-Identifier: MIT
// level_arrays.h — compiled levels as a few long arrays, as .scl has them from version 3 on.
//
//     bytes
//     4 x 4      whether textures count texels; materials; points of the way out; 0
//     15 x 8     items in each array
//     the arrays, each filled up with zeros to a multiple of eight bytes; little-endian
//
// What belongs to an item, such as the corners of a face, is as many of the next items of another array as the item says. So
// arrays are copied, and not read number by number.
#pragma once

#include "scree/level_cells.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::level_arrays {

/// `before` bytes are left free in front.
std::vector<std::byte> encode(const CompiledLevel& level, std::size_t before);
/// Throws Error at `where` for bytes that are not what `encode` makes, and for numbers that are not finite. Indices are not checked.
CompiledLevel decode(std::span<const std::uint8_t> bytes, const std::string& where);

} // namespace scree::level_arrays
