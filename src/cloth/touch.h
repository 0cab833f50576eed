// SPDX-License-Identifier: MIT
// touch.h — a finger's place and movement as the kernel wants them.
#pragma once

#include "kernels/host_params.h"
#include "scree/cloth.h"

namespace scree {

/// Throws Error if a number is not finite or the matrix has no inverse.
void check(const ClothTouch& touch);
/// The touch has been checked.
void set_touch(kernels::ClothParams& params, const ClothTouch& touch);

} // namespace scree
