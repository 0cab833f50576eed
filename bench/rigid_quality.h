// SPDX-License-Identifier: MIT
// rigid_quality.h — how good a state is, measured from the poses alone and so alike for every engine.
//
// Overlaps are in double precision: separating axes for boxes and hulls, distances for spheres and capsules. Pairs of a
// sphere or capsule with a hull are left out, and so are cylinders, cones and meshes.
#pragma once

#include "bench_scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::bench {

/// A body after some steps.
struct RigidPose {
    DVec3 position;
    Quat rotation;
    Vec3 velocity, angular_velocity;
};

constexpr double restless_speed = 0.05; ///< m/s; Scree's and Box3D's bodies sleep below it

struct RigidQuality {
    double mean_height_m = 0;                                           ///< of the moving bodies' centres
    double max_overlap_mm = 0, p99_overlap_mm = 0, mean_overlap_mm = 0; ///< over contacts
    std::size_t contacts = 0; ///< pairs of parts that overlap, without bodies joined to each other
    double mean_speed = 0;    ///< m/s
    double kinetic_j = 0;     ///< rotation included
    double drift_mm = 0;      ///< the farthest that a body is from its start, for scenes that should stand
    double joint_mm = 0;      ///< the farthest apart that the two anchors of a joint are
    double mean_joint_mm = 0; ///< over joints
    std::size_t restless = 0; ///< bodies faster than restless_speed
    std::size_t escaped = 0;  ///< out of the scene's bounds, or not finite
};

/// The poses that the scene starts with.
std::vector<RigidPose> first_poses(const BenchScene& scene);

/// `steps`: after how many the poses are, which decides what bodies there are.
RigidQuality measure(const BenchScene& scene, std::span<const RigidPose> poses, int steps);

} // namespace scree::bench
