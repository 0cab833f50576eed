// SPDX-License-Identifier: MIT
// main.cpp — the program: finds the command.

#include "commands.h"
#include "options.h"
#include "scree/error.h"
#include "scree/version.h"
#include "text.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace scree;

struct Command {
    std::string_view name;
    int (*run)(std::span<const std::string>);
    std::string_view help;
};

constexpr Command commands[] = {
    {"run", run_command, "simulate a scene without a window"},
    {"view", view_command, "show a scene in a window and interact with it"},
    {"scenes", scenes_command, "list the built-in scenes"},
    {"devices", devices_command, "list devices, and why others are unavailable"},
    {"verify", verify_command, "compare state hashes over devices, threads and lanes"},
    {"bench", bench_command, "measure speed and quality, also of other engines"},
    {"render", render_command, "make a picture or a video of a scene or a recording"},
    {"replay", replay_command, "describe a recording, or run it again and compare"},
};

std::string usage() {
    std::string text = "usage: scree COMMAND [arguments]\n\ncommands:\n";
    for (const Command& command : commands)
        text += "  " + padded(command.name, 10) + std::string(command.help) + "\n";
    text += "\nscree COMMAND --help explains a command; scree --version prints the version.\n"
            "for example: scree run stream-300 --bodies 1000\n"
            "\nexit codes: 0 done, 1 an expectation or comparison failed, 2 bad input, 130 interrupted\n";
    return text;
}

int dispatch(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        std::fputs(usage().c_str(), stderr);
        return exit_bad_input;
    }
    const std::string& first = arguments.front();
    if (first == "help" && arguments.size() > 1) return dispatch({arguments[1], "--help"});
    if (first == "--help" || first == "-h" || first == "help")
        return std::fputs(usage().c_str(), stdout), exit_ok;
    if (first == "--version") return std::puts("scree " SCREE_VERSION), exit_ok;
    std::vector<std::string_view> names;
    for (const Command& command : commands) {
        if (command.name == first) return command.run(std::span(arguments).subspan(1));
        names.push_back(command.name);
    }
    const std::string near = near_name(first, names);
    throw Error("\"" + printable(first) + "\" is not a command" +
                (near.empty() ? "; see scree --help" : near));
}

} // namespace

int main(int count, char** words) { return enter(count, words, dispatch); }
