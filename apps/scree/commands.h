// SPDX-License-Identifier: MIT
// commands.h — the commands of the program.
#pragma once

#include "entry.h"

#include <span>
#include <string>

namespace scree {

// Each takes the arguments after its own name and returns an exit code of entry.h. Errors of input are thrown as
// scree::Error.
int run_command(std::span<const std::string> arguments);
int scenes_command(std::span<const std::string> arguments);
int devices_command(std::span<const std::string> arguments);
int verify_command(std::span<const std::string> arguments);
int replay_command(std::span<const std::string> arguments);
int render_command(std::span<const std::string> arguments);
int view_command(std::span<const std::string> arguments);
int bench_command(std::span<const std::string> arguments); ///< the program scree-bench, in place of this one

} // namespace scree
