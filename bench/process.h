// SPDX-License-Identifier: MIT
// process.h — runs another program, with a temporary folder for its files.
//
// process_posix.cpp is the only place that knows the operating system; elsewhere run_program says that it cannot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree::bench {

struct ProcessResult {
    int exit_code = -1; ///< 128 + signal when it was killed
    std::string output; ///< stdout and stderr together
};

/// Where `name` lies on the PATH.
std::optional<std::string> find_program(const std::string& name);
/// Runs and waits. Standard input is empty. Throws Error when it cannot be started.
ProcessResult run_program(const std::vector<std::string>& arguments);
bool running_as_root();

/// A new folder among the system's temporary ones, removed with all it holds.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&&) = delete; // nor copied

    std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

} // namespace scree::bench
