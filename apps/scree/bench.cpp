// SPDX-License-Identifier: MIT
// bench.cpp — `scree bench`: starts the program scree-bench, so that this one needs none of the engines it compares with.

#include "commands.h"
#include "scree/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace scree {

namespace {

constexpr const char* program = "scree-bench";

/// Where it may lie; the last is looked for on the PATH.
std::vector<std::string> places() {
    std::vector<std::string> files;
    std::error_code unknown;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    if (!unknown) {
        const auto folder = self.parent_path();
        files.push_back((folder / program).string());
        files.push_back((folder.parent_path() / "libexec/scree" / program).string());
    }
    files.emplace_back(program);
    return files;
}

int run(const Arguments& given) {
    std::vector<char*> words{const_cast<char*>(program)};
    for (const std::string& argument : given.positional())
        words.push_back(const_cast<char*>(argument.data()));
    words.push_back(nullptr);
    const std::vector<std::string> files = places();
    for (const std::string& file : files) {
        // returns only when it fails; exit code and signals are those of the program that takes this one's place
        execvp(file.c_str(), words.data());
        if (errno != ENOENT && errno != ENOTDIR)
            throw Error(std::string("it cannot be started: ") + std::strerror(errno), file);
    }
    throw Error(std::string("the program ") + program + " is not installed: expected at " + files.front() +
                    " or on the PATH (CMake target scree_bench)",
                "scree bench");
}

} // namespace

CommandSpec bench_command() {
    return {"bench", "measure speed and quality, also of other engines", "", {}, run, true};
}

} // namespace scree
