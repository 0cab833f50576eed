// SPDX-License-Identifier: MIT
// worlds_bench.h — `scree bench worlds`: many small worlds at once.
#pragma once

#include <span>
#include <string>

namespace scree::bench {

/// `arguments` begin with "worlds". Runs, prints, writes; returns the exit code.
int worlds_bench(std::span<const std::string> arguments);

} // namespace scree::bench
