// SPDX-License-Identifier: MIT
// live_scene.h — a running scene with user interaction: commands, frames, and saved states.
#pragma once

#include "scene/command.h"
#include "scene/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace scree {

/// The spring that pulls a grabbed body, critically damped. Its force is limited to a multiple of the body's weight, so that
/// light bodies do not fly off and heavy ones do not break through others.
struct HoldSettings {
    double rate = 10;    ///< angular frequency of the spring, rad/s
    double weights = 10; ///< largest force, in weights of the body (at 9.81 m/s² if there is no gravity)
};
Vec3 hold_force(const HoldSettings& settings, double gravity, const Grip& grip, Vec3 target);

/// A grabbed body.
struct Hold {
    std::uint32_t body = 0;
    Vec3 point{}, target{}, force{}; ///< world coordinates; force of the last step
};

class LiveScene {
public:
    /// Throws Error for an invalid scene or place.
    LiveScene(const Scene& scene, const Place& place) : run_(start_scene(scene, place)) {}

    SceneRun& run() { return *run_; }
    const SceneRun& run() const { return *run_; }
    const Scene& scene() const { return run_->scene(); }
    const Place& place() const { return run_->place(); }
    std::uint64_t steps_done() const { return run_->steps_done(); }
    std::uint64_t hash() const { return run_->hash(); }

    /// Takes effect in the next step. Throws Error and changes nothing if it is invalid.
    void apply(const Command& command);
    void step();

    struct State {
        std::uint64_t step = 0;
        std::vector<std::byte> bytes;
        std::optional<Grab> grab;
        Grab anchored{};
        Vec3 target{};
    };
    State save() const;
    void restore(const State& state);
    /// Moves the world to another place. Throws Error and changes nothing if that is impossible.
    void move_to(const Place& place) { run_->move_to(place); }

    std::optional<Hold> hold() const;
    void time_stages(bool on);
    /// Seconds in each stage of the last step; empty before the first step.
    std::vector<double> last_stages() const;

private:
    std::unique_ptr<SceneRun> run_;
    std::optional<Grab> grab_; ///< as it was given
    Grab anchored_{};          ///< the same as SceneRun::anchored has it
    Vec3 target_{}, force_{};
    HoldSettings hold_;
    bool timing_ = false;
    std::vector<double> seconds_before_; ///< of the stages, before the last step
};

} // namespace scree
