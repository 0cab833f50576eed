// SPDX-License-Identifier: MIT
// lanes_8.cpp — the kernels in 8 lane(s).
#define SCREE_TABLE_LANES 8
#include "device/cpu/lanes.inl"
