// SPDX-License-Identifier: MIT
// scenes_bench.cpp — `scree bench scenes`: the time of a step of any scene, whatever its kind, and the quality reached.
#include "bench_options.h"
#include "benchmarks.h"
#include "options.h"
#include "output_file.h"
#include "scene/run.h"
#include "scree/scene.h"
#include "text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace scree::bench {
namespace {

CommandSpec scenes_spec() {
    return {
        .name = "bench scenes",
        .positional = "SCENE|FILE …",
        .least = 1,
        .most = 1000,
        .summary =
            "Times the steps of scenes of any kind: milliseconds a step, the best of several runs, with the "
            "hash and the\nmeasures of the last state.",
        .details = "The CSV has the columns scene, kind, device, threads, items, steps, ms_per_step, hash.",
        .options = {{"--device", "NAME", "auto, cpu, cuda, opencl …; default: auto"},
                    {"--threads", "N[,N…]", "CPU threads; default: 1 and all cores"},
                    {"--steps", "N", "steps of each run; default: the scene's own number"},
                    {"--repeat", "N", "runs, of which the fastest counts; default: 3"},
                    {"--csv", "FILE", "write the results"}}};
}

struct Result {
    double seconds = 0;
    std::uint64_t hash = 0;
    std::string device, quality;
};

/// "kinetic energy 0.2 J, largest overlap 0.01 m"
std::string quality_of(const SceneRun& run) {
    const std::vector<Measured> all = run.measure();
    std::string text;
    for (const MeasureInfo& measure : run.kind().measures())
        if (measure.summary)
            text += (text.empty() ? "" : ", ") + std::string(measure.words) + " " +
                    short_number(value_of(all, measure.name)) + (measure.unit.empty() ? "" : " ") +
                    std::string(measure.unit);
    return text;
}

Result fastest(const Scene& scene, const PlaceOptions& where, std::uint64_t steps, int repeats) {
    Result best;
    const Place place(where);
    for (int k = 0; k < repeats; ++k) {
        const auto run = start_scene(scene, place);
        const auto start = std::chrono::steady_clock::now();
        run->step(steps);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (k > 0 && seconds >= best.seconds) continue;
        best = {seconds, run->hash(), run->place().device(), quality_of(*run)};
    }
    return best;
}

} // namespace

int scenes_bench(std::span<const std::string> arguments) {
    const CommandSpec command = scenes_spec();
    const Arguments given(command, arguments);
    if (given.help()) return std::fputs(help_text(command).c_str(), stdout), 0;
    const auto steps_given = given.whole("--steps", 1, 1'000'000'000);
    const int repeats = int_option(given, "--repeat", 1, 1000, 3);
    const std::vector<int> threads = thread_list(given);
    std::vector<Scene> scenes;
    for (const std::string& name : given.positional()) scenes.push_back(find_scene(name));
    const auto csv = open_output("--csv", output_name(given, "--csv"));
    if (csv) csv->write("scene,kind,device,threads,items,steps,ms_per_step,hash\n");

    for (const Scene& scene : scenes) {
        const SceneSize size = kind_of(scene).size(scene);
        const std::uint64_t steps = steps_given.value_or(static_cast<std::uint64_t>(scene.steps));
        std::printf("%s (%s, %s, %s)\n", scene.name.c_str(), scene.kind.c_str(),
                    count_of(size.items, size.one, size.many).c_str(),
                    count_of(steps, "step", "steps").c_str());
        for (const int count : threads) {
            const Result best = fastest(
                scene, {.device = given.text("--device").value_or("auto"), .threads = count}, steps, repeats);
            const double ms = 1000 * best.seconds / static_cast<double>(steps);
            std::printf("  %s, %s: %s ms a step, hash %s; %s\n", best.device.c_str(),
                        count_of(static_cast<std::uint64_t>(count), "thread", "threads").c_str(),
                        short_number(ms).c_str(), hash_text(best.hash).c_str(), best.quality.c_str());
            std::fflush(stdout);
            if (csv)
                csv->write(scene.name + "," + scene.kind + "," + best.device + "," + std::to_string(count) +
                           "," + std::to_string(size.items) + "," + std::to_string(steps) + "," +
                           exact_number(ms) + "," + hash_text(best.hash) + "\n");
        }
    }
    if (csv) csv->finish();
    return 0;
}

} // namespace scree::bench
