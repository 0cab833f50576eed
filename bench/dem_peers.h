// SPDX-License-Identifier: MIT
// dem_peers.h — LAMMPS and LIGGGHTS on the same pile: same start, same contact law, same step.
//
// Both are run as their own programs. Input is written to a temporary folder; times come from the clock that they print
// and the final state from a dump, so that quality is measured by our ruler.
#pragma once

#include "row.h"
#include "scree/granular_scene.h"
#include "sphere_ruler.h"

#include <optional>
#include <string>
#include <vector>

namespace scree::bench {

enum class DemPeer { lammps, liggghts };

std::string peer_name(DemPeer peer);

/// Why the peer cannot be run with so many MPI ranks; nothing when it can.
std::optional<std::string> peer_missing(DemPeer peer, int ranks);

struct DemRun {
    int ranks = 1;
    int warm_up = 50; ///< steps before the clock starts
    int steps = 500, block = 25;
    double skin = 0; ///< m, of the neighbour list
};

struct DemResult {
    std::string version;
    std::vector<double> block_ms; ///< a step
    SpherePile pile;              ///< after the last step
};

/// `scene` is a pile of single grains under the split contact law. Throws Error with the program's last words when it
/// fails.
DemResult run_peer(DemPeer peer, const Scene& scene, const DemRun& run);

} // namespace scree::bench
