// SPDX-License-Identifier: MIT
// rigid_api_fuzzer.cpp — any sequence of calls on a rigid world gives the same on "cpu" and on "cpu:kernels".
#include "fuzz/api/target.h"

SCREE_API_FUZZER(scree::fuzz::Kind::rigid)
