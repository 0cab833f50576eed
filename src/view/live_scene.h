// SPDX-License-Identifier: MIT
// live_scene.h — a scene's world that people may touch: commands, frames, and states to come back to.
#pragma once

#include "scene/command.h"
#include "scree/place.h"
#include "scree/recording.h"
#include "view/frame.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::view {

/// How a held body is pulled: a spring with critical damping, whose force never exceeds some times the weight, so that
/// light things do not fly off and heavy ones do not break through others.
struct HoldSettings {
    double rate = 10;    ///< rad/s of the spring
    double weights = 10; ///< most force, in the body's weights (of 9.81 m/s² where there is no gravity)
};
Vec3 hold_force(const HoldSettings& settings, double mass, double gravity, DVec3 point, DVec3 velocity,
                DVec3 target);

class LiveScene {
public:
    /// Throws Error when the scene or the place is not acceptable.
    LiveScene(Scene scene, const Place& place);

    const Scene& scene() const { return scene_; }
    const Place& place() const; ///< with "auto" decided
    std::string device_words() const { return place().report().name + ": " + place().report().description; }
    std::uint64_t steps_done() const;
    double time() const;
    double time_step() const; ///< s
    std::uint64_t hash() const;
    std::uint32_t body_count() const;

    /// Takes effect in the next step. Throws Error when it is not acceptable, and changes nothing then.
    void apply(const Command& command);
    void step();

    struct State {
        std::uint64_t step = 0, bytes = 0;
        std::vector<std::byte> rigid;
        GranularSnapshot granular;
        std::optional<Grab> grab;
        Vec3 target{};
        WorldSettings rigid_settings;
        GranularSettings granular_settings;
        float time_step = 0;
    };
    State save() const;
    void restore(const State& state);
    /// The same world on another device, threads or lanes. Throws Error and stays where it is when that cannot be.
    void move_to(const Place& place);

    /// Poses, and what is wished; `frame` may be an old one, whose memory is used again.
    void show(Frame& frame, const Wishes& wishes) const;
    void time_stages(bool on);
    std::shared_ptr<const Looks> looks() const { return looks_; }
    /// Adds a frame; bodies of shapes from `shape_count` on are recorded with the last one before.
    void record(RecordingWriter& recording, std::uint32_t shape_count) const;

private:
    void build(const Place& place);
    void change(const ChangeSetting& change);
    void shoot(const Shoot& shot);
    void pull();
    void renew_looks();
    double gravity() const;
    DVec3 held_point() const;

    Scene scene_;
    std::optional<World> rigid_;
    std::optional<GranularWorld> granular_;
    std::vector<BodyId> ids_; ///< of rigid bodies, by number
    std::optional<Grab> grab_;
    Vec3 target_{}, force_{};
    std::shared_ptr<const Looks> looks_;
    HoldSettings hold_;
    bool timing_ = false;
    std::vector<double> seconds_before_; ///< of the stages, before the last step
};

} // namespace scree::view
