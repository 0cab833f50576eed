// SPDX-License-Identifier: MIT
// live_scene.h — a scene under way that people may touch: commands, frames, and states to come back to.
#pragma once

#include "scene/command.h"
#include "scene/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace scree {

/// How a held body is pulled: a spring with critical damping, whose force never exceeds some times the weight, so that
/// light things do not fly off and heavy ones do not break through others.
struct HoldSettings {
    double rate = 10;    ///< rad/s of the spring
    double weights = 10; ///< most force, in the body's weights (of 9.81 m/s² where there is no gravity)
};
Vec3 hold_force(const HoldSettings& settings, double gravity, const Grip& grip, Vec3 target);

/// A body held by the mouse.
struct Hold {
    std::uint32_t body = 0;
    Vec3 point{}, target{}, force{}; ///< world; the force of the last step
};

class LiveScene {
public:
    /// Throws Error when the scene or the place is not acceptable.
    LiveScene(const Scene& scene, const Place& place) : run_(start_scene(scene, place)) {}

    SceneRun& run() { return *run_; }
    const SceneRun& run() const { return *run_; }
    const Scene& scene() const { return run_->scene(); }
    const Place& place() const { return run_->place(); }
    std::uint64_t steps_done() const { return run_->steps_done(); }
    std::uint64_t hash() const { return run_->hash(); }

    /// Takes effect in the next step. Throws Error when it is invalid, and changes nothing then.
    void apply(const Command& command);
    void step();

    struct State {
        std::uint64_t step = 0;
        std::vector<std::byte> bytes;
        std::optional<Grab> grab;
        Vec3 target{};
    };
    State save() const;
    void restore(const State& state);
    /// The same world on another device, threads or lanes. Throws Error and stays where it is when that cannot be.
    void move_to(const Place& place) { run_->move_to(place); }

    std::optional<Hold> hold() const;
    void time_stages(bool on);
    /// Seconds that the last step spent in each stage; empty before the first.
    std::vector<double> last_stages() const;

private:
    std::unique_ptr<SceneRun> run_;
    std::optional<Grab> grab_;
    Vec3 target_{}, force_{};
    HoldSettings hold_;
    bool timing_ = false;
    std::vector<double> seconds_before_; ///< of the stages, before the last step
};

} // namespace scree
