// SPDX-License-Identifier: MIT
// program.h — runs the program as a user would and keeps what it printed.
#pragma once

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace scree::testing {

struct ProgramResult {
    int code = -1;
    std::string out, err;

    bool said(const std::string& text) const { return out.find(text) != std::string::npos; }
    bool complained(const std::string& text) const { return err.find(text) != std::string::npos; }
    /// The text behind `label` at the start of a line.
    std::string line(const std::string& label) const {
        const std::size_t at = ("\n" + out).find("\n" + label);
        if (at == std::string::npos) return {};
        const std::size_t start = out.find_first_not_of(' ', at + label.size());
        return start == std::string::npos ? std::string() : out.substr(start, out.find('\n', start) - start);
    }
};

/// For a failing EXPECT.
inline std::ostream& operator<<(std::ostream& stream, const ProgramResult& result) {
    return stream << "exit code " << result.code << "\n--- out\n" << result.out << "--- err\n" << result.err;
}

inline ProgramResult run_program(const std::vector<std::string>& arguments,
                                 const std::string& program = SCREE_PROGRAM) {
    const TemporaryFolder folder;
    const auto quoted = [](const std::string& text) {
        std::string result = "'";
        for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return result + "'";
    };
    std::string command = quoted(program);
    for (const std::string& argument : arguments) command += " " + quoted(argument);
    command += " >" + quoted(folder.file("out")) + " 2>" + quoted(folder.file("err")) + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_bytes(folder.file("out")),
            file_bytes(folder.file("err"))};
}

/// What `scree verify` says of scenes that have the same hashes everywhere, and the table that it writes.
struct Verified {
    ProgramResult result;
    std::string table;
};
inline Verified run_verify(std::vector<std::string> arguments) {
    const TemporaryFolder folder;
    arguments.insert(arguments.begin(), "verify");
    arguments.insert(arguments.end(), {"--table", folder.file("table.md")});
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 0) << result;
    EXPECT_FALSE(result.said("DIFFERS")) << result;
    EXPECT_EQ(folder.file_count(), 1u);
    return {result, file_bytes(folder.file("table.md"))};
}

/// run_program on a terminal, everything shown in `out`. Once `cue` has been shown, `keys` are typed.
inline ProgramResult run_on_terminal(const std::vector<std::string>& arguments, const std::string& cue = {},
                                     const std::string& keys = {}) {
    int terminal = -1;
    winsize size{};
    size.ws_col = 200;
    size.ws_row = 50;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child < 0) return {};
    if (child == 0) {
        std::vector<char*> words{const_cast<char*>(SCREE_PROGRAM)};
        for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        execv(SCREE_PROGRAM, words.data());
        _exit(127);
    }
    ProgramResult result;
    bool typed = keys.empty();
    char chunk[4096];
    for (ssize_t got; (got = read(terminal, chunk, sizeof chunk)) > 0;) {
        result.out.append(chunk, static_cast<std::size_t>(got));
        if (!typed && result.said(cue)) typed = write(terminal, keys.data(), keys.size()) > 0;
    }
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    return result;
}

} // namespace scree::testing
