// SPDX-License-Identifier: MIT
// rigid_piles.h — the generators behind the families of rigid_scene.h.
#pragma once

#include "rigid_scene.h"

namespace scree::bench {

RigidScene pyramid(std::uint32_t base);
RigidScene pile_of_boxes(std::uint32_t count);
RigidScene wide_pile_of_boxes(std::uint32_t count); ///< 16 layers, whatever the number
RigidScene pile_of_spheres(std::uint32_t count);
RigidScene pile_of_capsules(std::uint32_t count);
RigidScene pile_of_hulls(std::uint32_t count);
RigidScene ragdolls(std::uint32_t count);
RigidScene stack(std::uint32_t count);
RigidScene heavy_stack(std::uint32_t ratio);

// rigid_seed_scenes.cpp
RigidScene seed_spheres(std::uint32_t count);
RigidScene molecule(std::uint32_t side);
RigidScene funnel(std::uint32_t count);

/// rigid_builtin.cpp: a scene of the program by its name.
RigidScene builtin_scene(const std::string& name);

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

RigidBody fixed_box(Vec3 centre, Vec3 half);
/// A floor with its top at y = 0 and four walls of `height`, all 2 m thick, with the inner faces at +-half_width.
void add_container(RigidScene& scene, float half_width, float height);

/// A lattice whose layers are shifted against each other, so that nothing falls into upright columns.
struct Lattice {
    std::uint32_t side = 1; ///< along x and z
    float pitch = 1.4f, shift = 0.6f, jitter = 0.07f, turn = 0.3f;
    float lowest = 1; ///< height of the first layer's centres
};
/// Position and rotation of body `index` counted layer by layer, with a number of the generator for each.
RigidBody lattice_body(const Lattice& lattice, std::uint32_t index, SceneRandom& random);

} // namespace scree::bench
