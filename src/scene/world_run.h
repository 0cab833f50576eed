// SPDX-License-Identifier: MIT
// world_run.h — what runs of the library's world classes share.
#pragma once

#include "scene/run.h"
#include "scree/shared_poses.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree {

template <class AnyWorld>
class WorldRun : public SceneRun {
public:
    WorldRun(const Kind& kind, const Scene& scene, const Place& place, AnyWorld world)
        : SceneRun(kind, scene, place), world_(std::move(world)) {}

    std::uint64_t steps_done() const override { return world_.steps_done(); }
    double time() const override { return world_.time(); }
    std::uint64_t hash() const override { return world_.hash(); }
    void time_stages(bool on) override {
        timing_ = on;
        world_.time_stages(on);
    }
    std::vector<double> stage_seconds() const override {
        const auto all = world_.stage_seconds();
        return {all.begin(), all.end()};
    }
    std::uint32_t body_count() const override { return world_.body_count(); }
    Vec3 gravity() const override { return world_.settings().gravity; }
    bool may_share() const override {
        if constexpr (requires { scree::may_share(world_); }) return scree::may_share(world_);
        else return false;
    }

    bool may_share_vertices() const override {
        if constexpr (requires(SharedVertices& to, Frame& frame) { scree::show_shared(world_, to, frame); })
            return scree::may_share(world_);
        else return false;
    }

protected:
    void show_poses(Frame& frame, bool velocities) const override { scree::show(world_, frame, velocities); }
    void show_poses_shared(SharedPoses& to, Frame& frame) const override {
        if constexpr (requires { scree::show_shared(world_, to, frame); })
            scree::show_shared(world_, to, frame);
        else SceneRun::show_poses_shared(to, frame);
    }
    void show_vertices_shared(SharedVertices& to, Frame& frame) const override {
        if constexpr (requires { scree::show_shared(world_, to, frame); })
            scree::show_shared(world_, to, frame);
        else SceneRun::show_vertices_shared(to, frame);
    }
    std::vector<std::byte> save_world() const override { return world_.save(); }
    /// Puts another world in place of this one.
    void replace_world(AnyWorld world) {
        world_ = std::move(world);
        world_.time_stages(timing_);
    }

    AnyWorld world_;

private:
    bool timing_ = false;
};

/// A grip of a body that is in this state.
inline Grip grip_of(const Pose& pose, Vec3 centre, Vec3 velocity, Vec3 spin, float mass, Vec3 local) {
    const DVec3 point = apply(wide(pose), wide(local));
    return {narrow(point), narrow(wide(velocity) + cross(wide(spin), point - wide(centre))), mass};
}

} // namespace scree
