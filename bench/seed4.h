// SPDX-License-Identifier: MIT
// seed4.h — `scree bench seed4`: the experiments of Peres 2008 on today's devices, beside the figures of then.
//
// B1 spheres at rest in a box, B2 a cube of spheres held by fixed joints, B3 actors of three capsules in a funnel; and how
// fast lists of bodies, shapes and joints go to a device and states come back. Scenes are those of contract rigid-seed-1.
#pragma once

#include "row.h"
#include "scree/world.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bench {

class RunProgress;

/// The stage that an experiment of the dissertation is about.
enum class SeedMeasure { total, solver, collision };

/// What the dissertation measured at one size, ms; 0 where it says nothing. See seed4_figures.cpp.
struct SeedFigure {
    std::uint32_t size, actors, rows; ///< size: as in the scene's name; rows 0: not said
    double cpu_collision, cpu_solver, cpu_total;
    double gpu_collision, gpu_solver, gpu_total;
    double brute_collision; ///< of its CPU without the grid
};
struct SeedExperiment {
    std::string_view name, family, title;
    SeedMeasure measure;
    int settle, steps; ///< before the clock starts, and timed
    std::span<const SeedFigure> figures;
};
std::span<const SeedExperiment> seed_experiments();

/// Lists sent to the GPU and states fetched: ms of the dissertation's section 5.1.
struct SeedTransfer {
    std::string_view what;
    std::uint32_t count;
    double ms;
};
std::span<const SeedTransfer> seed_transfers();

struct Seed4Options {
    std::vector<std::string> experiments; ///< B1, B2, B3, transfer
    std::vector<std::string> devices;     ///< cpu, cuda, cpu:kernels
    std::vector<int> threads;             ///< of cpu
    Solver solver = Solver::sor;
    std::vector<std::string> settings; ///< KEY=VALUE: of the timed steps
    std::uint64_t most = 1000000;      ///< actors, or what is sent
    int settle = -1, steps = 0;        ///< in place of the experiment's own
    int repeats = 3;                   ///< the fastest counts
};

/// One size on one device.
struct SeedRow {
    std::string experiment, device, broad_phase, solver;
    int threads = 1, steps = 0;
    std::uint32_t size = 0;
    std::uint64_t actors = 0, shapes = 0, joints = 0;
    std::uint64_t contacts = 0, rows = 0; ///< touching pairs, and three for each point and what joints hold
    /// ms a step: bounds, pairs and narrow; colours, assembly, iterations and integration; wall time of everything
    double collision_ms = 0, solver_ms = 0, total_ms = 0;
    double joint_mm = 0; ///< the farthest apart that the anchors of a joint are
    double overlap_mm = 0,
           p99_overlap_mm = 0; ///< of contacts, after the last step: the largest, and of 99 in 100
    std::uint64_t hash = 0;

    std::string who() const; ///< "cpu 4T, grid"
    bool on_cpu() const { return device == "cpu"; }
    double fps() const { return 1e3 / total_ms; }
    double measured(SeedMeasure what) const {
        return what == SeedMeasure::total ? total_ms : what == SeedMeasure::solver ? solver_ms : collision_ms;
    }
};

struct TransferRow {
    std::string what, device;
    std::uint64_t count = 0, bytes = 0, calls = 0;
    double ms = 0;     ///< as the world does it
    double raw_ms = 0; ///< the same bytes in one call
    double seed_ms = 0;
};

// seed4_bench.cpp
/// How many runs it will announce.
int run_count(const SeedExperiment& experiment, const Seed4Options& options);
std::vector<SeedRow> run_experiment(const SeedExperiment& experiment, const Seed4Options& options,
                                    RunProgress& progress);
// seed4_transfer.cpp
int transfer_count(const Seed4Options& options);
std::vector<TransferRow> run_transfers(const Seed4Options& options, RunProgress& progress);

// seed4_tables.cpp: all that is said about the rows
TextTable seed_table(const SeedExperiment& experiment, const std::vector<SeedRow>& rows);
TextTable transfer_table(const std::vector<TransferRow>& rows);
/// From which size on each device is ahead of each number of the CPU's threads.
std::vector<std::string> crossovers(const SeedExperiment& experiment, const std::vector<SeedRow>& rows);
/// The dissertation's results as limits (R4.61 to R4.64): met or missed, for those that were measured.
std::vector<std::string> seed_targets(const std::vector<SeedRow>& rows);
/// Sizes at which devices or broad phases came to different states; none is what should be.
std::vector<std::string> different_bits(const std::vector<SeedRow>& rows);
std::string seed_csv(const std::vector<SeedRow>& rows);
std::string transfer_csv(const std::vector<TransferRow>& rows);

} // namespace scree::bench
