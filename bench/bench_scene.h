// SPDX-License-Identifier: MIT
// bench_scene.h — the scenes of `scree bench rigid`, equal for every engine.
//
// Scenes come from a generator of random numbers of their own and use no functions of the C library but the square root,
// so that they have the same bits everywhere; some are scenes of the program. The centre of mass of every body is its
// origin and its axes are principal, which spares the engines' different conventions. Shapes are boxes, spheres, capsules
// and hulls, all of one friction; two bodies of a joint do not collide with each other. Scenes that need more than that
// (`special`) run in Scree only and are no files.
#pragma once

#include "scree/rigid_scene.h"

#include <cstddef>
#include <cstdint>
#include <limits>
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

    /// has meshes, limits, filters, several frictions, bodies that are off their centre of mass, come, go or are driven
    bool special = false;
    /// substeps, and sleeping with its speed, are those of rigid.settings, whatever the engine says
    bool own_settings = false;
    bool first_step_counts = true; ///< false: the first step, which sets the world up, is in no mean

    /// A body is there in the steps from `from` up to before `until`; a joint as long as both of its bodies.
    struct Life {
        int from = 0, until = std::numeric_limits<int>::max();
    };
    std::vector<Life> lives; ///< by body; empty: all bodies, in every step
    /// A kinematic body, and where it is after a step.
    struct Path {
        std::uint32_t body;
        DVec3 (*after)(int step);
    };
    std::vector<Path> paths;

    /// Whether the body is there after this many steps.
    bool present(std::size_t body, int steps_done) const {
        return lives.empty() || (lives[body].from < steps_done && steps_done <= lives[body].until);
    }

    std::size_t moving() const;
    std::span<const RigidShape::Part> parts(const RigidBodyDef& body) const {
        return rigid.shapes[body.shape].parts;
    }
    float friction() const { return rigid.shapes.front().parts.front().definition.material.friction; }
};

/// Fixed or kinematic: nothing pushes it.
inline bool is_fixed(const RigidBodyDef& body) { return body.body.type != BodyType::dynamic; }

/// Gravity and substeps are the scene's, solver and the like those given.
WorldSettings settings_of(const BenchScene& scene, WorldSettings settings);
/// A world of the scene's bodies in their order. Throws Error for a scene whose bodies come and go: SceneWorld runs it.
World make_world(const BenchScene& scene, WorldSettings settings, const Place& place);

/// The scene as a scene file, with the digits that bring every float back. Throws Error for a special one.
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
