// SPDX-License-Identifier: MIT
// row.h — one measured result. Every benchmark writes the same columns; docs/manual/bench-granular.md explains them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::bench {

/// How good the result is that was reached at this speed. All engines are measured by the same code.
struct Quality {
    double max_overlap_mm = 0;
    double mean_overlap_mm = 0; ///< over contacts
    double coordination = 0;    ///< contacts of a body with other bodies, on average
    double kinetic_j = 0;       ///< of the whole scene
    double mean_height_m = 0;   ///< of the bodies' centres
};

struct Row {
    std::string contract; ///< what was run, with every parameter fixed: docs/manual/bench-granular.md
    std::string engine, version, device;
    int threads = 1; ///< or MPI ranks; 0 for a GPU
    std::string scene;
    std::uint64_t bodies = 0, particles = 0, steps = 0;
    double mean_ms = 0, p99_ms = 0;
    std::optional<Quality> quality;
};

/// Milliseconds a step, from times of blocks of equal length.
struct StepTime {
    double mean_ms = 0, p99_ms = 0;
};
/// The 99th percentile by the nearest-rank rule; no blocks give zeros.
StepTime summarise(std::vector<double> block_ms_per_step);

/// Of several repeats: the median of the means, the 99th percentile over the blocks of all.
StepTime summarise_repeats(const std::vector<std::vector<double>>& block_ms_per_step);

double particle_steps_per_second(const Row& row);

/// The CSV text, header included. Numbers are written with a point whatever the locale.
std::string csv_text(const std::vector<Row>& rows);

/// A table for people: the columns given, padded, the first left-aligned and the others right-aligned.
std::string table_text(const std::vector<std::vector<std::string>>& lines);
/// The same as a Markdown table; the first line is its head.
std::string markdown_text(const std::vector<std::vector<std::string>>& lines);

/// `value` with `digits` significant digits, never in the locale's way.
std::string number_text(double value, int digits = 4);
inline double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024 * 1024); }

} // namespace scree::bench
