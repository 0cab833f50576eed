// SPDX-License-Identifier: MIT
// rigid_lanes_1.cpp — the rigid world's kernels in 1 lane(s).
#define SCREE_TABLE_LANES 1
#include "rigid/lanes/rigid_lanes.inl"
