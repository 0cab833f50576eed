// SPDX-License-Identifier: MIT
// check.h — turns CUDA errors into Error with the call, the code and the reason.
#pragma once

#include "scree/error.h"

#include <cuda_runtime_api.h>

#include <string>

namespace scree::cuda {

/// "cudaErrorIllegalAddress (700): an illegal memory access was encountered"
inline std::string error_text(cudaError_t code) {
    return std::string(cudaGetErrorName(code)) + " (" + std::to_string(static_cast<int>(code)) +
           "): " + cudaGetErrorString(code);
}

inline void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    // clears the error state, so that the next call does not report this error
    static_cast<void>(cudaGetLastError());
    throw Error(error_text(code), call);
}

} // namespace scree::cuda
