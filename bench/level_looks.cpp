// SPDX-License-Identifier: MIT
// level_looks.cpp — see level_looks.h.
// compiled alone
#include "level_looks.h"

#include "row.h"
#include "scree/error.h"

#ifdef SCREE_HAS_RENDER
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/recording_backend.h"
#include "render/renderer.h"
#include "stopwatch.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#endif

namespace scree::bench {

std::vector<std::string> look_columns() {
    return {"back end", "meshes",    "triangles", "techniques", "lights",        "mode",
            "visible",  "submit ms", "frame ms",  "draws",      "state changes", "tree / this"};
}

#ifndef SCREE_HAS_RENDER

std::vector<std::vector<std::string>> look_lines(std::uint64_t, std::uint64_t, std::uint64_t, bool) {
    throw Error("this build has no renderer", "scree bench level --looks");
}

#else

namespace {

using namespace render;

constexpr int width = 800, height = 600; // as the thesis had them

/// A roof of `sides` triangles.
MeshData roof(int sides, float tall) {
    MeshData mesh;
    const auto add = [&](Vec3 at) {
        MeshVertex vertex;
        const Vec3 normal = normalized(at + Vec3{0, 0.3f, 0});
        vertex.position = {at.x, at.y, at.z};
        vertex.normal = {normal.x, normal.y, normal.z};
        mesh.vertices.push_back(vertex);
    };
    add({0, tall, 0});
    for (int k = 0; k < sides; ++k) {
        const float angle = 6.2831853f * static_cast<float>(k) / static_cast<float>(sides);
        add({std::cos(angle), 0, -std::sin(angle)});
    }
    for (int k = 0; k < sides; ++k) {
        const auto a = static_cast<std::uint32_t>(1 + k), b = static_cast<std::uint32_t>(1 + (k + 1) % sides);
        mesh.indices.insert(mesh.indices.end(), {0, a, b});
    }
    return mesh;
}

/// Meshes in a square; neighbours in the order of the tree have different looks.
void fill(Renderer& renderer, std::uint64_t times, std::uint64_t lights) {
    std::vector<DescriptionId> techniques;
    for (std::uint64_t t = 0; t < looks_techniques; ++t) {
        render::Material material;
        const float share = static_cast<float>(t) / static_cast<float>(looks_techniques);
        material.colour = Vec3{0.3f + 0.6f * share, 0.5f, 0.9f - 0.6f * share};
        material.roughness = 0.3f + 0.6f * share;
        techniques.push_back(
            renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(material)));
    }
    const std::uint64_t count = times * looks_meshes;
    const auto side = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    std::vector<MeshData> meshes;
    for (std::uint64_t i = 0; i < count; ++i) // 86 of eight triangles and 221 of nine
        meshes.push_back(roof(i % looks_meshes < 86 ? 8 : 9, 1 + 0.001f * static_cast<float>(i % 997)));
    const std::uint32_t first = renderer.meshes().add_all(meshes).value;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Vec3 at{3 * static_cast<float>(i % side), 0, 3 * static_cast<float>(i / side)};
        GeometryNode node;
        node.mesh = LodMesh{{{MeshId{first + static_cast<std::uint32_t>(i)}, 0}}};
        node.position = renderer.positions().add({}, {at, {}, 1});
        renderer.description().add_geometry(techniques[i % looks_techniques], node);
    }
    const float reach = 3 * static_cast<float>(side);
    for (std::uint64_t l = 0; l < lights; ++l) {
        const float along = (0.5f + static_cast<float>(l)) / static_cast<float>(lights);
        Light light;
        light.position = {reach * along, 3, reach * std::fmod(along * 7.3f, 1.0f)};
        light.radius = reach / 4;
        renderer.lights().add(light);
    }
}

struct Measured {
    double submit = 0, frame = 0; ///< ms, medians
    std::uint64_t draws = 0, states = 0, triangles = 0, visible = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

Measured measure(Backend& backend, DrawMode mode, std::uint64_t times, std::uint64_t lights,
                 std::uint64_t frames) {
    Renderer renderer(backend);
    renderer.choose(Culling::cpu);
    fill(renderer, times, lights);
    PictureTarget target(backend, width, height);
    FrameSettings settings;
    settings.mode = mode;
    settings.sun_shadows = false;
    settings.ambient_occlusion = false;
    settings.samples = 1;
    const Camera camera = framing(renderer.measure_bounds(), static_cast<float>(width) / height);
    std::vector<double> submit, frame;
    for (std::uint64_t i = 0; i < frames + 3; ++i) {
        const Stopwatch clock;
        renderer.draw(camera, settings, target.id(), width, height);
        backend.finish();
        if (i < 3) continue; // the first frames make buffers
        submit.push_back(1000 * renderer.counters().submit_seconds);
        frame.push_back(1000 * clock.seconds());
    }
    const FrameCounters& counted = renderer.counters();
    return {median(submit),
            median(frame),
            counted.surfaces.draws,
            counted.surfaces.state_changes(),
            counted.surfaces.triangles,
            counted.visible};
}

} // namespace

std::vector<std::vector<std::string>> look_lines(std::uint64_t times, std::uint64_t lights,
                                                 std::uint64_t frames, bool gl) {
    std::optional<HeadlessContext> context;
    if (gl) context.emplace();
    std::vector<std::vector<std::string>> lines;
    double tree = 0;
    for (const auto& [mode, name] : {std::pair{DrawMode::tree, "tree"},
                                     {DrawMode::precached, "precached"},
                                     {DrawMode::pooled, "pooled"}}) {
        const std::unique_ptr<Backend> backend =
            gl ? make_gl_backend() : std::make_unique<RecordingBackend>(false);
        const Measured one = measure(*backend, mode, times, lights, frames);
        if (mode == DrawMode::tree) tree = one.frame;
        lines.push_back({gl ? "gl" : "recording", std::to_string(times * looks_meshes),
                         std::to_string(one.triangles), std::to_string(looks_techniques),
                         std::to_string(lights), name, std::to_string(one.visible),
                         number_text(one.submit, 4), number_text(one.frame, 4), std::to_string(one.draws),
                         std::to_string(one.states), number_text(tree / one.frame, 3)});
    }
    return lines;
}

#endif

} // namespace scree::bench
