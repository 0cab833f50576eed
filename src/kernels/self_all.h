// SPDX-License-Identifier: MIT
// self_all.h — the kernels of cloth that touches cloth in order, for one target; include it after all.h.

// clang-format off: the order matters
#include "kernels/atomics.h"
#include "kernels/self_geometry.h"
#include "kernels/self_search.h"
#include "kernels/self_stages.h"
#include "kernels/self_load.h"
// clang-format on
