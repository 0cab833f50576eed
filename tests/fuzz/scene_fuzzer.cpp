// SPDX-License-Identifier: MIT
// scene_fuzzer.cpp — any bytes as a scene file: an Error or a scene, never a crash, never more memory than
// allowed. Small rigid scenes are run for a few steps: whatever a scene may say, bodies stay finite.
#include "fuzz/foreign_world.h"
#include "scree/scene.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace scree;

void check(const Scene& scene, const SceneOptions& options) {
    if (scene.bodies.size() > options.max_bodies || scene.steps < 1) std::abort();
    for (const GranularBodyDef& body : scene.bodies)
        if (body.shape >= scene.shapes.size() || !(body.mass > 0)) std::abort();
}

/// Every shape may touch every other.
bool is_small(const RigidScene& scene) {
    std::size_t parts = 0;
    for (const RigidBodyDef& body : scene.bodies) parts += scene.shapes[body.shape].parts.size();
    return parts <= 40 && scene.bodies.size() <= 40 && scene.joints.size() <= 40;
}

void run(Scene& scene) {
    scene.rigid->settings = with_little_work(scene.rigid->settings);
    World world = build_rigid_world(scene, {{.threads = 1}});
    step_scene(scene, world, 3);
    look_at(world);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    SceneOptions options;
    options.max_bodies = 2000;
    options.max_particles = 20'000;
    options.read_files = false;
    try {
        std::string_view text(reinterpret_cast<const char*>(data), size);
        Scene scene = parse_scene(text, "fuzz.json", options);
        check(scene, options);
        if (scene.rigid && is_small(*scene.rigid)) run(scene);
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
