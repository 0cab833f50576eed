// SPDX-License-Identifier: MIT
// render_bench.cpp — `scree bench render`: what drawing costs the CPU, mode by mode.
//
// The recording back end takes the calls, so the driver's own cost is left out; it is added in a second table where there is
// a driver.
#include "bench_options.h"
#include "benchmarks.h"
#include "scree/error.h"

#ifdef SCREE_HAS_RENDER
#include "live_read.h"
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/recording_backend.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "render_compare.h"
#include "render_live.h"
#include "scene_arguments.h"
#include "scree/scene.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
#endif

namespace scree::bench {

namespace {

#ifndef SCREE_HAS_RENDER

int run(const Arguments&) { throw Error("this build has no renderer", "scree bench render"); }

#else

using namespace render;

struct Row {
    std::string backend, mode, view;
    double prepare = 0, submit = 0, least = 0; ///< ms
    double frame = 0, gpu = 0;                 ///< ms: until the GPU is done; of the GPU alone
    std::uint64_t visible = 0, draws = 0, states = 0;
    std::uint64_t corners = 0, triangles = 0, points = 0;
    std::uint64_t uploaded = 0, read_back = 0; ///< bytes
    const char* culled = "cpu";
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

/// As the physics would leave them: every body somewhere else than in the frame before.
void move_all(std::span<float> positions, int frame) {
    const float shift = frame % 2 ? 0.01f : -0.01f;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (i % 4 != 3) positions[i] += shift;
}

Row measure(Backend& backend, const World& world, DrawMode mode, Culling culling, bool whole, int frames,
            int width, int height) {
    Renderer renderer(backend);
    renderer.choose(culling);
    WorldModel model(renderer, {.floor = false});
    Frame frame;
    frame.appearance = std::make_shared<Appearance>(appearance_of(world));
    show(world, frame);
    model.update(frame);
    PictureTarget target(backend, width, height);
    FrameSettings settings;
    settings.mode = mode;
    Camera camera = framing(model.bounds(), static_cast<float>(width) / static_cast<float>(height));
    if (!whole) {
        // nearer, with a narrow lens: about a third is left
        camera.fov_y *= 0.33f;
        camera.target = camera.target + Vec3{0.0f, 0.15f, 0.0f} * length(camera.eye - camera.target);
    }
    std::vector<double> prepare, submit, all;
    double gpu = 0;
    for (int i = 0; i < frames + 3; ++i) {
        move_all(frame.positions, i);
        const Stopwatch clock;
        model.update(frame);
        renderer.draw(camera, settings, target.id(), width, height);
        backend.finish();
        if (i < 3) continue; // the first frames make buffers
        prepare.push_back(renderer.counters().prepare_seconds * 1000);
        submit.push_back(renderer.counters().submit_seconds * 1000);
        all.push_back(clock.seconds() * 1000);
        gpu += renderer.counters().gpu_seconds * 1000 / frames;
    }
    Row row;
    row.view = whole ? "all" : "third";
    row.prepare = median(prepare);
    row.submit = median(submit);
    row.least = *std::min_element(submit.begin(), submit.end());
    row.visible = renderer.counters().visible;
    row.draws = renderer.counters().all.draws;
    row.states = renderer.counters().all.state_changes();
    row.frame = median(all);
    row.gpu = gpu;
    row.uploaded = renderer.counters().all.uploaded;
    row.read_back = renderer.counters().all.downloaded;
    if (renderer.counters().on_gpu) row.culled = "gpu";
    // once more, since counting what indirect draws draw takes time
    backend.count_indirect(true);
    move_all(frame.positions, frames + 3);
    model.update(frame);
    renderer.draw(camera, settings, target.id(), width, height);
    backend.count_indirect(false);
    row.corners = renderer.counters().all.corners;
    row.triangles = renderer.counters().all.triangles;
    row.points = renderer.counters().all.points;
    return row;
}

World lattice(std::uint64_t count) {
    World world;
    const auto side = static_cast<std::uint64_t>(std::ceil(std::cbrt(static_cast<double>(count))));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto at = [&](std::uint64_t k) { return static_cast<float>(k) * 1.5f; };
        const BodyId body = world.create_body(
            {.position = {at(i % side), at(i / side / side), at(i / side % side)}, .awake = false});
        world.attach(body, Box{0.5f, 0.5f, 0.5f});
    }
    return world;
}

int compare(const Arguments& given) {
    std::vector<std::string> names;
    for (const SceneInfo& scene : builtin_scenes()) names.push_back(scene.name);
    const auto scenes = choose_from(given, "--compare", names);
    const PictureSize size = read_size(given, {160, 90}, 1);
    const auto csv = open_output(given, "--csv");
    std::string text;
    const bool equal = compare_pictures(scenes, given, size.width, size.height, text);
    finish_csv(csv, text);
    return equal ? exit_ok : exit_failed;
}

int run(const Arguments& given) {
    if (given.has("--compare")) return compare(given);
    const std::uint64_t count = given.whole("--instances", 1, 4'000'000).value_or(100'000);
    const int frames = whole_option(given, "--frames", 1, 10'000, 30);
    const auto csv = open_output(given, "--csv");
    if (given.has("--read")) {
        if (!given.has("--scene")) throw Error("expected the scenes to step", "--scene");
        finish_csv(csv, measure_read(given, frames));
        return exit_ok;
    }
    if (given.has("--scene")) {
        const PictureSize size = read_size(given, {1920, 1080}, 1);
        finish_csv(csv, measure_live(given, frames, size.width, size.height));
        return exit_ok;
    }
    const PictureSize size = read_size(given, {320, 180}, 1);

    const World world = lattice(count);
    std::vector<Row> rows;
    constexpr std::pair<DrawMode, const char*> modes[] = {
        {DrawMode::tree, "tree"}, {DrawMode::precached, "precached"}, {DrawMode::pooled, "pooled"}};
    const auto measure_all = [&](Backend& backend, const char* name, int count_frames, int width,
                                 int height) {
        for (const bool whole : {true, false}) {
            for (const auto& [mode, mode_name] : modes) {
                if (given.has("--pooled") && mode != DrawMode::pooled) continue;
                if (given.has("--on-gpu") && backend.computes()) continue;
                rows.push_back(
                    measure(backend, world, mode, Culling::cpu, whole, count_frames, width, height));
                rows.back().backend = name;
                rows.back().mode = mode_name;
            }
            if (!backend.computes()) continue;
            rows.push_back(
                measure(backend, world, DrawMode::pooled, Culling::gpu, whole, count_frames, width, height));
            rows.back().backend = name;
            rows.back().mode = "pooled";
        }
    };
    RecordingBackend recording(false);
    measure_all(recording, "recording", frames, 1280, 720);
    if (given.has("--gl")) {
        const HeadlessContext context;
        const auto backend = make_gl_backend();
        std::printf("%s\n", backend->description().c_str());
        measure_all(*backend, "gl", backend->software() ? std::min(frames, 5) : frames, size.width,
                    size.height);
    }
    std::printf("%s boxes, milliseconds a frame: of the CPU, whole, of the GPU\n", count_text(count).c_str());
    std::printf("%-10s %-10s %-6s %9s %9s %9s %9s %9s %9s %9s %9s %11s %11s %11s %12s\n", "back end", "mode",
                "culled", "visible", "prepare", "submit", "least", "whole", "GPU", "draws", "changes",
                "vertices", "triangles", "points", "bytes moved");
    std::string text =
        "backend,mode,culled,instances,view,visible,prepare_ms,submit_ms,least_submit_ms,"
        "frame_ms,gpu_ms,draws,state_changes,uploaded_bytes,read_bytes,vertices,triangles,points\n";
    for (const Row& row : rows) {
        std::printf("%-10s %-10s %-6s %9s %9s %9s %9s %9s %9s %9s %9s %11s %11s %11s %12s\n",
                    row.backend.c_str(), row.mode.c_str(), row.culled, count_text(row.visible).c_str(),
                    short_number(row.prepare).c_str(), short_number(row.submit).c_str(),
                    short_number(row.least).c_str(), short_number(row.frame).c_str(),
                    short_number(row.gpu).c_str(), count_text(row.draws).c_str(),
                    count_text(row.states).c_str(), count_text(row.corners).c_str(),
                    count_text(row.triangles).c_str(), count_text(row.points).c_str(),
                    count_text(row.uploaded + row.read_back).c_str());
        text += row.backend + "," + row.mode + "," + row.culled + "," + std::to_string(count) + "," +
                row.view + "," + std::to_string(row.visible);
        for (const double value : {row.prepare, row.submit, row.least, row.frame, row.gpu})
            text += "," + exact_number(value);
        for (const std::uint64_t value :
             {row.draws, row.states, row.uploaded, row.read_back, row.corners, row.triangles, row.points})
            text += "," + std::to_string(value);
        text += "\n";
    }
    finish_csv(csv, text);
    return exit_ok;
}

#endif

} // namespace

CommandSpec render_bench() {
    return {"render",
            "what drawing costs",
            R"(Draws a lattice of boxes in each mode, all of it in view and a third of it, and says what
a frame took of the CPU: bounds, culling, levels of detail, near before far, uploads
and calls; with --gl also until the GPU was done, what the GPU took, and the bytes moved
between them. All boxes move between frames. Median over the frames, and the least.

With --scene it simulates and draws that scene, with poses copied through the host and
with poses that the device writes for the renderer; with --read it only steps, and says what it
costs to read the positions of all bodies after each step.

With --compare it draws built-in scenes in every way: what is seen found by the CPU and by
the GPU, with OpenGL ES, and, on a device that can write into the renderer's memory, with
poses that it wrote. Says which pictures differ by more than 1 of 255 from that of the CPU;
fails if one does that is not of OpenGL ES.)",
            {R"(
--instances N       boxes; default: 100000
--frames N          measured; default: 30
--gl                also with the driver of this machine
--pooled            that mode only
--on-gpu            with --gl: culled on the GPU only
--size WxH          of the pictures; default: 320x180, with --scene 1920x1080
--scene NAME        of bench rigid, such as wide-100000, or a granular one: simulate and draw it
--bodies N          for --scene: of a granular scene with one generator
--read              for --scene, which may be a list: time steps and reading positions, draw nothing
--device NAME       for --scene, a list with --read; default: cuda. For --compare; default: cpu
--compare LIST      built-in scenes, or all: compare pictures (160x90)
--steps N           for --compare: taken before the picture; default: 20
--no-gles           for --compare: without OpenGL ES
--keep FOLDER       for --compare: the pictures that differ
)",
             csv_option},
            run};
}

} // namespace scree::bench
