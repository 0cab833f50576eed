// SPDX-License-Identifier: MIT
// checks.h — checks of what a user gives a cloth world; each throws Error.
#pragma once

#include "scree/cloth.h"

namespace scree {

void check(const ClothSettings& settings);
void check(const ClothSheetDef& sheet, const ClothSettings& settings);
void check(const ClothCollider& collider);

} // namespace scree
