// SPDX-License-Identifier: MIT
// rigid_lanes_4.cpp — the rigid world's kernels in 4 lane(s).
#define SCREE_TABLE_LANES 4
#include "rigid/lanes/rigid_lanes.inl"
