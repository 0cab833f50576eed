// SPDX-License-Identifier: MIT
// live_scene.cpp — see live_scene.h.
#include "scene/live_scene.h"

#include "scree/error.h"

#include <algorithm>
#include <cmath>

namespace scree {

Vec3 hold_force(const HoldSettings& settings, double gravity, const Grip& grip, Vec3 target) {
    const double mass = grip.mass, weight = mass * (gravity > 0 ? gravity : 9.81),
                 most = settings.weights * weight;
    DVec3 force = mass * (settings.rate * settings.rate * (wide(target) - wide(grip.point)) -
                          2 * settings.rate * wide(grip.velocity));
    const double size = length(force);
    if (!(size <= most)) force = is_finite(force) ? (most / size) * force : DVec3{};
    return narrow(force);
}

void LiveScene::apply(const Command& command) {
    std::visit(Overloaded{
                   [&](const Grab& grab) {
                       if (grab.body >= run_->body_count())
                           throw Error("invalid body " + std::to_string(grab.body) + ": the scene has " +
                                           std::to_string(run_->body_count()),
                                       "grab");
                       if (!is_finite(grab.point)) throw Error("the point is not finite", "grab");
                       grab_ = grab;
                       anchored_ = run_->anchored(grab);
                       target_ = run_->grip(anchored_.body, anchored_.point).point;
                   },
                   [&](const DragTo& drag) {
                       if (!is_finite(drag.target)) throw Error("the target is not finite", "drag");
                       target_ = drag.target;
                   },
                   [&](const Release&) {
                       grab_.reset();
                       force_ = {};
                   },
                   [&](const Shoot& shot) {
                       if (!(shot.radius > 0) || !(shot.mass > 0))
                           throw Error("expected radius and mass above 0", "shoot");
                       run_->shoot(shot);
                   },
                   [&](const ChangeSetting& change) { run_->change_setting(change.name, change.value); },
                   [&](const Act& act) { run_->act(act.name); },
                   [&](const Walk& walk) {
                       if (!is_finite(walk.velocity)) throw Error("the velocity is not finite", "walk");
                       run_->walk(walk);
                   },
               },
               command);
}

void LiveScene::step() {
    if (grab_ && !run_->take(anchored_, target_)) {
        const Grip grip = run_->grip(anchored_.body, anchored_.point);
        if (grip.mass > 0) {
            force_ = hold_force(hold_, length(wide(run_->gravity())), grip, target_);
            run_->pull(anchored_.body, grip.point, force_);
        }
    }
    if (timing_) seconds_before_ = run_->stage_seconds();
    run_->step();
}

LiveScene::State LiveScene::save() const { return {steps_done(), run_->save(), grab_, anchored_, target_}; }

void LiveScene::restore(const State& state) {
    run_->restore(state.bytes);
    grab_ = state.grab;
    anchored_ = state.anchored;
    target_ = state.target;
    force_ = {};
    seconds_before_.clear();
}

std::optional<Hold> LiveScene::hold() const {
    if (!grab_) return std::nullopt;
    return Hold{grab_->body, run_->grip(anchored_.body, anchored_.point).point, target_, force_};
}

void LiveScene::time_stages(bool on) {
    timing_ = on;
    seconds_before_.clear();
    run_->time_stages(on);
}

std::vector<double> LiveScene::last_stages() const {
    if (!timing_) return {};
    std::vector<double> seconds = run_->stage_seconds();
    if (seconds_before_.size() != seconds.size()) return {};
    for (std::size_t k = 0; k < seconds.size(); ++k)
        seconds[k] = std::max(0.0, seconds[k] - seconds_before_[k]);
    return seconds;
}

} // namespace scree
