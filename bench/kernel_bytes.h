// SPDX-License-Identifier: MIT
// kernel_bytes.h — the bytes that each kernel of a rigid world's step has to move: the model behind `scree bench kernels`.
//
// Counted for each item, by the layout in kernels/pipeline_params.h and rigid_params.h: every word of its own records that a
// kernel reads or writes, and every quad it gathers from a body or a shape, as if no other item had fetched it before. An
// array that is searched (the tree) counts once as a whole. Atomics read and write. What an item finds already done, and
// leaves, counts nothing. So a kernel whose gathers hit the cache may seem faster than the memory, and one whose gathers
// waste the rest of a cache line slower than it is.
#pragma once

#include "device/kernel_times.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace scree::bench {

/// What a step went through, on average over the steps measured. Launches do not tell how much of a list is filled.
struct StepSizes {
    double bodies = 0, shapes = 0;
    double moved = 0;                 ///< shapes that left their bounds
    double found = 0;                 ///< new pairs
    std::array<double, 5> listed{};   ///< pairs whose manifold was made, by kind
    double fresh = 0;                 ///< constraints without a colour
    double joints = 0;                ///< that are solved
    std::array<double, 3> touching{}; ///< contacts with room for 1, 2 and 4 points
    double overflow = 0;              ///< constraints among all these that found no colour
    double substeps = 8;
    double iterations = 10; ///< of the projected SOR
    bool extras = false;    ///< a material bounces, rolls or carries

    double contacts() const { return touching[0] + touching[1] + touching[2]; }
    /// adds what the words of kernels/pipeline_params.h count, after one step
    void add(std::span<const std::uint32_t> counts);
    /// from sums to means over so many steps
    void divide(double steps);
};

struct MovedBytes {
    double read = 0, written = 0;
    double all() const { return read + written; }
};

/// Of all launches of one kernel in a step: `launches` and `items` are those of a step. Nothing for what is not in the
/// model: kernels that only run when the host changed something.
std::optional<MovedBytes> moved_bytes(Work work, double launches, double items, const StepSizes& sizes);

} // namespace scree::bench
