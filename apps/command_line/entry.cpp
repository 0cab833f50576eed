// SPDX-License-Identifier: MIT
// entry.cpp — see entry.h.

#include "entry.h"

#include "scree/error.h"
#include "text.h"

#include <cstdio>
#include <exception>
#include <new>

namespace scree {

std::string usage(const Program& program) {
    std::string text = "usage: " + program.call + " " + std::string(program.word) + " [arguments]\n\n" +
                       std::string(program.text) + std::string(program.kind) + "s:\n";
    for (CommandMaker* const make : program.commands) {
        const CommandSpec command = make();
        text += "  " + padded(command.name(), 10) + std::string(command.brief) + "\n";
    }
    return text + "\n" + std::string(program.notes) + exit_codes;
}

int dispatch(const Program& program, const std::vector<std::string>& arguments) {
    const std::string hint = "; see " + program.call + " --help";
    if (arguments.empty()) throw Error(std::string(program.word) + " is missing" + hint, program.call);
    const std::string& first = arguments.front();
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (first == "help" && !rest.empty()) {
        rest.push_back("--help");
        return dispatch(program, rest);
    }
    if (first == "--help" || first == "-h" || first == "help")
        return std::fputs(usage(program).c_str(), stdout), exit_ok;
    std::vector<std::string_view> names;
    for (CommandMaker* const make : program.commands) {
        const CommandSpec command = make();
        names.push_back(command.name());
        if (command.name() != first) continue;
        const Arguments given(command, program.call, rest);
        if (given.help()) return std::fputs(help_text(command, program.call).c_str(), stdout), exit_ok;
        return command.run(given);
    }
    const std::string near = near_name(first, names);
    throw Error("\"" + printable(first) + "\" is not a " + std::string(program.kind) +
                    (near.empty() ? hint : near),
                program.call == "scree" ? "" : program.call);
}

int enter(int count, char** words, int (*run)(const std::vector<std::string>& arguments)) {
    int code = exit_bad_input;
    try {
        code = run(std::vector<std::string>(words + (count > 0), words + count));
    } catch (const Error& error) {
        std::fprintf(stderr, "scree: %s\n", error.what());
    } catch (const std::bad_alloc&) {
        std::fputs("scree: there is not enough memory for this\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scree: %s\n", error.what());
    }
    // a result that did not reach its reader is no result
    if (std::fflush(stdout) != 0 && code == exit_ok) {
        std::fputs("scree: standard output cannot be written\n", stderr);
        code = exit_bad_input;
    }
    return code;
}

} // namespace scree
