// SPDX-License-Identifier: MIT
// granular_api_fuzzer.cpp — any sequence of calls on a granular world gives the same on "cpu" and on "cpu:kernels".
#include "fuzz/api/target.h"

SCREE_API_FUZZER(scree::fuzz::Kind::granular)
