// SPDX-License-Identifier: MIT
// convex_all.h — the convex narrow phase in order, for one target; include it after rotation.h in the same namespace.

// clang-format off: the order matters
#include "kernels/manifold.h"
#include "kernels/convex_support.h"
#include "kernels/convex_gjk.h"
#include "kernels/convex_epa.h"
#include "kernels/convex_sat.h"
#include "kernels/convex_clip.h"
#include "kernels/convex_manifold.h"
#include "kernels/convex_sweep.h"
#include "kernels/mesh_words.h"
#include "kernels/mesh_sift.h"
#include "kernels/convex_mesh.h"
// clang-format on
