// SPDX-License-Identifier: MIT
// checks.h — checks of what a user gives a cloth world; each throws Error.
#pragma once

#include "scree/cloth.h"

#include <cstddef>

namespace scree {

void check(const ClothSettings& settings);
void check(const ClothSheetDef& sheet, const ClothSettings& settings);
/// Of so many sheets.
void check_vertices(const ClothSettings& settings, std::size_t sheets);
void check(const ClothCollider& collider);

} // namespace scree
