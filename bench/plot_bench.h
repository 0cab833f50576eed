// SPDX-License-Identifier: MIT
// plot_bench.h — `scree bench plot`: cost against size as a picture, from the CSV files of `scree bench rigid`.
#pragma once

#include <span>
#include <string>

namespace scree::bench {

/// `arguments` begin with "plot". Returns the exit code; throws Error that names the option or the file.
int plot_bench(std::span<const std::string> arguments);

} // namespace scree::bench
