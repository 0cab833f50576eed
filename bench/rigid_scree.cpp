// SPDX-License-Identifier: MIT
// rigid_scree.cpp — the scene in a World with default settings.
#include "bench_options.h"
#include "rigid_engine.h"
#include "row.h"
#include "scree/version.h"

#include <algorithm>
#include <memory>

namespace scree::bench {

namespace {

RigidRun build(const BenchScene& scene, const WorldSettings& settings, const Place& place) {
    auto world = std::make_shared<World>(make_world(scene, settings, place));

    RigidRun run;
    run.step = [world, dt = scene.rigid.time_step] { world->step(dt); };
    run.poses = [world] {
        std::vector<RigidPose> poses;
        for (const BodyId body : world->bodies()) {
            const BodyState state = world->state(body);
            poses.push_back({world->position(body), state.rotation, state.velocity, state.angular_velocity});
        }
        return poses;
    };
    run.asleep = [world, bodies = world->bodies()] {
        return std::all_of(bodies.begin(), bodies.end(), [&](BodyId body) {
            return world->type(body) == BodyType::fixed || world->state(body).asleep;
        });
    };
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
