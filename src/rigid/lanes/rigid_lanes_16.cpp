// SPDX-License-Identifier: MIT
// rigid_lanes_16.cpp — the rigid world's kernels in 16 lane(s).
#define SCREE_TABLE_LANES 16
#include "rigid/lanes/rigid_lanes.inl"
