// SPDX-License-Identifier: MIT
// process_posix.cpp — the operating system's part of running a peer.
#include "process.h"

#include "scree/error.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <system_error>

#if defined(__unix__) && !defined(__EMSCRIPTEN__) || defined(__APPLE__)
#define SCREE_HAS_POSIX 1
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
#endif

namespace scree::bench {

#ifdef SCREE_HAS_POSIX

std::optional<std::string> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    const std::string folders = path ? path : "/usr/bin:/bin";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string candidate = folders.substr(begin, end - begin) + "/" + name;
        if (::access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate))
            return candidate;
        begin = end + 1;
    }
    return std::nullopt;
}

ProcessResult run_program(const std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);

    int ends[2];
    if (::pipe(ends) != 0) throw Error(std::string("no pipe: ") + std::strerror(errno), arguments[0]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failure != 0) {
        ::close(ends[0]);
        throw Error(std::string("cannot be started: ") + std::strerror(failure), arguments[0]);
    }

    ProcessResult result;
    char chunk[4096];
    for (;;) {
        const ssize_t got = ::read(ends[0], chunk, sizeof chunk);
        if (got > 0) result.output.append(chunk, static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR) break;
    }
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    result.exit_code = WIFEXITED(status)     ? WEXITSTATUS(status)
                       : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                             : -1;
    return result;
}

bool running_as_root() { return ::geteuid() == 0; }

#else

std::optional<std::string> find_program(const std::string&) { return std::nullopt; }
ProcessResult run_program(const std::vector<std::string>& arguments) {
    throw Error("other programs are run on POSIX systems only", arguments.empty() ? "" : arguments[0]);
}
bool running_as_root() { return false; }

#endif

TemporaryFolder::TemporaryFolder() {
    std::random_device random;
    std::error_code failure;
    const std::filesystem::path base = std::filesystem::temp_directory_path(failure);
    if (failure) throw Error("no temporary folder: " + failure.message());
    for (int attempt = 0; attempt < 16; ++attempt) {
        path_ = base / ("scree-bench-" + std::to_string(random()));
        if (std::filesystem::create_directory(path_, failure)) return;
    }
    throw Error("no folder can be made here: " + failure.message(), base.string());
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace scree::bench
