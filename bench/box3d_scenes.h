// SPDX-License-Identifier: MIT
// box3d_scenes.h — the scenes of Box3D's own benchmark, rebuilt: contract box3d-1 of docs/manual/bench-rigid.md.
//
// Sizes, shapes, densities, frictions, gravity, step, substeps and the order of bodies are those of shared/benchmarks.c of
// Box3D 0.1.0 (Catto 2026), so that poses of its program can be measured with `--quality`.
#pragma once

#include "bench_scene.h"

namespace scree::bench {

// box3d_scenes.cpp
BenchScene box3d_joint_grid(std::uint32_t side);
BenchScene box3d_large_pyramid(std::uint32_t base);
BenchScene box3d_many_pyramids(std::uint32_t side);
BenchScene box3d_washer(std::uint32_t side);
BenchScene box3d_junkyard(std::uint32_t layers);
BenchScene box3d_convex_pile(std::uint32_t layers);

// box3d_terrain.cpp
BenchScene box3d_rain(std::uint32_t side);
BenchScene box3d_trees(std::uint32_t cell_cm);
BenchScene box3d_large_world(std::uint32_t side);

/// A scene of the contract, with nothing in it.
BenchScene box3d_scene(int steps, bool sleeping);
/// With Box3D's default friction, 0.6.
RigidShape::Part box3d_part(const Geometry& geometry, float density = 1000);
/// A fixed body whose shape's parts are these.
void add_fixed(BenchScene& scene, std::vector<RigidShape::Part> parts, Vec3 position);
/// A prism on the y axis from `bottom` up, with a corner on the x axis.
Hull prism(float height, float radius, float bottom, int sides);

// box3d_human.cpp
/// The shapes of a figure; those of one group do not collide where bones often meet. Returns the first one's number.
std::uint32_t add_human_shapes(BenchScene& scene, int group);
/// A standing figure of 14 bodies, 13 joints with limits and 13 with friction.
void add_human(BenchScene& scene, std::uint32_t first_shape, Vec3 position);

} // namespace scree::bench
