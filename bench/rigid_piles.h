// SPDX-License-Identifier: MIT
// rigid_piles.h — the generators behind the families of bench_scene.h.
#pragma once

#include "bench_scene.h"

namespace scree::bench {

BenchScene pyramid(std::uint32_t base);
BenchScene pile_of_boxes(std::uint32_t count);
BenchScene wide_pile_of_boxes(std::uint32_t count); ///< 16 layers, whatever the number
BenchScene pile_of_spheres(std::uint32_t count);
BenchScene pile_of_capsules(std::uint32_t count);
BenchScene pile_of_hulls(std::uint32_t count);
BenchScene pile_of_all(std::uint32_t count); ///< of spheres, capsules, boxes, cylinders, cones and hulls
BenchScene ragdolls(std::uint32_t count);
BenchScene drum(std::uint32_t count); ///< turning, with cubes of 0.25 m let loose in it
BenchScene ragdolls_with_limits(std::uint32_t count);
BenchScene stack(std::uint32_t count);
BenchScene heavy_stack(std::uint32_t ratio);

// rigid_seed_scenes.cpp
BenchScene seed_spheres(std::uint32_t count);
BenchScene molecule(std::uint32_t side);
BenchScene funnel(std::uint32_t count);

/// rigid_builtin.cpp: a scene of the program by its name.
BenchScene builtin_scene(const std::string& name);

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
class SceneRandom {
public:
    explicit SceneRandom(std::uint64_t seed) : state_(seed) {}
    /// Uniform in -1 … 1.
    float symmetric();
    /// By up to `angle` radians about any axis.
    Quat rotation(float angle);

private:
    std::uint64_t state_;
};

/// The number of a new shape; with one part where it is all there is.
std::uint32_t add_shape(BenchScene& scene, std::vector<RigidShape::Part> parts);
std::uint32_t add_shape(BenchScene& scene, const Geometry& geometry, float density = 1000);
/// A part of the contracts' friction.
RigidShape::Part part_of(const Geometry& geometry, float density = 1000, Vec3 position = {},
                         Quat rotation = {});
RigidBodyDef body_at(std::uint32_t shape, Vec3 position, Quat rotation = {});
void add_fixed_box(BenchScene& scene, Vec3 centre, Box half, Quat rotation = {});
/// A floor with its top at y = 0 and as far as `reach`; what leaves it or falls through has escaped.
void add_ground(BenchScene& scene, float reach);
/// A floor with its top at y = 0 and four walls of `height`, all 2 m thick, with the inner faces at +-half_width.
void add_container(BenchScene& scene, float half_width, float height);

/// A lattice whose layers are shifted against each other, so that nothing falls into upright columns.
struct Lattice {
    std::uint32_t side = 1; ///< along x and z
    float pitch = 1.4f, shift = 0.6f, jitter = 0.07f, turn = 0.3f;
    float lowest = 1; ///< height of the first layer's centres
};
/// Body `index` counted layer by layer, with a number of the generator for each coordinate.
RigidBodyDef lattice_body(const Lattice& lattice, std::uint32_t shape, std::uint32_t index,
                          SceneRandom& random);

} // namespace scree::bench
