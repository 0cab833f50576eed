// SPDX-License-Identifier: MIT
// rigid_lanes_8.cpp — the rigid world's kernels in 8 lane(s).
#define SCREE_TABLE_LANES 8
#include "rigid/lanes/rigid_lanes.inl"
