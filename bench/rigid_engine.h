// SPDX-License-Identifier: MIT
// rigid_engine.h — the engines that `scree bench rigid` compares, all built from the same scene.
#pragma once

#include "bench_scene.h"
#include "rigid_quality.h"

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bench {

struct RigidMemory {
    double mib = std::numeric_limits<double>::quiet_NaN(); ///< on the host and on its device
    double device_mib =
        std::numeric_limits<double>::quiet_NaN(); ///< of which on the device; 0 where it is the host
};

/// A scene in an engine. Bodies are numbered as in the scene.
struct RigidRun {
    std::function<void()> step;
    std::function<std::vector<RigidPose>()> poses;
    std::function<bool()> asleep; ///< whether every moving body sleeps
    /// What a step spent its time on, for engines that say so: names and seconds since the last call.
    std::function<std::vector<std::pair<std::string, double>>()> stages = {};
    /// What it holds now, for engines that say so.
    std::function<RigidMemory()> memory = {};
};

struct RigidEngine {
    std::string_view name, summary;
    std::string (*version)();
    /// Why it cannot run on so many threads; nothing when it can.
    std::optional<std::string> (*missing)(int threads);
    bool special; ///< runs special scenes
    /// Sleeping by the engine's own thresholds, or not at all.
    RigidRun (*build)(const BenchScene& scene, int threads, bool sleeping);
};

std::span<const RigidEngine> rigid_engines();

// one file each; without the package, missing() says so and build throws Error
RigidRun build_scree(const BenchScene& scene, int threads, bool sleeping);
RigidRun build_scree_sor(const BenchScene& scene, int threads, bool sleeping);
RigidRun build_scree_cuda(const BenchScene& scene, int threads, bool sleeping);
/// whatever the shapes are, pairs by the grid
RigidRun build_scree_cuda_grid(const BenchScene& scene, int threads, bool sleeping);
/// It takes one thread; with more it would be the same run again.
std::optional<std::string> scree_cuda_missing(int threads);
std::string scree_version();
RigidRun build_bullet(const BenchScene& scene, int threads, bool sleeping);
std::optional<std::string> rigid_bullet_missing(int threads);
RigidRun build_ode(const BenchScene& scene, int threads, bool sleeping);
std::optional<std::string> ode_missing(int threads);
std::string ode_version();

} // namespace scree::bench
