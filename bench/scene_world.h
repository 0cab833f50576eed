// SPDX-License-Identifier: MIT
// scene_world.h — a benchmark's scene in a World, with bodies that come, go and are driven.
#pragma once

#include "bench_scene.h"
#include "rigid_quality.h"

#include <map>
#include <vector>

namespace scree::bench {

class SceneWorld {
public:
    /// `settings`: as for settings_of.
    SceneWorld(const BenchScene& scene, const WorldSettings& settings, const Place& place);

    /// Changes what the scene wants changed before this step, then steps.
    void step();
    /// By the scene's numbers; not a number where there is no body now.
    std::vector<RigidPose> poses() const;
    bool asleep() const; ///< whether every dynamic body sleeps
    World& world() { return world_; }

private:
    struct Changes {
        std::vector<std::uint32_t> gone, born, joints; ///< numbers of the scene
    };
    void apply(const Changes& changes);

    const RigidScene scene_;
    const std::vector<BenchScene::Path> paths_;
    std::map<int, Changes> changes_; ///< by step
    World world_;
    std::vector<BodyId> bodies_; ///< by the scene's numbers; those that are not there are not alive
    int steps_ = 0;
};

} // namespace scree::bench
