// SPDX-License-Identifier: MIT
// stage_clock.cpp — reads the times of markers once enough have come together.
#include "device/opencl/stage_clock.h"

#include <utility>

namespace scree::opencl {

namespace {

constexpr std::size_t marks_held = 4096;

Event enqueue_marker(cl_command_queue queue) {
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    return Event(event);
}

cl_int end_time(const Event& event, cl_ulong& nanoseconds) {
    return clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof nanoseconds, &nanoseconds,
                                   nullptr);
}

} // namespace

/// some drivers keep no times for markers
bool StageClock::markers_tell_time() {
    const Event marker = enqueue_marker(queue_);
    check(clFinish(queue_), "clFinish");
    cl_ulong nanoseconds = 0;
    return end_time(marker, nanoseconds) == CL_SUCCESS && nanoseconds > 0;
}

void StageClock::start(bool on) {
    marks_.clear();
    host_stage_ = -1;
    totals_ = {};
    on_ = on;
    if (on) by_markers_ = markers_tell_time();
}

void StageClock::add(int stage, double seconds) {
    if (stage >= 0 && stage < 16) totals_[static_cast<std::size_t>(stage)] += seconds;
}

void StageClock::mark(int stage) {
    if (!on_) return;
    if (by_markers_) {
        marks_.push_back({stage, enqueue_marker(queue_)});
        if (marks_.size() >= marks_held) resolve();
        return;
    }
    check(clFinish(queue_), "clFinish");
    const auto now = std::chrono::steady_clock::now();
    add(host_stage_, std::chrono::duration<double>(now - host_since_).count());
    host_stage_ = stage;
    host_since_ = now;
}

/// turns marks into seconds; the last one stays, as the beginning of what is still running
void StageClock::resolve() {
    if (marks_.size() < 2) return;
    check(clFinish(queue_), "clFinish");
    cl_ulong before = 0;
    check(end_time(marks_.front().event, before), "clGetEventProfilingInfo");
    for (std::size_t i = 1; i < marks_.size(); ++i) {
        cl_ulong after = 0;
        check(end_time(marks_[i].event, after), "clGetEventProfilingInfo");
        if (after > before) add(marks_[i - 1].stage, static_cast<double>(after - before) * 1e-9);
        before = after;
    }
    Mark last = std::move(marks_.back());
    marks_.clear();
    marks_.push_back(std::move(last));
}

std::array<double, 16> StageClock::seconds() {
    if (on_ && by_markers_) resolve();
    return totals_;
}

} // namespace scree::opencl
