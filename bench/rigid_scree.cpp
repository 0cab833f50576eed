// SPDX-License-Identifier: MIT
// rigid_scree.cpp — the scene in a World with default settings.
#include "rigid_engine.h"
#include "rigid_world.h"
#include "row.h"
#include "scree/version.h"
#include "seed4.h"

#include <algorithm>
#include <memory>

namespace scree::bench {

namespace {

RigidRun build(const RigidScene& scene, const WorldSettings& settings, const Place& place) {
    auto built = std::make_shared<RigidWorld>(make_world(scene, settings, place));

    RigidRun run;
    run.step = [built, dt = scene.dt] { built->world.step(dt); };
    run.poses = [built] {
        std::vector<RigidPose> poses;
        for (BodyId body : built->bodies) {
            const BodyState state = built->world.state(body);
            poses.push_back({state.position, state.rotation, state.velocity, state.angular_velocity});
        }
        return poses;
    };
    run.asleep = [built] {
        const World& now = built->world;
        return std::all_of(built->bodies.begin(), built->bodies.end(), [&](BodyId body) {
            return now.type(body) == BodyType::fixed || now.state(body).asleep;
        });
    };
    run.stages = [built] {
        std::vector<std::pair<std::string, double>> stages;
        const auto seconds = built->world.stage_seconds();
        for (std::size_t i = 0; i < seconds.size(); ++i)
            stages.emplace_back(world_stage_names[i], seconds[i]);
        built->world.time_stages(true);
        return stages;
    };
    run.memory = [built] {
        return RigidMemory{mebibytes(built->world.memory().total()),
                           mebibytes(built->world.traffic().allocated)};
    };
    return run;
}

Place on_cpu(int threads) { return PlaceOptions{.threads = threads}; }

} // namespace

std::string scree_version() { return SCREE_VERSION; }

RigidRun build_scree(const RigidScene& scene, int threads, bool sleeping) {
    return build(scene, {.sleeping = sleeping}, on_cpu(threads));
}

// the host's threads set the world up and are idle then: as many as a user gets who says nothing
RigidRun build_scree_cuda(const RigidScene& scene, int, bool sleeping) {
    return build(scene, {.sleeping = sleeping}, "cuda");
}

RigidRun build_scree_cuda_grid(const RigidScene& scene, int, bool sleeping) {
    return build(scene, {.broad_phase = BroadPhase::grid, .sleeping = sleeping}, "cuda");
}

std::optional<std::string> scree_cuda_missing(int threads) {
    if (threads != 1) return "cuda runs once, as 1 thread";
    const std::optional<std::string> reason = missing_gpu();
    if (!reason) return std::nullopt;
    return "cuda is left out: " + *reason;
}

RigidRun build_scree_sor(const RigidScene& scene, int threads, bool sleeping) {
    return build(scene, {.solver = Solver::sor, .sleeping = sleeping}, on_cpu(threads));
}

} // namespace scree::bench
