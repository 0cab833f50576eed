// SPDX-License-Identifier: MIT
// lanes_4.cpp — the kernels in 4 lane(s).
#define SCREE_TABLE_LANES 4
#include "device/cpu/lanes.inl"
