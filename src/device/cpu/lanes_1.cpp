// SPDX-License-Identifier: MIT
// lanes_1.cpp — the kernels in 1 lane(s).
#define SCREE_TABLE_LANES 1
#include "device/cpu/lanes.inl"
