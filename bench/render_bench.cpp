// SPDX-License-Identifier: MIT
// render_bench.cpp — see render_bench.h. The recording back end takes the calls, so the driver's own cost is left out; it
// is added in a second table where there is a driver.
#include "render_bench.h"

#include "commands.h"
#include "options.h"
#include "scree/error.h"

#ifdef SCREE_HAS_RENDER
#include "output_file.h"
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/recording_backend.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "scree/scene.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>
#endif

namespace scree::bench {

#ifndef SCREE_HAS_RENDER

int render_bench(std::span<const std::string>) {
    throw Error("this build has no renderer", "scree bench render");
}

#else

namespace {

using namespace render;

CommandSpec spec() {
    return {.name = "bench render",
            .summary = "Draws a lattice of boxes in each mode and says what it took of the CPU: culling, "
                       "levels of detail,\n"
                       "sorting, uploads and calls. Medians over the frames.",
            .options = {{"--instances", "N", "boxes; 100000 unless told"},
                        {"--frames", "N", "measured; 30 unless told"},
                        {"--gl", "", "also with the driver of this machine"},
                        {"--csv", "FILE", "write the table"}}};
}

struct Row {
    std::string backend, mode;
    double prepare = 0, submit = 0; ///< ms
    std::uint64_t draws = 0, states = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

Row measure(Backend& backend, const World& world, DrawMode mode, const char* name, int frames, int width,
            int height) {
    Renderer renderer(backend);
    WorldModel model(renderer, {.floor = false});
    model.update(world);
    PictureTarget target(backend, width, height);
    FrameSettings settings;
    settings.mode = mode;
    const Camera camera = framing(model.bounds(), static_cast<float>(width) / static_cast<float>(height));
    std::vector<double> prepare, submit;
    for (int i = 0; i < frames + 3; ++i) {
        // as in a frame of a running world: the arrays are uploaded anew
        renderer.instances().set_world_poses(world.positions(), world.rotations());
        renderer.draw(camera, settings, target.id(), width, height);
        backend.finish();
        if (i < 3) continue; // the first frames make buffers
        prepare.push_back(renderer.counters().prepare_seconds * 1000);
        submit.push_back(renderer.counters().submit_seconds * 1000);
    }
    return {"",
            name,
            median(prepare),
            median(submit),
            renderer.counters().all.draws,
            renderer.counters().all.state_changes()};
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

} // namespace

int render_bench(std::span<const std::string> arguments) {
    const CommandSpec command = spec();
    const Arguments given(command, arguments);
    if (given.help()) return std::fputs(help_text(command).c_str(), stdout), exit_ok;
    const std::uint64_t count = given.whole("--instances", 1, 4'000'000).value_or(100'000);
    const int frames = static_cast<int>(given.whole("--frames", 1, 10'000).value_or(30));
    std::optional<OutputFile> csv;
    if (const auto file = given.text("--csv")) csv.emplace("--csv", *file);

    const World world = lattice(count);
    std::vector<Row> rows;
    constexpr std::pair<DrawMode, const char*> modes[] = {
        {DrawMode::tree, "tree"}, {DrawMode::precached, "precached"}, {DrawMode::pooled, "pooled"}};
    for (const auto& [mode, name] : modes) {
        RecordingBackend backend(false);
        rows.push_back(measure(backend, world, mode, name, frames, 1280, 720));
        rows.back().backend = "recording";
    }
    if (given.has("--gl")) {
        const HeadlessContext context;
        const auto backend = make_gl_backend();
        std::printf("%s\n", backend->description().c_str());
        for (const auto& [mode, name] : modes) {
            rows.push_back(measure(*backend, world, mode, name, std::min(frames, 5), 320, 180));
            rows.back().backend = "gl";
        }
    }
    std::printf("%s boxes, milliseconds of CPU time a frame\n", count_text(count).c_str());
    std::printf("%-10s %-10s %10s %10s %10s %14s\n", "back end", "mode", "prepare", "submit", "draws",
                "state changes");
    std::string text = "backend,mode,instances,prepare_ms,submit_ms,draws,state_changes\n";
    for (const Row& row : rows) {
        std::printf("%-10s %-10s %10s %10s %10s %14s\n", row.backend.c_str(), row.mode.c_str(),
                    short_number(row.prepare).c_str(), short_number(row.submit).c_str(),
                    count_text(row.draws).c_str(), count_text(row.states).c_str());
        text += row.backend + "," + row.mode + "," + std::to_string(count) + "," + exact_number(row.prepare) +
                "," + exact_number(row.submit) + "," + std::to_string(row.draws) + "," +
                std::to_string(row.states) + "\n";
    }
    if (csv) {
        csv->write(text);
        csv->finish();
    }
    return exit_ok;
}

#endif

} // namespace scree::bench
