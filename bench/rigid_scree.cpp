// SPDX-License-Identifier: MIT
// rigid_scree.cpp — the scene in a World with default settings.
#include "bench_options.h"
#include "rigid_engine.h"
#include "row.h"
#include "scene_world.h"
#include "scree/version.h"

#include <memory>

namespace scree::bench {

namespace {

RigidRun build(const BenchScene& scene, const WorldSettings& settings, const Place& place) {
    auto scene_world = std::make_shared<SceneWorld>(scene, settings, place);
    World* world = &scene_world->world(); // lives as long as the step's copy of the pointer above

    RigidRun run;
    run.step = [scene_world] { scene_world->step(); };
    run.poses = [scene_world] { return scene_world->poses(); };
    run.asleep = [scene_world] { return scene_world->asleep(); };
    run.stages = [world] {
        std::vector<std::pair<std::string, double>> stages;
        for (const double seconds : world->stage_seconds())
            stages.emplace_back(world_stage_names[stages.size()], seconds);
        world->time_stages(true);
        return stages;
    };
    run.memory = [world] {
        return RigidMemory{mebibytes(world->memory().total()), mebibytes(world->traffic().allocated)};
    };
    return run;
}

Place on_cpu(int threads) { return PlaceOptions{.threads = threads}; }

} // namespace

std::string scree_version() { return SCREE_VERSION; }

RigidRun build_scree(const BenchScene& scene, int threads, bool sleeping) {
    return build(scene, {.sleeping = sleeping}, on_cpu(threads));
}

// the host's threads set the world up and are idle then: as many as a user gets who says nothing
RigidRun build_scree_cuda(const BenchScene& scene, int, bool sleeping) {
    return build(scene, {.sleeping = sleeping}, "cuda");
}

RigidRun build_scree_cuda_grid(const BenchScene& scene, int, bool sleeping) {
    return build(scene, {.broad_phase = BroadPhase::grid, .sleeping = sleeping}, "cuda");
}

std::optional<std::string> scree_cuda_missing(int threads) {
    if (threads != 1) return "cuda runs once, as 1 thread";
    const std::optional<std::string> reason = missing_gpu();
    if (!reason) return std::nullopt;
    return "cuda is left out: " + *reason;
}

RigidRun build_scree_sor(const BenchScene& scene, int threads, bool sleeping) {
    return build(scene, {.solver = Solver::sor, .sleeping = sleeping}, on_cpu(threads));
}

} // namespace scree::bench
