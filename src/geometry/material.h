// SPDX-License-Identifier: MIT
// material.h — checks a material; see scree/material.h.
#pragma once

#include "scree/material.h"

namespace scree {

/// Throws Error for a value out of range.
void check(const Material& material);

} // namespace scree
