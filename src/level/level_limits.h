// SPDX-License-Identifier: MIT
// level_limits.h — how large a compiled level may be, so that a file of a few bytes cannot keep its reader busy without end.
#pragma once

#include <cstdint>

namespace scree {

/// Nodes on the way to a leaf: some walks down the tree call themselves.
constexpr std::uint32_t most_tree_depth = 10'000;
/// Units. Brushes of maps reach 2^25 at most (polyhedron.h), and cells at most 2^16 farther (LevelTreeOptions::margin).
constexpr double most_level_coordinate = 1 << 26;

} // namespace scree
