// SPDX-License-Identifier: MIT
// query_all.h — rays through a world in order, for one target; include it inside a namespace of its own, and undo its macros after.

// clang-format off: the order matters
#include "kernels/dialect_double.h"
#include "kernels/mesh_words.h"
#include "kernels/rigid_filter.h"
#include "kernels/convex_support.h"
#include "kernels/ray_shapes.h"
#include "kernels/line_keys.h"
#include "kernels/query_params.h"
#include "kernels/query_rays.h"
// clang-format on
