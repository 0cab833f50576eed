// SPDX-License-Identifier: MIT
// session.cpp — see session.h.
#include "view/session.h"

#include "record/recorded_scene.h"
#include "scree/error.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace scree::view {
namespace {

std::atomic<std::uint64_t> loads{0};

} // namespace

Session::Session(const Scene& scene, const SceneOptions& options, std::string name, const Place& place,
                 const HistoryLimits& limits)
    : scene_(scene), options_(options), name_(std::move(name)), limits_(limits), live_(scene, place) {
    renew_facts();
    remember();
}

/// After a load, or when a setting changed.
void Session::renew_facts() {
    auto facts = std::make_shared<SceneFacts>();
    const SceneRun& run = live_.run();
    facts->load = facts_ ? facts_->load : ++loads;
    facts->kind = run.kind().name();
    facts->stage_names = run.stage_names();
    for (const Setting& setting : run.kind().settings())
        facts->settings.push_back({&setting, setting.get(run.scene().content), setting.get(scene_.content)});
    facts->actions = run.actions();
    facts->player = run.player_start();
    facts_ = std::move(facts);
}

void Session::show(Frame& frame, const Wishes& wishes) const {
    const SceneRun& run = live_.run();
    static_cast<Details&>(frame) = {};
    run.show(frame, true);
    run.observe(frame, wishes);
    frame.stage_seconds = live_.last_stages();
    if (wishes.hash) frame.hash = live_.hash();
    frame.facts = facts_;
    frame.device = live_.place().device();
    frame.hold = live_.hold();
    frame.oldest_step = oldest_step();
    frame.recording = recording();
    frame.recorded = recorded();
}

void Session::remember() {
    history_.push_back(live_.save());
    history_bytes_ += history_.back().bytes.size();
    // the newest stays, however large it is
    while (history_bytes_ > limits_.bytes && history_.size() > 1) {
        history_bytes_ -= history_.front().bytes.size();
        history_.pop_front();
    }
}

/// Large states are saved less often: sixteen of them should fit, and saving should not be what a step costs.
std::uint64_t Session::interval() const {
    const std::uint64_t room = std::max<std::uint64_t>(limits_.bytes / 16, 1);
    return limits_.interval * std::max<std::uint64_t>(history_.back().bytes.size() / room, 1);
}

void Session::command(const Command& command) {
    live_.apply(command);
    log_.resize(given_); // another future
    log_.push_back({live_.steps_done(), command});
    ++given_;
    if (recording_) recording_->add_commands(log_text({&log_.back(), 1}));
    if (std::holds_alternative<ChangeSetting>(command)) renew_facts();
}

void Session::give_due() {
    for (; given_ < log_.size() && log_[given_].step <= live_.steps_done(); ++given_) {
        try {
            live_.apply(log_[given_].command);
            if (recording_) recording_->add_commands(log_text({&log_[given_], 1}));
            if (std::holds_alternative<ChangeSetting>(log_[given_].command)) renew_facts();
        } catch (const Error&) {
            // a log of another scene may have impossible commands: skip them, the hash will differ
        }
    }
}

void Session::step() {
    give_due();
    live_.step();
    if (live_.steps_done() >= history_.back().step + interval()) remember();
    if (recording_ && live_.steps_done() % steps_per_frame_ == 0) record_frame();
}

std::uint64_t Session::step_back(std::uint64_t steps) {
    const std::uint64_t now = live_.steps_done();
    const std::uint64_t target = now - std::min(steps, now - std::min(now, history_.front().step));
    if (target == now) return 0;
    stop_recording(); // a recording knows no way back
    // from a state before the target, so that counters and times of a last step exist
    while (history_.size() > 1 && history_.back().step >= target) {
        history_bytes_ -= history_.back().bytes.size();
        history_.pop_back();
    }
    live_.restore(history_.back());
    renew_facts();
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
    facts_.reset();
    renew_facts();
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
    if (steps_per_frame == 0) throw Error("invalid value 0: expected at least 1 step a frame", file);
    stop_recording();
    recording_.emplace(
        file, recording_header(scene_, options_, name_, live_.run().device_words(), steps_per_frame));
    recording_->add_commands(log_text(log()));
    steps_per_frame_ = steps_per_frame;
    // a run again meets this step before its commands: after them there is nothing to compare
    const bool touched = given_ > 0 && log_[given_ - 1].step == live_.steps_done();
    if (!touched) record_frame();
}

void Session::record_frame() {
    live_.run().show(recorded_frame_);
    recording_->add_frame(recorded_frame_, live_.hash());
}

void Session::stop_recording() {
    if (!recording_) return;
    RecordingWriter recording = std::move(*recording_);
    recording_.reset();
    recording.finish();
}

} // namespace scree::view
