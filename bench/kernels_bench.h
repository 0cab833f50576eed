// SPDX-License-Identifier: MIT
// kernels_bench.h — `scree bench kernels`: what each kernel of a rigid world's step takes, and what the memory would allow.
#pragma once

#include <span>
#include <string>

namespace scree::bench {

/// `arguments` begin with "kernels". Runs, prints, writes; returns the exit code. Throws Error whose where() is the option.
int kernels_bench(std::span<const std::string> arguments);

} // namespace scree::bench
