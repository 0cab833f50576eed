// SPDX-License-Identifier: MIT
// fabric_bench.h — cloth of the rigid world: the hung square and the drape over a sphere, beside Bullet; cost against vertices.
#pragma once

#include "options.h"
#include "scree/cloth_def.h"
#include "scree/place.h"

#include <string>
#include <vector>

namespace scree::bench {

/// A square of 2 m by 2 m and 0.2 kg/m², n x n vertices: hung by two corners of one side from a horizontal start, or dropped
/// from 0.2 m above a sphere of radius 0.5 m about the origin.
struct FabricScene {
    bool sphere = false;
    std::uint32_t n = 64;
    float radius = 0.5f;
    float bend = ClothMaterial{}.bend; ///< N m
    ClothDef cloth() const;
};

struct FabricResult {
    std::string engine, setting;
    std::vector<double> step_ms;                        ///< of every step, until the device has done it
    std::vector<double> read_ms;                        ///< of its vertices, after each
    std::vector<Vec3> vertices, velocities;             ///< at the end
    std::vector<std::pair<std::string, double>> stages; ///< ms a step
};

inline constexpr float fabric_step = 1 / 60.0f; // s

/// Bullet's btSoftBody with the same vertices, edges and masses; throws Error in builds without Bullet.
FabricResult run_bullet(const FabricScene& scene, int iterations, int steps);

bool is_fabric_experiment(const std::string& name);
/// Experiments hang, sphere and size of `bench cloth`; prints and writes what the options say.
int run_fabric(const Arguments& given, const std::vector<std::string>& experiments);

} // namespace scree::bench
