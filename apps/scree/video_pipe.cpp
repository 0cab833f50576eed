// SPDX-License-Identifier: MIT
// video_pipe.cpp — see video_pipe.h.

#ifdef SCREE_HAS_RENDER

#include "video_pipe.h"

#include "scree/error.h"
#include "text.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scree {

bool program_on_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string folder = rest.substr(0, colon);
        if (!folder.empty() && access((folder + "/" + name).c_str(), X_OK) == 0) return true;
        if (colon == std::string::npos) break;
        rest.erase(0, colon + 1);
    }
    return false;
}

VideoPipe::VideoPipe(const std::string& option, const std::string& file, int width, int height, int fps)
    : out_(option, file) {
    // an ffmpeg that ends early shows as an error of write, not as a signal
    std::signal(SIGPIPE, SIG_IGN);
    // most players want even sizes and 4:2:0
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const std::string rate = std::to_string(fps), target = "file:" + out_.temporary();
    const char* arguments[] = {"ffmpeg",
                               "-loglevel",
                               "error",
                               "-nostdin",
                               "-y",
                               "-f",
                               "rawvideo",
                               "-pix_fmt",
                               "rgba",
                               "-s",
                               size.c_str(),
                               "-r",
                               rate.c_str(),
                               "-i",
                               "-",
                               "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                               "-c:v",
                               "libx264",
                               "-preset",
                               "medium",
                               "-crf",
                               "18",
                               "-pix_fmt",
                               "yuv420p",
                               "-movflags",
                               "+faststart",
                               "-f",
                               "mp4",
                               target.c_str(),
                               nullptr};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Error(std::string("no pipe to ffmpeg: ") + std::strerror(errno), printable(file));
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    // in a group of its own: the ctrl-C of a terminal is for us, who then end the video in order
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int code =
        posix_spawnp(&ffmpeg_, "ffmpeg", &files, &attributes, const_cast<char**>(arguments), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    pipe_ = ends[1];
    if (code != 0) {
        close(std::exchange(pipe_, -1));
        throw Error(std::string("ffmpeg cannot be started: ") + std::strerror(code), printable(file));
    }
}

VideoPipe::~VideoPipe() {
    if (pipe_ >= 0) close_and_wait();
}

int VideoPipe::close_and_wait() {
    close(std::exchange(pipe_, -1));
    int status = 0;
    while (waitpid(ffmpeg_, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

void VideoPipe::add(std::span<const std::uint8_t> rgba) {
    while (!rgba.empty()) {
        const ssize_t written = write(pipe_, rgba.data(), rgba.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw Error("ffmpeg ended before the video did", printable(out_.name()));
        rgba = rgba.subspan(static_cast<std::size_t>(written));
    }
}

void VideoPipe::finish() {
    const int status = close_and_wait();
    if (status != 0)
        throw Error("ffmpeg could not make the video (exit code " +
                        std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + ")",
                    printable(out_.name()));
    out_.finish();
}

} // namespace scree

#endif
