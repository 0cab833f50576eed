// SPDX-License-Identifier: MIT
// commands.h — the commands of the program, and what their exit codes mean.
#pragma once

#include <span>
#include <string>

namespace scree {

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;    ///< an expectation or a comparison failed
constexpr int exit_bad_input = 2; ///< an option, a file or a device is not acceptable; nothing was written
constexpr int exit_interrupted = 130; ///< stopped by SIGINT or SIGTERM; outputs hold what was done so far

// Each takes the arguments after its own name and returns an exit code. Errors of input are thrown as
// scree::Error.
int run_command(std::span<const std::string> arguments);
int scenes_command(std::span<const std::string> arguments);
int devices_command(std::span<const std::string> arguments);
int verify_command(std::span<const std::string> arguments);
int replay_command(std::span<const std::string> arguments);
int render_command(std::span<const std::string> arguments);
int view_command(std::span<const std::string> arguments);
int bench_command(std::span<const std::string> arguments); // bench/

} // namespace scree
