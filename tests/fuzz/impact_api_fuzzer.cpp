// SPDX-License-Identifier: MIT
// impact_api_fuzzer.cpp — any sequence of calls on ImpactWorld and StagedImpactWorld, wrong arguments included, is refused or keeps their word.
#include "fuzz/api/impacts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scree::fuzz::play_impacts({data, size});
    return 0;
}
