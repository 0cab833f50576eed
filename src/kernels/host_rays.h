// SPDX-License-Identifier: MIT
// host_rays.h — rays, shapes and bounds in double precision for host code; the formulas are kernels/query_all.h.
#pragma once

#include "scree/math.h"

#include <cstddef>

namespace scree::ray_kernels {
#include "kernels/query_all.h"

inline real3 kernel_vector(const DVec3& v) { return {v.x, v.y, v.z}; }
inline DVec3 host_vector(real3 v) { return {v.x, v.y, v.z}; }
} // namespace scree::ray_kernels
#include "kernels/precision_end.h"
#undef KERNEL_FN
#undef GLOBAL
#undef PRIVATE
#undef F32_BUFFER
#undef U32_BUFFER
