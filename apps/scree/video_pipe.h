// SPDX-License-Identifier: MIT
// video_pipe.h — raw pictures piped to ffmpeg, which makes a video of them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace scree {

/// Whether a program of this name is on the PATH.
bool program_on_path(const std::string& name);

class VideoPipe {
public:
    /// Throws Error when ffmpeg cannot be started.
    VideoPipe(const std::string& file, int width, int height, int fps);
    ~VideoPipe();
    VideoPipe(const VideoPipe&) = delete;
    VideoPipe& operator=(const VideoPipe&) = delete;

    /// RGBA rows from the top. Throws Error when ffmpeg has ended.
    void add(std::span<const std::uint8_t> rgba);
    /// Waits until the video is complete; throws Error when it is not.
    void finish();

private:
    std::string file_;
    std::FILE* pipe_ = nullptr;
};

} // namespace scree
