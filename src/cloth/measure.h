// SPDX-License-Identifier: MIT
// measure.h — quantities of a whole cloth world, in double precision on the host.
#pragma once

#include "cloth/arrays.h"

namespace scree {

ClothMeasure measure_cloth(const ClothSettings& settings, int substeps,
                           const std::vector<ClothVertices>& sheets,
                           const std::vector<ClothCollider>& colliders);

} // namespace scree
