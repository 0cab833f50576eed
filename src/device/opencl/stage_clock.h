// SPDX-License-Identifier: MIT
// stage_clock.h — device time by stage, from markers in the queue, so that measuring does not stall it.
#pragma once

#include "device/opencl/calls.h"

#include <array>
#include <chrono>
#include <vector>

namespace scree::opencl {

class StageClock {
public:
    explicit StageClock(cl_command_queue queue) : queue_(queue) {}

    void start(bool on);
    void mark(int stage);
    std::array<double, 16> seconds();

private:
    struct Mark {
        int stage = -1;
        Event event;
    };

    void resolve();
    void add(int stage, double seconds);
    bool markers_tell_time();

    cl_command_queue queue_;
    bool on_ = false;
    bool by_markers_ = false; ///< else the host's clock after a clFinish
    std::vector<Mark> marks_;
    int host_stage_ = -1;
    std::chrono::steady_clock::time_point host_since_;
    std::array<double, 16> totals_{};
};

} // namespace scree::opencl
