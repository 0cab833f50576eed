// SPDX-License-Identifier: MIT
// rigid_scene.h — one scene for every engine: what `scree bench rigid` builds, runs and measures.
//
// Scenes come from a generator of random numbers of their own and use no functions of the C library but the square root,
// so that they have the same bits everywhere; some are scenes of the program. The centre of mass of every body is its
// origin and its axes are principal, which spares the engines' different conventions.
#pragma once

#include "rigid_solid.h"
#include "scree/math.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bench {

enum class RigidForm { box, sphere, capsule, hull };

struct RigidPart {
    RigidForm form = RigidForm::box;
    /// box: half sides; sphere: x is the radius; capsule along y: x is the radius, y half the length of its segment
    Vec3 size{0.5f, 0.5f, 0.5f};
    std::uint32_t hull = 0; ///< which of the scene's
    Vec3 position{};        ///< in the body's frame
    Quat rotation{};
};

struct RigidBody {
    bool fixed = false;
    float density = 1000;
    Vec3 position{};
    Quat rotation{};
    Vec3 velocity{}, angular_velocity{};
    std::vector<RigidPart> parts;
};

/// The bodies of a joint do not collide with each other.
struct RigidJoint {
    bool ball = true; ///< or fixed
    std::uint32_t first = 0, second = 0;
    Vec3 anchor{}; ///< world coordinates, at the start
};

struct RigidScene {
    std::string name, contract;
    float dt = 1 / 60.0f;
    int steps = 600;
    Vec3 gravity{0, -9.81f, 0};
    float friction = 0.5f; ///< of every pair
    /// a body whose centre leaves these has escaped
    Vec3 low{-1e9f, -1e9f, -1e9f}, high{1e9f, 1e9f, 1e9f};
    bool stands = false; ///< nothing should move: how far it did is a figure of quality
    std::vector<std::vector<Vec3>> hulls;
    std::vector<RigidBody> bodies;
    std::vector<RigidJoint> joints;

    std::size_t moving() const;
};

struct RigidMass {
    double mass = 0;
    DVec3 inertia; ///< about the body's axes
};

/// From the densities; for fixed bodies too. `solids` are those of the scene's hulls.
RigidMass mass_of(const RigidBody& body, std::span<const Solid> solids);
std::vector<Solid> solids_of(const RigidScene& scene);

/// A family of scenes: `pyramid-40` is the family `pyramid` at the size 40.
struct RigidFamily {
    std::string_view name, summary;
    std::uint32_t least, most; ///< sizes
    RigidScene (*make)(std::uint32_t size);
    std::vector<std::uint32_t> sizes; ///< that a run over everything takes
};
std::span<const RigidFamily> rigid_families();
/// Built-in scenes of the program (scenes/*.json), which have one size.
std::span<const std::string_view> rigid_builtin_names();

/// Throws Error naming `option` when there is no such scene, family or size.
RigidScene rigid_scene(const std::string& name, const std::string& option);
/// Every family at its sizes, and the built-in scenes.
std::vector<std::string> rigid_scene_names();

} // namespace scree::bench
