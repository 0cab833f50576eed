// SPDX-License-Identifier: MIT
// commands.h — the commands of the program. Errors of input are thrown as scree::Error.
#pragma once

#include "entry.h"

namespace scree {

CommandMaker run_command, scenes_command, devices_command, verify_command, replay_command, render_command,
    view_command, decompose_command, compile_command;
CommandMaker bench_command; ///< the program scree-bench, in place of this one

} // namespace scree
