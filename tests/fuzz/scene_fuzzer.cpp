// SPDX-License-Identifier: MIT
// scene_fuzzer.cpp — any bytes as a scene file: an Error or a scene, never a crash, never more memory than
// allowed.
#include "scree/scene.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scree::SceneOptions options;
    options.max_bodies = 2000;
    options.max_particles = 20'000;
    options.read_files = false;
    try {
        std::string_view text(reinterpret_cast<const char*>(data), size);
        scree::Scene scene = scree::parse_scene(text, "fuzz.json", options);
        if (scene.bodies.size() > options.max_bodies || scene.steps < 1) std::abort();
        for (const scree::GranularBodyDef& body : scene.bodies)
            if (body.shape >= scene.shapes.size() || !(body.mass > 0)) std::abort();
    } catch (const scree::Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
