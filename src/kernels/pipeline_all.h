// SPDX-License-Identifier: MIT
// pipeline_all.h — the kernels of a rigid world's step on a device in order, for one target; include it after rigid_all.h.
//
// rigid_*.h hold formulas, which the CPU runs in lanes and these kernels call; pipeline_*.h hold the kernels themselves, named
// world_…: what one thread does with the world's arrays, lists that are filled by atomics.

// clang-format off: the order matters
#include "kernels/rigid_bounds.h"
#include "kernels/rigid_field.h"
#include "kernels/rigid_convex.h"
#include "kernels/rigid_mesh.h"
#include "kernels/atomics.h"
#include "kernels/rigid_sweep.h"
#include "kernels/rigid_filter.h"
#include "kernels/rigid_rules.h"
#include "kernels/rigid_events.h"
#include "kernels/rigid_groups.h"
#include "kernels/rigid_schedule.h"
#include "kernels/pipeline_packets.h"
#include "kernels/pipeline_state.h"
#include "kernels/pipeline_field.h"
#include "kernels/pipeline_pairs.h"
#include "kernels/pipeline_grid.h"
#include "kernels/pipeline_narrow.h"
#include "kernels/pipeline_graph.h"
#include "kernels/pipeline_solve.h"
#include "kernels/pipeline_sweep.h"
#include "kernels/pipeline_sleep.h"
#include "kernels/pipeline_events.h"
#include "kernels/fabric_words.h"
#include "kernels/fabric_convex.h"
#include "kernels/fabric_mesh.h"
#include "kernels/fabric_shape.h"
#include "kernels/fabric_contact.h"
#include "kernels/fabric_ridges.h"
#include "kernels/fabric_parts.h"
#include "kernels/fabric_rest.h"
#include "kernels/instance_fill.h"
// clang-format on
