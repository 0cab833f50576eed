// SPDX-License-Identifier: MIT
// video_pipe.h — raw pictures piped to ffmpeg, which makes a video of them.
#pragma once

#include "output_file.h"

#include <cstdint>
#include <span>
#include <string>

#include <sys/types.h>

namespace scree {

/// Whether a program of this name is on the PATH.
bool program_on_path(const std::string& name);

/// The video appears under its name only when it is complete; without finish() nothing is left behind.
class VideoPipe {
public:
    /// Throws Error naming `option` and the file when it cannot be written or ffmpeg cannot be started.
    VideoPipe(const std::string& option, const std::string& file, int width, int height, int fps);
    ~VideoPipe();
    VideoPipe(VideoPipe&&) = delete; // nor copied

    /// RGBA rows from the top. Throws Error when ffmpeg has ended.
    void add(std::span<const std::uint8_t> rgba);
    /// Waits until the video is complete; throws Error when it is not.
    void finish();

private:
    int close_and_wait(); ///< what waitpid says of ffmpeg

    OutputFile out_; // holds the place that ffmpeg writes to
    int pipe_ = -1;
    pid_t ffmpeg_ = 0;
};

} // namespace scree
