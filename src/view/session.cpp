// SPDX-License-Identifier: MIT
// session.cpp — see session.h.
#include "view/session.h"

#include "scene/recorded.h"
#include "scree/error.h"

#include <algorithm>
#include <utility>

namespace scree::view {

Session::Session(Scene scene, const SceneOptions& options, std::string name, const Place& place,
                 const HistoryLimits& limits)
    : scene_(scene),
      options_(options),
      name_(std::move(name)),
      limits_(limits),
      live_(std::move(scene), place) {
    remember();
}

void Session::remember() {
    history_.push_back(live_.save());
    history_bytes_ += history_.back().bytes;
    // the newest stays, however large it is
    while (history_bytes_ > limits_.bytes && history_.size() > 1) {
        history_bytes_ -= history_.front().bytes;
        history_.pop_front();
    }
}

/// Large states are saved less often: sixteen of them should fit, and saving should not be what a step costs.
std::uint64_t Session::interval() const {
    const std::uint64_t room = std::max<std::uint64_t>(limits_.bytes / 16, 1);
    return limits_.interval * std::max<std::uint64_t>(history_.back().bytes / room, 1);
}

void Session::command(const Command& command) {
    live_.apply(command);
    log_.resize(given_); // another future
    log_.push_back({live_.steps_done(), command});
    ++given_;
    record_command(log_.back());
}

void Session::give_due() {
    for (; given_ < log_.size() && log_[given_].step <= live_.steps_done(); ++given_) {
        try {
            live_.apply(log_[given_].command);
        } catch (const Error&) {
            // of a log that belongs to another scene: what cannot be done is left out, as the hash will tell
        }
        record_command(log_[given_]);
    }
}

void Session::step() {
    give_due();
    live_.step();
    if (live_.steps_done() >= history_.back().step + interval()) remember();
    if (live_.steps_done() % steps_per_frame_ == 0) record_state();
}

std::uint64_t Session::step_back(std::uint64_t steps) {
    const std::uint64_t now = live_.steps_done();
    const std::uint64_t target = now - std::min(steps, now - std::min(now, history_.front().step));
    if (target == now) return 0;
    stop_recording(); // a recording knows no way back
    while (history_.size() > 1 && history_.back().step > target) {
        history_bytes_ -= history_.back().bytes;
        history_.pop_back();
    }
    live_.restore(history_.back());
    // a state is saved after the commands of the step before it and before those of its own
    given_ = static_cast<std::size_t>(
        std::partition_point(log_.begin(), log_.end(),
                             [&](const LoggedCommand& entry) { return entry.step < live_.steps_done(); }) -
        log_.begin());
    while (live_.steps_done() < target) {
        give_due();
        live_.step();
    }
    return now - target;
}

void Session::restart() {
    stop_recording();
    live_ = LiveScene(scene_, live_.place());
    history_.clear();
    history_bytes_ = 0;
    log_.clear();
    given_ = 0;
    remember();
}

std::vector<LoggedCommand> Session::log() const {
    return {log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(given_)};
}

void Session::set_future(std::vector<LoggedCommand> log) {
    log_ = std::move(log);
    given_ = 0;
    while (given_ < log_.size() && log_[given_].step < live_.steps_done()) ++given_;
}

void Session::record(const std::string& file, std::uint32_t steps_per_frame) {
    if (steps_per_frame == 0) throw Error("0 is not allowed; at least 1 step a frame was expected", file);
    stop_recording();
    RecordingWriter writer(
        file, recording_header(scene_, options_, name_, live_.device_words(), steps_per_frame));
    writer.add_commands(log_text(log()));
    recording_.emplace(std::move(writer));
    recorded_ = {};
    steps_per_frame_ = steps_per_frame;
    // a run again meets this step before its commands: after them there is nothing to compare
    const bool touched = given_ > 0 && log_[given_ - 1].step == live_.steps_done();
    if (!touched) record_state();
}

void Session::record_state() {
    if (!recording_) return;
    try {
        live_.take(recorded_);
        recording_->add_frame(recorded_, live_.hash());
    } catch (const Error&) {
        recording_.reset();
        throw;
    }
}

void Session::record_command(const LoggedCommand& command) {
    if (!recording_) return;
    try {
        recording_->add_commands(log_text({&command, 1}));
    } catch (const Error&) {
        recording_.reset();
        throw;
    }
}

void Session::stop_recording() {
    if (!recording_) return;
    RecordingWriter recording = std::move(*recording_);
    recording_.reset();
    recording.finish();
}

} // namespace scree::view
