// SPDX-License-Identifier: MIT
// bench_scene.h — the scenes of `scree bench rigid`, equal for every engine.
//
// Scenes come from a generator of random numbers of their own and use no functions of the C library but the square root,
// so that they have the same bits everywhere; some are scenes of the program. The centre of mass of every body is its
// origin and its axes are principal, which spares the engines' different conventions. Shapes are boxes, spheres, capsules
// and hulls, all of one friction; two bodies of a joint do not collide with each other.
#pragma once

#include "scree/rigid_scene.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bench {

struct BenchScene {
    std::string name, contract;
    int steps = 600;
    RigidScene rigid;
    /// a body whose centre leaves these has escaped
    Vec3 low{-1e9f, -1e9f, -1e9f}, high{1e9f, 1e9f, 1e9f};
    bool stands = false; ///< nothing should move: how far it did is a figure of quality

    std::size_t moving() const;
    std::span<const RigidShape::Part> parts(const RigidBodyDef& body) const {
        return rigid.shapes[body.shape].parts;
    }
    float friction() const { return rigid.shapes.front().parts.front().definition.material.friction; }
};

inline bool is_fixed(const RigidBodyDef& body) { return body.body.type == BodyType::fixed; }
/// Neither fixed nor moved by the scene.
inline bool is_dynamic(const RigidBodyDef& body) { return body.body.type == BodyType::dynamic; }

/// A world of the scene's bodies in their order; solver, sleeping and the like are from `settings`, gravity is the scene's.
World make_world(const BenchScene& scene, WorldSettings settings, const Place& place);

/// The scene as a scene file, with the digits that bring every float back.
std::string scene_text(const BenchScene& scene);

/// A family of scenes: `pyramid-40` is the family `pyramid` at the size 40.
struct SceneFamily {
    std::string_view name, summary;
    std::uint32_t least, most; ///< sizes
    BenchScene (*make)(std::uint32_t size);
    std::vector<std::uint32_t> sizes; ///< that a run over everything takes
};
std::span<const SceneFamily> scene_families();
/// Built-in scenes of the program (scenes/*.json), which have one size.
std::span<const std::string_view> builtin_names();

/// Throws Error naming `option` when there is no such scene, family or size.
BenchScene find_bench_scene(const std::string& name, const std::string& option);
/// Every family at its sizes, and the built-in scenes.
std::vector<std::string> bench_scene_names();

} // namespace scree::bench
