// SPDX-License-Identifier: MIT
// main.cpp — the program scree: its commands.

#include "commands.h"
#include "scree/version.h"

#include <cstdio>

namespace {

using namespace scree;

int run(const std::vector<std::string>& arguments) {
    static constexpr CommandMaker* commands[] = {
        run_command,   view_command,   scenes_command, devices_command,   verify_command,
        bench_command, render_command, replay_command, decompose_command, compile_command};
    const Program program{"scree",
                          "COMMAND",
                          "command",
                          "",
                          "scree COMMAND --help explains a command; scree --version prints the version.\n"
                          "for example: scree run stream-300 --bodies 1000\n",
                          commands};
    if (arguments.empty()) return std::fputs(usage(program).c_str(), stderr), exit_bad_input;
    if (arguments.front() == "--version") return std::puts("scree " SCREE_VERSION), exit_ok;
    return dispatch(program, arguments);
}

} // namespace

int main(int count, char** words) { return enter(count, words, run); }
