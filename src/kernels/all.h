// SPDX-License-Identifier: MIT
// all.h — every kernel file in order, for one target; include it inside a namespace with SCREE_LANES set.

// clang-format off: the order matters
#include "kernels/dialect.h"
#include "kernels/functions.h"
#include "kernels/rotation.h"
#include "kernels/granular_params.h"
#include "kernels/granular_contact.h"
#include "kernels/granular_grid.h"
#include "kernels/granular_body.h"
#include "kernels/granular_obstacle.h"
#if defined(__CUDACC__) || SCREE_LANES == 1
#include "kernels/granular_search.h"
#endif
#include "kernels/granular_stages.h"
#if defined(__CUDACC__) || SCREE_LANES == 1
#include "kernels/granular_scalar_stages.h"
#endif
#include "kernels/cloth_params.h"
#include "kernels/cloth_motion.h"
#include "kernels/cloth_collision.h"
#include "kernels/probe.h"
#include "kernels/exact.h"
#include "kernels/fabric_params.h"
#include "kernels/fabric_motion.h"
#include "kernels/fabric_levels.h"
#include "kernels/rigid_params.h"
#include "kernels/pipeline_params.h"
#include "kernels/self_params.h"
#include "kernels/query_params.h"
#if defined(__CUDACC__) || SCREE_LANES == 1
#include "kernels/impact_params.h"
#endif
#include "kernels/instance_params.h"
// clang-format on
