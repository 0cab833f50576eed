// SPDX-License-Identifier: MIT
// entry.h — the common main() of the programs: finds the command, turns errors into one line and an exit code.
#pragma once

#include "options.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;    ///< an expectation or a comparison failed
constexpr int exit_bad_input = 2; ///< an option, a file or a device is not acceptable; nothing was written
constexpr int exit_interrupted = 130; ///< stopped by SIGINT or SIGTERM; outputs hold what was done so far

using CommandMaker = CommandSpec();

/// A program of several commands.
struct Program {
    std::string call;             ///< "scree"
    std::string_view word, kind;  ///< what comes behind it: "COMMAND", a "command"
    std::string_view text, notes; ///< of the help: before the list of commands and after it; lines
    std::span<CommandMaker* const> commands;
};
std::string usage(const Program& program);
/// Finds the command that the first word names, checks the others and runs it.
int dispatch(const Program& program, const std::vector<std::string>& arguments);

/// Calls `run` with the words after the program's own and returns the exit code.
int enter(int count, char** words, int (*run)(const std::vector<std::string>& arguments));

} // namespace scree
