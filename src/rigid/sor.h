// SPDX-License-Identifier: MIT
// sor.h — convergence of a projected SOR step, measured on request (Simulation::study).
#pragma once

#include <cstdint>
#include <vector>

namespace scree {

/// Of the last step.
struct SorReport {
    std::uint32_t rows = 0; ///< that hold something
    /// After each iteration, the largest violation of the complementarity conditions: the change of velocity (m/s, or rad/s
    /// of rows of rotation) that one more visit to the row would ask for, |x - clamp(x - w/A_ii)| A_ii. Zero where the
    /// conditions hold. In a row of bodies that overflow splits, A_ii is that of the pieces.
    std::vector<float> residual;
    /// and the root of the mean square over the rows
    std::vector<float> mean_residual;
    /// The largest difference between V' and M^-1 J^T x, computed anew in double precision, over the largest entry of V'.
    double round_off = 0;
};

} // namespace scree
