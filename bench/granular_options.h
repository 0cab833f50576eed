// SPDX-License-Identifier: MIT
// granular_options.h — the options of `scree bench granular`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree::bench {

struct BenchOptions {
    std::vector<std::string> cases;    ///< in the order given
    std::vector<std::uint64_t> bodies; ///< empty: the case's own
    std::vector<int> threads;          ///< of the CPU, and MPI ranks of the peers
    std::vector<std::string> devices;
    bool lammps = true, liggghts = true, bullet = true;
    int repeat = 3;
    int steps = 0; ///< timed steps; 0: the case's own
};

} // namespace scree::bench
