// SPDX-License-Identifier: MIT
// benchmarks.h — the benchmarks of scree-bench.
//
// Each takes the arguments after its name, runs, prints and writes, and returns an exit code. Errors of input are thrown as
// scree::Error whose where() is the option.
#pragma once

#include <span>
#include <string>

namespace scree::bench {

/// Steps of scenes of any kind.
int scenes_bench(std::span<const std::string> arguments);
/// The granular world beside LAMMPS, LIGGGHTS and Bullet.
int granular_bench(std::span<const std::string> arguments);
/// The rigid world beside Bullet and ODE.
int rigid_bench(std::span<const std::string> arguments);
/// Many small worlds at once.
int worlds_bench(std::span<const std::string> arguments);
/// A pile in which bodies come and go in every step.
int churn_bench(std::span<const std::string> arguments);
/// The experiments of Peres 2008.
int seed4_bench(std::span<const std::string> arguments);
/// What each kernel of a rigid world's step takes, and what the memory would allow.
int kernels_bench(std::span<const std::string> arguments);
/// Cost against size as a picture, from the CSV files of rigid_bench.
int plot_bench(std::span<const std::string> arguments);
/// What drawing costs the CPU, mode by mode.
int render_bench(std::span<const std::string> arguments);

} // namespace scree::bench
