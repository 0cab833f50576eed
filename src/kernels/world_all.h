// SPDX-License-Identifier: MIT
// world_all.h — the kernels of a rigid world on a device in order, for one target; include it after rigid_all.h.

// clang-format off: the order matters
#include "kernels/rigid_bounds.h"
#include "kernels/rigid_convex.h"
#include "kernels/atomics.h"
#include "kernels/world_state.h"
#include "kernels/world_pairs.h"
#include "kernels/world_grid.h"
#include "kernels/world_narrow.h"
#include "kernels/world_graph.h"
#include "kernels/world_solve.h"
#include "kernels/world_sleep.h"
// clang-format on
