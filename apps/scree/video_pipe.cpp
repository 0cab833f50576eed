// SPDX-License-Identifier: MIT
// video_pipe.cpp — see video_pipe.h.

#ifdef SCREE_HAS_RENDER

#include "video_pipe.h"

#include "scree/error.h"
#include "text.h"

#include <csignal>
#include <cstdlib>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace scree {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace

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

VideoPipe::VideoPipe(const std::string& file, int width, int height, int fps) : file_(file) {
    // an ffmpeg that ends early shows as an error of fwrite, not as a signal
    std::signal(SIGPIPE, SIG_IGN);
    // most players want even sizes and 4:2:0
    const std::string command = "exec ffmpeg -loglevel error -nostdin -y -f rawvideo -pix_fmt rgba -s " +
                                std::to_string(width) + "x" + std::to_string(height) + " -r " +
                                std::to_string(fps) +
                                " -i - -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -preset medium -crf "
                                "18 -pix_fmt yuv420p -movflags +faststart " +
                                quoted(file.starts_with("-") ? "./" + file : file);
    pipe_ = popen(command.c_str(), "w");
    if (!pipe_) throw Error("ffmpeg cannot be started", printable(file_));
}

VideoPipe::~VideoPipe() {
    if (pipe_) pclose(pipe_);
}

void VideoPipe::add(std::span<const std::uint8_t> rgba) {
    if (std::fwrite(rgba.data(), 1, rgba.size(), pipe_) != rgba.size())
        throw Error("ffmpeg ended before the video did", printable(file_));
}

void VideoPipe::finish() {
    const int status = pclose(std::exchange(pipe_, nullptr));
    if (status != 0)
        throw Error("ffmpeg could not make the video (exit code " +
                        std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + ")",
                    printable(file_));
}

} // namespace scree

#endif
