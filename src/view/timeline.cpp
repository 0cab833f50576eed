// SPDX-License-Identifier: MIT
// timeline.cpp — see timeline.h.
#include "view/timeline.h"

#include "record/replay.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::view {

namespace {

/// What can be counted and measured in recorded poses.
void count_bodies(Frame& frame) {
    double awake = 0, asleep = 0, frozen = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::uint32_t b = 0; b < frame.appearance->body_count; ++b) {
        if (frame.has(b, Frame::absent) || frame.appearance->bodies[b].type == BodyType::fixed) continue;
        ++(frame.has(b, Frame::frozen) ? frozen : frame.has(b, Frame::asleep) ? asleep : awake);
        const double y = double{frame.centre(b).y};
        low = std::min(low, y), high = std::max(high, y);
    }
    frame.counters = {{"awake", awake}, {"asleep", asleep}, {"frozen", frozen}};
    frame.measures.clear();
    if (low <= high) frame.measures = {{"highest centre", high}, {"lowest centre", low}};
}

} // namespace

Timeline::Timeline(const std::string& file) : file_(file), reader_(file) {
    if (reader_.frame_count() == 0) throw Error("there are no frames in this recording", file);
    go(0);
}

void Timeline::go(std::size_t frame) {
    frame = std::min(frame, reader_.frame_count() - 1);
    static_cast<scree::Frame&>(frame_) = reader_.read(frame);
    at_ = frame;
    clock_ = frame_.time;
    frame_.number++;
    frame_.hash = reader_.info(frame).state_hash;
    frame_.oldest_step = reader_.info(0).step;
    count_bodies(frame_);
}

void Timeline::advance(double seconds) {
    if (!playing_ || !std::isfinite(seconds)) return;
    const std::size_t last = reader_.frame_count() - 1;
    const double clock = clock_ + seconds;
    std::size_t frame = at_;
    while (frame < last && reader_.info(frame + 1).time <= clock) ++frame;
    while (frame > 0 && reader_.info(frame).time > clock) --frame;
    if (frame != at_) go(frame);
    clock_ = std::clamp(clock, reader_.info(0).time, reader_.info(last).time);
    if ((seconds > 0 && at_ == last) || (seconds < 0 && clock_ <= reader_.info(0).time)) playing_ = false;
}

// running it again ---------------------------------------------------------------------------------------------------

ReplayCheck::ReplayCheck(const std::string& file, const PlaceOptions& place) {
    thread_ = std::thread([this, file, place] {
        std::string message;
        try {
            run(file, place);
        } catch (const std::exception& error) {
            message = error.what();
        }
        const std::lock_guard lock(mutex_);
        progress_.message = message;
        progress_.done = true;
    });
}

ReplayCheck::~ReplayCheck() { stop(); }

void ReplayCheck::stop() {
    stop_ = true;
    wait();
}

void ReplayCheck::wait() {
    if (thread_.joinable()) thread_.join();
}

ReplayCheck::Progress ReplayCheck::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

void ReplayCheck::run(const std::string& file, const PlaceOptions& place) {
    RecordingReader reader(file);
    {
        const std::lock_guard lock(mutex_);
        progress_.frames = reader.frame_count();
    }
    Replay replay(reader, file, place);
    for (std::size_t frame = 0; frame < reader.frame_count() && !stop_; ++frame) {
        const bool equal = replay.matches(frame);
        const std::lock_guard lock(mutex_);
        progress_.compared = frame + 1;
        if (!equal) {
            progress_.diverged = frame;
            return;
        }
    }
}

} // namespace scree::view
