// SPDX-License-Identifier: MIT
// entry.h — the common main() of the programs: turns errors into one line and an exit code.
#pragma once

#include <string>
#include <vector>

namespace scree {

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;    ///< an expectation or a comparison failed
constexpr int exit_bad_input = 2; ///< an option, a file or a device is not acceptable; nothing was written
constexpr int exit_interrupted = 130; ///< stopped by SIGINT or SIGTERM; outputs hold what was done so far

/// Calls `run` with the words after the program's own and returns the exit code.
int enter(int count, char** words, int (*run)(const std::vector<std::string>& arguments));

} // namespace scree
