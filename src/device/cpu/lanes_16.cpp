// SPDX-License-Identifier: MIT
// lanes_16.cpp — the kernels in 16 lane(s).
#define SCREE_TABLE_LANES 16
#include "device/cpu/lanes.inl"
