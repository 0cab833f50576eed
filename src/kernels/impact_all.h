// SPDX-License-Identifier: MIT
// impact_all.h — the kernels of impacts in stages, in order; include it inside a namespace with SCREE_LANES 1.

// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/impact_params.h"
#include "kernels/impact_circle.h"
#include "kernels/impact_motion.h"
#include "kernels/impact_polygon.h"
#include "kernels/impact_contact.h"
#include "kernels/impact_bisect.h"
// clang-format on
