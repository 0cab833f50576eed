// SPDX-License-Identifier: MIT
// render_bench.h — `scree bench render`: what drawing costs the CPU, mode by mode.
#pragma once

#include <span>
#include <string>

namespace scree::bench {

int render_bench(std::span<const std::string> arguments);

} // namespace scree::bench
